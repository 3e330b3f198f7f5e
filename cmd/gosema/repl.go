package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/reader"
)

const (
	prompt     = "sema> "
	promptMore = "  ... " // while a form is open
)

// errInterrupted is what reading a line returns for Ctrl-C.
var errInterrupted = errors.New("interrupted")

// lineReader is where the REPL gets its lines from.
type lineReader interface {
	// ReadLine returns the next line without its end; io.EOF at the end, and
	// errInterrupted when the user gave the line up.
	ReadLine(prompt string) (string, error)
	// Remember adds an entry to the history.
	Remember(entry string)
	Close()
}

// repl reads, evaluates and prints until the user leaves.
type repl struct {
	*session
	lines   lineReader
	entries int           // so far
	results [3]eval.Value // *1, *2 and *3
	idle    int           // Ctrl-Cs in a row at an empty prompt
}

func newREPL(s *session) *repl {
	r := &repl{session: s, results: [3]eval.Value{value.Nil, value.Nil, value.Nil}}
	r.bindResults()
	s.interp.Define("*e", value.Nil)
	return r
}

// run is the session with the user. It returns the code to exit with.
func (r *repl) run(ctx context.Context) int {
	lines, err := newLineReader(r)
	if err != nil {
		return r.fail(err)
	}
	r.lines = lines
	defer lines.Close()
	if !r.options.quiet {
		fmt.Fprintf(r.out, "gosema %s - ,help shows what there is, Ctrl-D leaves\n", version())
	}
	for {
		entry, err := r.readEntry()
		switch {
		case errors.Is(err, errInterrupted):
			r.giveUp(entry)
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return r.fail(err)
		}
		r.idle = 0
		code := r.handle(ctx, entry)
		if r.exited {
			return code
		}
		if err != nil { // the end of input, perhaps in the middle of a line
			return exitOK
		}
	}
}

// readEntry reads lines until the forms they start are closed.
func (r *repl) readEntry() (string, error) {
	entry, p := "", prompt
	for {
		line, err := r.lines.ReadLine(p)
		entry += line
		if err != nil || !incomplete(entry) {
			return entry, err
		}
		entry += "\n"
		p = promptMore
	}
}

// incomplete reports whether text needs more lines.
func incomplete(text string) bool {
	if name, arg, ok := splitCommand(text); ok {
		c := findCommand(name)
		if c == nil || !c.takesForm {
			return false
		}
		text = arg
	}
	_, err := reader.ReadAll(&value.Source{Text: text})
	return reader.Incomplete(err)
}

// giveUp is Ctrl-C at the prompt: it drops what was typed. Who presses it on an
// empty line may want to leave.
func (r *repl) giveUp(dropped string) {
	if strings.TrimSpace(dropped) != "" {
		r.idle = 0
		return
	}
	if r.idle++; r.idle > 1 {
		fmt.Fprintln(r.out, "Ctrl-D or ,quit leaves")
	}
}

// handle runs a command or evaluates forms. It returns the code to exit with if
// the session ended.
func (r *repl) handle(ctx context.Context, entry string) int {
	if strings.TrimSpace(entry) == "" {
		return exitOK
	}
	r.lines.Remember(entry)
	if name, arg, ok := splitCommand(entry); ok {
		return r.runCommand(ctx, name, arg)
	}
	return r.show(ctx, r.evalEntry(entry))
}

// evalEntry evaluates what was typed. Each entry has a name of its own, by which
// later errors show where a function comes from.
func (r *repl) evalEntry(text string) evaluation {
	r.entries++
	return evalSource(fmt.Sprintf("<repl %d>", r.entries), text)
}

// show evaluates something and prints its result or its error.
func (r *repl) show(ctx context.Context, do evaluation) int {
	ctx, cancel := r.limit(ctx)
	defer cancel()
	v, err := r.evaluate(ctx, do.printing(false))
	if !v.IsNil() {
		r.keep(v)
	}
	if err == nil {
		return exitOK
	}
	code := r.fail(err)
	if !r.exited {
		r.interp.Define("*e", eval.AsError(err).Map())
	}
	return code
}

// keep makes v the last result.
func (r *repl) keep(v eval.Value) {
	r.results = [3]eval.Value{v, r.results[0], r.results[1]}
	r.bindResults()
}

func (r *repl) bindResults() {
	for i, v := range r.results {
		r.interp.Define(fmt.Sprintf("*%d", i+1), v)
	}
}

// plainLines reads lines without a terminal's help.
type plainLines struct {
	in  *input
	out *output
}

func (p *plainLines) ReadLine(prompt string) (string, error) {
	if _, err := p.out.WriteString(prompt); err != nil {
		return "", err
	}
	line, err := p.in.ReadLine()
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), err
}

func (p *plainLines) Remember(string) {}

func (p *plainLines) Close() { _, _ = p.out.WriteString("\n") }
