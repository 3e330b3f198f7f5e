package sys_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/sys"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func newInterp(stdin io.Reader) *eval.Interp {
	return eval.New(eval.Config{Library: eval.NewLibrary(sys.Builtins()), Stdin: stdin,
		Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}, Args: []string{"gosema", "x"}})
}

func run(ctx context.Context, in *eval.Interp, src string) (string, error) {
	v, err := in.Eval(ctx, &value.Source{Name: "test", Text: src})
	return value.Write(v), err
}

// checks evaluates expr ; => value lines, and expr ; !! error text lines.
func checks(t *testing.T, in *eval.Interp, lines string) {
	t.Helper()
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		expr, want, isValue := strings.Cut(line, " ; => ")
		if !isValue {
			expr, want, _ = strings.Cut(line, " ; !! ")
		}
		got, err := run(context.Background(), in, expr)
		if isValue && (err != nil || got != want) || !isValue && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s is %s, %v, want %s", expr, got, err, want)
		}
	}
}

func TestExamples(t *testing.T) {
	in := newInterp(strings.NewReader(""))
	for _, b := range sys.Builtins() {
		if !strings.HasPrefix(b.Doc, "("+b.Name+")") && !strings.HasPrefix(b.Doc, "("+b.Name+" ") {
			t.Errorf("%s: the doc must start with the shape of a call: %s", b.Name, b.Doc)
		}
		if b.NoRun == "" {
			require.NotEmpty(t, b.Example, b.Name)
			checks(t, in, b.Example)
		}
	}
}

// inDir replaces $ by a new directory.
func inDir(t *testing.T, lines string) (dir, filled string) {
	dir = t.TempDir()
	return dir, strings.ReplaceAll(lines, "$", dir)
}

func TestFiles(t *testing.T) {
	dir, lines := inDir(t, `
		(file/write "$/a.txt" "one\ntwo\r\nthree") ; => nil
		(file/read "$/a.txt") ; => "one\ntwo\r\nthree"
		(file/read-lines "$/a.txt") ; => ("one" "two" "three")
		(file/append "$/a.txt" "\n") ; => nil
		(file/read-lines "$/a.txt") ; => ("one" "two" "three")
		(file/fold-lines "$/a.txt" (fn (acc line) (cons line acc)) '()) ; => ("three" "two" "one")
		(file/fold-lines-bytes "$/a.txt" (fn (acc line) (cons line acc)) '()) ; => (#u8(116 104 114 101 101) #u8(116 119 111) #u8(111 110 101))
		(file/for-each-line "$/a.txt" (fn (line) line)) ; => nil
		(file/for-each-line "$/a.txt" (fn (line) (throw line))) ; !! one
		(file/write-lines "$/b.txt" '("x" 2 :c)) ; => nil
		(file/read "$/b.txt") ; => "x\n2\n:c"
		(file/write-bytes "$/c.bin" #u8(255 0 10)) ; => nil
		(file/read-bytes "$/c.bin") ; => #u8(255 0 10)
		(file/read "$/c.bin") ; !! c.bin: the file is not UTF-8 text
		(file/copy "$/a.txt" "$/d.txt") ; => nil
		(file/copy "$/a.txt" "$/a.txt") ; => nil
		(file/rename "$/d.txt" "$/e.txt") ; => nil
		(file/list "$") ; => ("a.txt" "b.txt" "c.bin" "e.txt")
		(file/mkdir "$/d1/d2") ; => nil
		(file/mkdir "$/d1/d2") ; => nil
		(file/write "$/d1/d2/f.txt" "") ; => nil
		(file/read-lines "$/d1/d2/f.txt") ; => ()
		(file/glob "$/**/*.txt") ; => ("$/a.txt" "$/b.txt" "$/d1/d2/f.txt" "$/e.txt")
		(file/glob "$/[ab].txt") ; => ("$/a.txt" "$/b.txt")
		(file/glob "$/d1/?2/f.txt") ; => ("$/d1/d2/f.txt")
		(file/glob "$/nothing*") ; => ()
		(file/glob "[") ; !! the pattern is wrong
		(file/is-directory? "$/d1") ; => #t
		(file/is-file? "$/d1") ; => #f
		(file/exists? "$/a.txt") ; => #t
		(:size (file/info "$/a.txt")) ; => 15
		(file/delete "$/a.txt") ; => nil
		(file/exists? "$/a.txt") ; => #f
		(file/read "$/a.txt") ; !! file/read $/a.txt: no such file or directory
		(file/read "$") ; !! is a directory
		(file/write "$/none/a.txt" "") ; !! file/write $/none/a.txt: no such file or directory
		(file/delete "$/a.txt") ; !! file/delete $/a.txt: no such file or directory
		(file/rename "$/a.txt" "$/b") ; !! file/rename $/a.txt to $/b: no such file or directory
		(file/read "") ; !! expected a path, got ""
		(file/read 5) ; !! expected a string, got 5
		(:type (try (file/read "$/none") (catch e e))) ; => :io
		(:path (try (file/read "$/none") (catch e e))) ; => "$/none"
	`)
	checks(t, newInterp(nil), lines)
	data, err := os.ReadFile(filepath.Join(dir, "b.txt"))
	require.NoError(t, err)
	require.Equal(t, "x\n2\n:c", string(data))
}

func TestLongLines(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "long")
	const limit = 256 << 10
	in := newInterp(nil)
	for _, c := range []struct {
		text, want string
	}{
		{strings.Repeat("x", limit) + "\r\ny", "(1 262144)"},
		{strings.Repeat("x", limit+1), "a line has more than 262144 bytes"},
		{strings.Repeat("x", limit+1) + "\n", "a line has more than 262144 bytes"},
		{strings.Repeat("line\n", 100_000), ""},
	} {
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
		got, err := run(context.Background(), in, `(file/fold-lines-bytes "`+path+`" (fn (acc line) line) nil)`)
		if strings.Contains(c.want, "line has") {
			require.ErrorContains(t, err, c.want)
			continue
		}
		require.NoError(t, err)
		require.NotEmpty(t, got)
	}
	got, err := run(context.Background(), in, `(file/fold-lines "`+path+`" (fn (n line) (+ n 1)) 0)`)
	require.NoError(t, err)
	require.Equal(t, "100000", got)
}

func TestReadIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large")
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(2<<30)) // takes no room on the disk
	require.NoError(t, f.Close())
	in := eval.New(eval.Config{Library: eval.NewLibrary(sys.Builtins()), Limits: eval.Limits{HeapBytes: 64 << 20}})
	_, err = run(context.Background(), in, `(file/read "`+path+`")`)
	require.ErrorContains(t, err, "more than 1073741824 bytes")
	_, err = run(context.Background(), in, `(file/read-bytes "/dev/zero")`)
	require.ErrorContains(t, err, "memory limit")
}

func TestPaths(t *testing.T) {
	dir, lines := inDir(t, `
		(path/join "a/" "b") ; => "a/b"
		(path/join "a" "" "b") ; => "a/b"
		(path/join "a" 5) ; !! expected a string, got 5
		(path/dir "/") ; => ""
		(path/dir "/a") ; => "/"
		(path/dir "a/") ; => ""
		(path/filename "a/..") ; => ""
		(path/filename "a/b/") ; => "b"
		(path/extension "a.") ; => ""
		(path/extension ".a.b") ; => "b"
		(path/extension "a/.b") ; => ""
		(path/stem ".hidden") ; => ".hidden"
		(path/stem "/") ; => ""
		(path/canonicalize "$/none") ; !! path/canonicalize $/none: no such file or directory
		(path/relative-to "a" "b/c") ; => "../b/c"
		(path/relative-to "/a/b" "/a/b") ; => "."
		(path/within? "$" "$/new/file") ; => #t
		(path/within? "$" "$/../x") ; => #f
		(path/within? "/tmp" "/tmpx") ; => #f
		(path/within? "a" "a/b") ; => #t
		(path/within? "$/in" "$/in/link/x") ; => #f
		(path/within? "$/in" "$/in/dangling") ; => #f
		(path/within? "$/in" "$/in/circle") ; => #f
		(file/is-symlink? "$/in/link") ; => #t
	`)
	require.NoError(t, os.MkdirAll(dir+"/in", 0o700))
	require.NoError(t, os.MkdirAll(dir+"/out", 0o700))
	require.NoError(t, os.Symlink("../out", dir+"/in/link"))
	require.NoError(t, os.Symlink(dir+"/out/none", dir+"/in/dangling"))
	require.NoError(t, os.Symlink("circle", dir+"/in/circle"))
	checks(t, newInterp(nil), lines)
}

func TestEnvIsTheInterpreters(t *testing.T) {
	t.Setenv("SYS_TEST", "outside")
	a, b := newInterp(nil), newInterp(nil)
	checks(t, a, `
		(env "SYS_TEST") ; => "outside"
		(sys/set-env "SYS_TEST" "inside") ; => nil
		(env "SYS_TEST") ; => "inside"
		(:SYS_TEST (sys/env-all)) ; => "inside"
		(sys/set-env "A=B" "c") ; !! a name without =
		(sys/set-env "" "c") ; !! a name without =
	`)
	checks(t, b, `(env "SYS_TEST") ; => "outside"`)
	require.Equal(t, "outside", os.Getenv("SYS_TEST"))
}

func TestExit(t *testing.T) {
	in := newInterp(nil)
	for src, code := range map[string]int{"(exit)": 0, "(exit 7)": 7, "(try (exit 3) (catch e 1))": 3} {
		_, err := run(context.Background(), in, src)
		var exit *sys.ExitError
		require.True(t, errors.As(err, &exit), src)
		require.Equal(t, code, exit.Code)
		require.Equal(t, eval.KindExit, eval.AsError(err).Kind)
	}
	checks(t, in, `(exit 256) ; !! an exit code from 0 to 255
		(exit "a") ; !! expected an integer
		(sys/args) ; => ("gosema" "x")`)
}

func TestInput(t *testing.T) {
	in := newInterp(strings.NewReader("one\r\n\ntwo\nrest\nof it"))
	checks(t, in, `
		(io/read-line) ; => "one"
		(io/read-line) ; => ""
		(read-line) ; => "two"
		(io/eof?) ; => #f
		(io/read-stdin) ; => "rest\nof it"
		(io/eof?) ; => #t
		(io/read-line) ; => nil
		(io/read-stdin) ; => ""
	`)
}

func TestCancelledReadLosesNothing(t *testing.T) {
	r, w := io.Pipe()
	in := newInterp(r)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := run(ctx, in, "(io/read-line)")
	require.Equal(t, eval.KindTimeout, eval.AsError(err).Kind)
	go func() { _, _ = w.Write([]byte("late\nnext\n")) }()
	checks(t, in, `(io/read-line) ; => "late"
		(io/read-line) ; => "next"`)
}

func TestSleepStops(t *testing.T) {
	in := newInterp(nil)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := run(ctx, in, "(sleep 1e300)")
	require.Equal(t, eval.KindTimeout, eval.AsError(err).Kind)
	require.Less(t, time.Since(start), 5*time.Second)
	checks(t, in, `(sleep -1) ; => nil
		(sleep "a") ; !! expected a number
		(sleep (/ 0.0 0.0)) ; !! expected a number of milliseconds
		(time/date-parts 1e300) ; !! a time between the years`)
}

func TestOthersGoOnMeanwhile(t *testing.T) {
	in := newInterp(nil)
	done := make(chan error, 1)
	go func() {
		_, err := run(context.Background(), in, "(sleep 200)")
		done <- err
	}()
	time.Sleep(20 * time.Millisecond)
	start := time.Now()
	_, err := run(context.Background(), in, "(+ 1 2)")
	require.NoError(t, err)
	require.Less(t, time.Since(start), 150*time.Millisecond)
	require.NoError(t, <-done)
}

func TestDenied(t *testing.T) {
	in := eval.New(eval.Config{Library: eval.NewLibrary(sys.Builtins()), Deny: eval.CapAll})
	for _, src := range []string{`(file/read "/etc/passwd")`, `(file/write "x" "y")`, `(env "HOME")`, `(sys/set-env "A" "b")`, `(exit 1)`, `(file/glob "/*")`, `(path/canonicalize "/")`} {
		_, err := run(context.Background(), in, src)
		require.ErrorContains(t, err, "is not allowed here", src)
	}
}

// No argument of a wrong type may end in anything but an error of the program.
func TestOddArguments(t *testing.T) {
	t.Chdir(t.TempDir()) // some of it makes files
	in := newInterp(strings.NewReader(""))
	args := []Value{value.Nil, value.Int(-1), value.Int(1 << 62), value.Float(1e300), value.String(""), value.String("\x00"), value.String("no/such/\u00e9"),
		value.Empty, value.List(value.Int(1)), value.EmptyMap(), value.Char('a'), value.Keyword("k"), value.Bytes([]byte{1})}
	for _, src := range []string{`(stream/byte-buffer)`, `(stream/from-string "a\nb")`, "[1 :a]", "{:a {:b nil}}", "1/3", "1+2i", "(fn (x) x)", "(fn () (throw 1))", "'s", "#t", "'(\"a\" \"b\")", "-1.5"} {
		v, err := in.Eval(context.Background(), &value.Source{Name: "test", Text: src})
		require.NoError(t, err)
		args = append(args, v)
	}
	args = append(args, sys.Constants()["*stdin*"], sys.Constants()["*stdout*"])
	for _, b := range sys.Builtins() {
		if b.Name == "sleep" {
			continue
		}
		fn, _ := in.Global(b.Name)
		call := func(args ...Value) {
			_, err := in.Call(context.Background(), fn, args...)
			if err == nil {
				return
			}
			switch e := eval.AsError(err); {
			case e.Kind == eval.KindInternal:
				t.Errorf("(%s %v): %v", b.Name, args, err)
			case e.Kind == eval.KindType && !(strings.Contains(e.Message, "expected") && strings.Contains(e.Message, "got")):
				t.Errorf("(%s %v): %v: it does not say what was expected, and what it got", b.Name, args, err)
			}
		}
		call()
		for _, x := range args {
			call(x)
			for _, y := range args {
				call(x, y)
				call(x, y, x)
			}
		}
	}
}

type Value = value.Value

// TestArity: one argument too few or too many is an error that names the builtin
// and how many it takes.
func TestArity(t *testing.T) {
	in := newInterp(strings.NewReader(""))
	for _, b := range sys.Builtins() {
		fn, _ := in.Global(b.Name)
		for _, n := range []int{b.Arity.Min - 1, b.Arity.Max + 1} {
			if n < 0 || n == 0 && b.Arity.Max < 0 {
				continue
			}
			_, err := in.Call(context.Background(), fn, make([]Value, n)...)
			require.Error(t, err, b.Name)
			e := eval.AsError(err)
			require.Equal(t, eval.KindArity, e.Kind, "%s with %d arguments: %v", b.Name, n, err)
			require.True(t, strings.HasPrefix(e.Message, b.Name+" expects "), e.Message)
		}
	}
}
