package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gosema/gosema/eval"
)

// command is one entry of the table of ,commands.
type command struct {
	name      string
	arg       string // what it takes, for help
	takesForm bool   // its argument may go over several lines
	help      string
	run       func(ctx context.Context, r *repl, arg string) int
}

// commands is a function since help lists the table it is in.
func commands() []command {
	return []command{
		{"help", "", false, "show this help", showHelp},
		{"quit", "", false, "leave; so does Ctrl-D", quit},
		{"doc", "NAME", false, "tell what NAME does", showDoc},
		{"apropos", "TEXT", false, "list names with TEXT in them", apropos},
		{"time", "EXPR", true, "evaluate EXPR and tell how long it took", timeForm},
		{"load", "FILE", false, "evaluate a file", loadCommand},
		{"env", "", false, "list what you defined", showEnv},
	}
}

// splitCommand splits ",name argument". A line that starts with a comma is
// nothing else: an unquoted form makes no sense outside a quasiquote.
func splitCommand(text string) (name, arg string, ok bool) {
	text, ok = strings.CutPrefix(strings.TrimSpace(text), ",")
	if !ok {
		return "", "", false
	}
	if i := strings.IndexAny(text, " \t\n"); i >= 0 {
		return text[:i], strings.TrimSpace(text[i:]), true
	}
	return text, "", true
}

// findCommand finds a command by its name or by the start of only one's.
func findCommand(name string) *command {
	var found []command
	for _, c := range commands() {
		if c.name == name {
			return &c
		}
		if name != "" && strings.HasPrefix(c.name, name) {
			found = append(found, c)
		}
	}
	if len(found) == 1 {
		return &found[0]
	}
	return nil
}

func (r *repl) runCommand(ctx context.Context, name, arg string) int {
	c := findCommand(name)
	switch {
	case c == nil:
		fmt.Fprintf(r.err, "unknown command ,%s\n%s\n", name, "hint: ,help lists the commands")
	case c.arg != "" && arg == "":
		fmt.Fprintf(r.err, "usage: ,%s %s\n", c.name, c.arg)
	default:
		return c.run(ctx, r, arg)
	}
	return exitError
}

func showHelp(_ context.Context, r *repl, _ string) int {
	for _, c := range commands() {
		fmt.Fprintf(r.out, "  %-14s %s\n", strings.TrimSpace(","+c.name+" "+c.arg), c.help)
	}
	fmt.Fprint(r.out, "Forms may go over several lines. *1 *2 *3 are the last results, *e is the last error.\n"+
		"Tab completes names; Ctrl-C stops an evaluation.\n")
	return exitOK
}

func quit(_ context.Context, r *repl, _ string) int {
	r.exited = true
	return exitOK
}

func timeForm(ctx context.Context, r *repl, form string) int {
	do := r.evalEntry(form)
	return r.show(ctx, func(ctx context.Context, s *session) (eval.Value, error) {
		start := time.Now()
		v, err := do(ctx, s)
		fmt.Fprintf(r.out, "%s\n", roundDuration(time.Since(start)))
		return v, err
	})
}

// roundDuration leaves three digits or so: more would be noise.
func roundDuration(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}

func loadCommand(ctx context.Context, r *repl, path string) int {
	return r.show(ctx, evalFile(strings.Trim(path, `"`)))
}

// showDoc tells what is known of a name.
func showDoc(_ context.Context, r *repl, name string) int {
	text, ok := r.doc(name)
	if !ok {
		fmt.Fprintf(r.err, "nothing is called %s\n", name)
		if near := eval.Nearest(name, r.completions()); near != "" {
			fmt.Fprintf(r.err, "hint: did you mean %s?\n", near)
		}
		return exitError
	}
	fmt.Fprintln(r.out, text)
	return exitOK
}

// doc is the documentation of a name. What the user defined hides what the
// language has, but for special forms.
func (r *repl) doc(name string) (string, bool) {
	for _, f := range eval.Forms() {
		if f.Name == name {
			return fmt.Sprintf("%s\n  special form: %s", f.Shape, f.Doc), true
		}
	}
	v, bound := r.interp.Global(name)
	if !bound {
		return "", false
	}
	b, known := r.interp.Library().Lookup(name)
	if !known || !v.IsBuiltin() {
		return fmt.Sprintf("%s is %s", name, eval.Brief(v)), true
	}
	return strings.TrimRight(b.Doc+"\n  "+strings.ReplaceAll(b.Example, "\n", "\n  "), "\n "), true
}

func apropos(_ context.Context, r *repl, text string) int {
	shown := 0
	for _, n := range r.completions() {
		if !strings.Contains(n, text) || strings.HasPrefix(n, ",") {
			continue
		}
		doc, _ := r.doc(n)
		first, _, _ := strings.Cut(doc, "\n")
		fmt.Fprintf(r.out, "  %-24s %s\n", n, first)
		shown++
	}
	if shown == 0 {
		fmt.Fprintf(r.out, "no name contains %s\n", text)
	}
	return exitOK
}

// showEnv lists the names whose values are not those the session started with.
func showEnv(_ context.Context, r *repl, _ string) int {
	for _, n := range r.interp.Names() {
		v, _ := r.interp.Global(n)
		if first, ok := r.initial[n]; ok && v == first || isResult(n) {
			continue
		}
		fmt.Fprintf(r.out, "  %-24s %s\n", n, eval.Brief(v))
	}
	return exitOK
}

// bindings are the names that have a value, and their values.
func (s *session) bindings() map[string]eval.Value {
	all := map[string]eval.Value{}
	for _, n := range s.interp.Names() {
		all[n], _ = s.interp.Global(n)
	}
	return all
}

// isResult reports whether the REPL itself bound name.
func isResult(name string) bool {
	return name == "*1" || name == "*2" || name == "*3" || name == "*e"
}
