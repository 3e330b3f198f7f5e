package sys

import (
	"regexp"
	"strconv"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func keyBuiltins() []eval.Builtin {
	none := eval.Exactly(0)
	const reads = "reads the input"
	return []eval.Builtin{
		{Name: "io/tty-raw!", Arity: none, Fn: ioTTYRaw, NoRun: "changes the terminal",
			Doc: "(io/tty-raw!) has the terminal of the input pass on each key at once, unseen. It answers a number for io/tty-restore!, nil if there is no terminal.", Example: "(io/tty-raw!) ; => 1"},
		{Name: "io/tty-restore!", Arity: eval.Exactly(1), Fn: ioTTYRestore,
			Doc: "(io/tty-restore! n) gives the terminal back the mode it had before io/tty-raw!.", Example: "(io/tty-restore! 1) ; => nil"},
		{Name: "io/read-key", Arity: none, Fn: ioReadKey, NoRun: reads,
			Doc: "(io/read-key) waits for a key, or for something else that the terminal reports, and is a map with its :kind; nil at the end of the input.", Example: `(io/read-key) ; => {:char "a" :kind :char}`},
		{Name: "io/read-key-timeout", Arity: eval.Exactly(1), Fn: ioReadKeyTimeout, NoRun: reads,
			Doc: "(io/read-key-timeout ms) is io/read-key that gives nil after so many milliseconds.", Example: "(io/read-key-timeout 50) ; => nil"},
		{Name: "term/query-cursor-position", Arity: none, Fn: termQueryCursorPosition,
			Doc: "(term/query-cursor-position) asks the terminal where the cursor is; io/read-key gets the answer, {:kind :cpr :row :col}.", Example: "(term/query-cursor-position) ; => nil"},
		{Name: "term/cursor-position", Arity: none, Fn: termCursorPosition, NoRun: reads,
			Doc: "(term/cursor-position) is {:row :col}, where the cursor is; nil without a terminal that answers. Only in raw mode.", Example: "(term/cursor-position) ; => {:col 40 :row 12}"},
		{Name: "term/supports-kitty-keys?", Arity: none, Fn: termSupportsKittyKeys, NoRun: reads,
			Doc: "(term/supports-kitty-keys?) tells whether the terminal has the kitty keyboard protocol. Only in raw mode.", Example: "(term/supports-kitty-keys?) ; => #f"},
	}
}

// rawModes are the terminal modes to go back to, by token.
type rawModes struct {
	mu      sync.Mutex
	last    int64
	restore map[int64]func() // nil: the interpreter does not know of us
}

type rawKey struct{}

func rawModesOf(t *eval.Thread) *rawModes {
	return eval.InterpOf(t).State(rawKey{}, func() any { return &rawModes{} }).(*rawModes)
}

func ioTTYRaw(t *eval.Thread, args []Value) (Value, error) {
	in := eval.InterpOf(t)
	f := fileOf(in.Stdin())
	if f == nil || !isTerminal(in.Stdin()) {
		return value.Nil, nil
	}
	fd := int(f.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return value.Nil, ioError("io/tty-raw!", f.Name(), err)
	}
	m := rawModesOf(t)
	m.mu.Lock()
	fresh := m.restore == nil
	if fresh {
		m.restore = map[int64]func(){}
	}
	m.last++
	token := m.last
	m.restore[token] = func() { _ = term.Restore(fd, before) }
	m.mu.Unlock()
	if fresh {
		in.OnClose(m.restoreAll)
	}
	return value.Int(token), nil
}

func (m *rawModes) take(token int64) (restore func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	restore = m.restore[token]
	delete(m.restore, token)
	return restore
}

// restoreAll goes back to the mode there was before all, so that a program that
// failed leaves no raw terminal behind.
func (m *rawModes) restoreAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for token := m.last; token > 0; token-- {
		if restore := m.restore[token]; restore != nil {
			restore()
		}
	}
	m.restore, m.last = nil, 0
}

func ioTTYRestore(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	if !a.Has(0) { // what io/tty-raw! answers without a terminal
		return value.Nil, nil
	}
	token := a.Int(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if restore := rawModesOf(t).take(token); restore != nil {
		restore()
	}
	return value.Nil, nil
}

const (
	// escapeDelay is how long the rest of a sequence may take: an Escape key
	// sends the same byte as the start of one.
	escapeDelay = 50 * time.Millisecond
	answerDelay = 300 * time.Millisecond
	forever     = time.Duration(-1)
)

func ioReadKey(t *eval.Thread, args []Value) (Value, error) { return readKey(t, forever) }

func ioReadKeyTimeout(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	ms := a.Float(0)
	if !(ms >= 0) {
		a.Bad(0, "a number of milliseconds that is not negative")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return readKey(t, time.Duration(min(ms, 1e12)*float64(time.Millisecond)))
}

type positionsKey struct{}

// positions counts the cursor positions that were asked for and did not come.
func positions(t *eval.Thread) *int {
	return eval.InterpOf(t).State(positionsKey{}, func() any { return new(int) }).(*int)
}

// readKey waits so long for an event.
func readKey(t *eval.Thread, patience time.Duration) (Value, error) {
	in, asked := inputOf(t), positions(t)
	for patient := true; ; {
		if b := in.buffered(); len(b) > 0 {
			d := decoder{b: b, last: !patient || in.eof, positions: *asked > 0}
			if ev, n := d.next(); n > 0 {
				if ev.kind() == "cpr" {
					*asked--
				}
				in.skip(n)
				return ev.value(), nil
			}
			if err := t.Reserve(int64(len(b))); err != nil {
				return value.Nil, err
			}
			came, err := in.fillWithin(t, escapeDelay)
			if err != nil {
				return value.Nil, err
			}
			patient = came
			continue
		}
		if came, err := in.fillWithin(t, patience); err != nil || !came {
			return value.Nil, err
		}
	}
}

func ask(t *eval.Thread, query string) error {
	p := printed{eval.InterpOf(t).Stdout()}
	if err := p.write(t, []byte(query)); err != nil {
		return err
	}
	return p.flush(t)
}

func termQueryCursorPosition(t *eval.Thread, args []Value) (Value, error) {
	*positions(t)++
	return value.Nil, ask(t, "\x1b[6n")
}

// answer asks the terminal, takes the answer out of the input and returns the
// parts of it; nil if none comes.
func answer(t *eval.Thread, query string, shape *regexp.Regexp) ([]string, error) {
	if !isTerminal(eval.InterpOf(t).Stdin()) {
		return nil, nil
	}
	if err := ask(t, query); err != nil {
		return nil, err
	}
	in := inputOf(t)
	for {
		if at := shape.FindSubmatchIndex(in.buf); at != nil {
			parts := make([]string, len(at)/2)
			for i := range parts {
				if at[2*i] >= 0 {
					parts[i] = string(in.buf[at[2*i]:at[2*i+1]])
				}
			}
			in.cut(at[0], at[1])
			return parts, nil
		}
		if came, err := in.fillWithin(t, answerDelay); err != nil || !came {
			return nil, err
		}
	}
}

var (
	positionAnswer = regexp.MustCompile(`\x1b\[(\d{1,6});(\d{1,6})R`)
	// A terminal answers in order, and any of them the second question.
	kittyAnswer = regexp.MustCompile(`(\x1b\[\?\d*u)?\x1b\[\?[\d;]*c`)
)

func termCursorPosition(t *eval.Thread, args []Value) (Value, error) {
	parts, err := answer(t, "\x1b[6n", positionAnswer)
	if err != nil || parts == nil {
		return value.Nil, err
	}
	row, _ := strconv.Atoi(parts[1])
	column, _ := strconv.Atoi(parts[2])
	return value.Map(keyword("row"), number(row), keyword("col"), number(column)), nil
}

func termSupportsKittyKeys(t *eval.Thread, args []Value) (Value, error) {
	parts, err := answer(t, "\x1b[?u\x1b[c", kittyAnswer)
	return value.Bool(parts != nil && parts[1] != ""), err
}
