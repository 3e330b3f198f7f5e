package sys

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// command is a child process, all of it Go data: it runs without the
// interpreter's lock.
type command struct {
	words          []string // the program and its arguments
	dir            string   // "" is the current directory
	env            map[string]string
	stdin          *os.File
	shared         bool // stays in our process group, see readCommand
	stdout, stderr bounded
}

// readCommand reads the arguments of shell.
func readCommand(t *eval.Thread, args []Value) (*command, error) {
	c := &command{env: variables(t)}
	if last := args[len(args)-1]; len(args) > 1 && last.IsMap() {
		if err := c.readOptions(last); err != nil {
			return nil, err
		}
		args = args[:len(args)-1]
	}
	a := eval.ArgsOf(args)
	for i := range args {
		c.words = append(c.words, noNUL(&a, i))
	}
	if len(args) == 1 {
		c.words = shellCommand(c.words[0])
	}
	// A process in a group of its own may not read from a terminal, so there it
	// shares ours, and Ctrl-C reaches all it started.
	in := eval.InterpOf(t).Stdin()
	c.stdin, c.shared = fileOf(in), isTerminal(in)
	return c, a.Err()
}

func noNUL(a *eval.Args, i int) string {
	s := a.String(i)
	if strings.Contains(s, "\x00") {
		a.Bad(i, "a text without NUL characters")
	}
	return s
}

func (c *command) readOptions(v Value) error {
	o := eval.OptionsOf("shell", v, "cwd", "env")
	c.dir = o.String("cwd", "")
	env, given := o.Get("env")
	if given && !env.IsMap() {
		o.Bad("env", "a map of names and texts")
	} else if given {
		for k, x := range env.Entries() {
			name, text, ok := variable(k, x)
			if !ok {
				o.Fail(eval.TypeError("names and texts of environment variables in :env", value.Map(k, x)))
			}
			c.env[name] = text
		}
	}
	return o.Err()
}

// variable reads an entry of :env. Its name may be a keyword.
func variable(k, v Value) (name, text string, ok bool) {
	name, isName := k.AsString()
	if !isName {
		name, isName = k.KeywordName()
	}
	text, isText := v.AsString()
	ok = isName && isText && name != "" && !strings.ContainsAny(name, "=\x00") && !strings.Contains(text, "\x00")
	return name, text, ok
}

// run waits for the process and for the end of its output. When ctx is done it
// kills the process with its group, and no more waits for who may still have the
// output open.
func (c *command) run(ctx context.Context) (code int, err error) {
	path, err := findProgram(c.words[0], c.dir, c.env["PATH"])
	if err != nil {
		return 0, err
	}
	cmd := &exec.Cmd{Path: path, Args: c.words, Dir: c.dir, Env: pairs(c.env)}
	if c.stdin != nil {
		cmd.Stdin = c.stdin
	}
	stdout, err1 := cmd.StdoutPipe()
	stderr, err2 := cmd.StderrPipe()
	if err := errors.Join(err1, err2); err != nil {
		return 0, err
	}
	if !c.shared {
		ownGroup(cmd)
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	end := sync.OnceFunc(func() {
		kill(cmd, !c.shared)
		stdout.Close()
		stderr.Close()
	})
	stop := context.AfterFunc(ctx, end)
	defer stop()
	var readers sync.WaitGroup
	readers.Go(func() { c.stdout.readFrom(stdout, end) })
	readers.Go(func() { c.stderr.readFrom(stderr, end) })
	readers.Wait()
	err = cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), nil
	}
	return 0, err
}

func (c *command) failure(err error) error {
	if eval.AsError(err).Fatal() {
		return err
	}
	if _, statErr := os.Stat(c.dir); c.dir != "" && statErr != nil {
		return ioError("shell", c.dir, statErr)
	}
	return ioError("shell", c.words[0], err)
}

func pairs(env map[string]string) []string {
	out := make([]string, 0, len(env))
	for name, text := range env {
		out = append(out, name+"="+text)
	}
	return out
}

// findProgram looks a program up in a PATH. It is exec.LookPath for another
// environment than that of this process.
func findProgram(name, dir, path string) (string, error) {
	if filepath.Base(name) != name {
		if dir != "" && !filepath.IsAbs(name) {
			return "." + string(filepath.Separator) + name, nil // seen from dir
		}
		return name, nil
	}
	if path == "" {
		path = os.Getenv("PATH")
	}
	for _, d := range filepath.SplitList(path) {
		if d == "" || !filepath.IsAbs(d) {
			continue // a program of the current directory is named with ./
		}
		if found, err := exec.LookPath(filepath.Join(d, name)); err == nil {
			return found, nil
		}
	}
	return "", errors.New("there is no such program")
}

// maxOutput bounds each of the two outputs of a command.
const maxOutput = 256 << 20

// bounded keeps what a process writes, up to maxOutput.
type bounded struct {
	buf  bytes.Buffer
	full bool
}

// readFrom reads to the end of r, or calls overflow.
func (b *bounded) readFrom(r io.Reader, overflow func()) {
	n, _ := b.buf.ReadFrom(io.LimitReader(r, maxOutput+1)) // an error is the end, too
	if n > maxOutput {
		b.full = true
		overflow()
	}
}

// text has a replacement character for each byte that is not UTF-8.
func (b *bounded) text() string {
	if utf8.Valid(b.buf.Bytes()) {
		return b.buf.String()
	}
	return string(bytes.Runes(b.buf.Bytes()))
}
