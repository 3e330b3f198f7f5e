package main

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
)

// options are what the command line asks for.
type options struct {
	programs    []program // in the order to run them
	args        []string  // what follows the file, a leading -- included
	interactive bool
	quiet       bool
	noLLM       bool
	chat        chatChoice
	deny        eval.Caps
	timeout     time.Duration
	help        bool
	version     bool
}

// chatChoice is the provider and the model that calls ask by default; "" leaves
// them to the environment.
type chatChoice struct{ provider, model string }

// program is one thing to evaluate.
type program struct {
	kind programKind
	text string // the expression, or the path of a file
}

type programKind int

const (
	loadFile programKind = iota // before all others
	evalText                    // prints its result unless that is nil
	printText
	runFile
	runStdin
)

// flag is one entry of the table of flags.
type flag struct {
	short string
	long  string
	value string // what its value is, for messages; "" if it takes none
	help  string
	set   func(o *options, value string) error
}

func flags() []flag {
	return []flag{
		{"-e", "--eval", "EXPR", "evaluate EXPR and print the result unless it is nil", func(o *options, v string) error {
			return o.add(evalText, v)
		}},
		{"-p", "--print", "EXPR", "evaluate EXPR and print the result", func(o *options, v string) error {
			return o.add(printText, v)
		}},
		{"-l", "--load", "FILE", "evaluate FILE first", func(o *options, v string) error { return o.add(loadFile, v) }},
		{"-i", "--interactive", "", "start the REPL afterwards", func(o *options, _ string) error {
			o.interactive = true
			return nil
		}},
		{"-q", "--quiet", "", "do not greet in the REPL", func(o *options, _ string) error {
			o.quiet = true
			return nil
		}},
		{"", "--no-llm", "", "set up no LLM provider from the environment", func(o *options, _ string) error {
			o.noLLM = true
			return nil
		}},
		{"", "--chat-provider", "NAME", "ask this provider by default, whatever SEMA_CHAT_PROVIDER says", func(o *options, v string) error {
			o.chat.provider = v
			return nil
		}},
		{"", "--chat-model", "MODEL", "ask this model of it by default, whatever SEMA_CHAT_MODEL says", func(o *options, v string) error {
			o.chat.model = v
			return nil
		}},
		{"", "--sandbox", "MODE", "deny capabilities: strict, all, or no-shell,no-network,...", setSandbox},
		{"", "--timeout", "TIME", "stop the program, or one evaluation of the REPL, after TIME (500ms, 10s, 2m)", setTimeout},
		{"-V", "--version", "", "print the version", func(o *options, _ string) error {
			o.version = true
			return nil
		}},
		{"-h", "--help", "", "print this help", func(o *options, _ string) error {
			o.help = true
			return nil
		}},
	}
}

func (o *options) add(kind programKind, text string) error {
	o.programs = append(o.programs, program{kind, text})
	return nil
}

func setSandbox(o *options, mode string) error {
	caps, err := parseSandbox(mode)
	o.deny |= caps
	return err
}

func setTimeout(o *options, text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is not a time such as 500ms, 10s or 2m", text)
	}
	o.timeout = d
	return nil
}

// parseFlags reads a command line. Flags end at the file, which the program's
// own arguments follow, or at --.
func parseFlags(args []string) (*options, error) {
	o := &options{}
	for len(args) > 0 {
		arg := args[0]
		if arg == "--" || arg == "-" || !strings.HasPrefix(arg, "-") {
			break
		}
		rest, err := o.parseFlag(arg, args[1:])
		if err != nil {
			return nil, err
		}
		args = rest
	}
	o.setOperands(args)
	return o, nil
}

// setOperands takes what follows the flags: the file, unless -e or -p are the
// program, and the program's arguments, which one -- may set apart. It stays
// among them: programs look for it.
func (o *options) setOperands(args []string) {
	if len(args) > 0 && args[0] != "--" && !o.has(evalText, printText) {
		p := program{runFile, args[0]}
		if args[0] == "-" {
			p = program{kind: runStdin}
		}
		o.programs = append(o.programs, p)
		args = args[1:]
	}
	o.args = args
}

func (o *options) has(kinds ...programKind) bool {
	for _, p := range o.programs {
		for _, k := range kinds {
			if p.kind == k {
				return true
			}
		}
	}
	return false
}

// parseFlag reads one argument with flags, and the value after it if it needs
// one. It returns the arguments that are left.
func (o *options) parseFlag(arg string, rest []string) ([]string, error) {
	if strings.HasPrefix(arg, "--") {
		name, value, given := strings.Cut(arg, "=")
		return o.setFlag(name, value, given, rest)
	}
	for letters := arg[1:]; letters != ""; { // -qi is -q -i, and -e1 is -e 1
		_, size := utf8.DecodeRuneInString(letters)
		name := "-" + letters[:size]
		letters = letters[size:]
		if f := findFlag(name); f != nil && f.value == "" {
			if err := f.set(o, ""); err != nil {
				return nil, err
			}
			continue
		}
		return o.setFlag(name, letters, letters != "", rest)
	}
	return rest, nil
}

func (o *options) setFlag(name, value string, given bool, rest []string) ([]string, error) {
	f := findFlag(name)
	switch {
	case f == nil:
		return nil, unknownFlag(name)
	case f.value == "" && given:
		return nil, fmt.Errorf("%s takes no value", name)
	case f.value != "" && !given:
		if len(rest) == 0 {
			return nil, fmt.Errorf("%s needs a value: %s %s", name, name, f.value)
		}
		value, rest = rest[0], rest[1:]
	}
	if err := f.set(o, value); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rest, nil
}

func findFlag(name string) *flag {
	for _, f := range flags() {
		if name == f.short || name == f.long {
			return &f
		}
	}
	return nil
}

func unknownFlag(name string) error {
	var known []string
	for _, f := range flags() {
		known = append(known, f.long)
	}
	if near := eval.Nearest(name, known); near != "" && strings.HasPrefix(name, "--") {
		return fmt.Errorf("unknown flag %s: did you mean %s?", name, near)
	}
	return fmt.Errorf("unknown flag %s", name)
}
