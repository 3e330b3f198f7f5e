package sys

import (
	"context"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func spinnerBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "term/spinner-start", Arity: eval.Exactly(1), Fn: termSpinnerStart, NoRun: "goes on by itself",
			Doc: "(term/spinner-start text) shows text with something that turns while the program waits, on the error stream if that is a terminal. It answers a number for term/spinner-stop.", Example: `(term/spinner-start "Loading") ; => 0`},
		{Name: "term/spinner-update", Arity: eval.Exactly(2), Fn: termSpinnerUpdate, NoRun: "goes on by itself",
			Doc: "(term/spinner-update id text) changes the text of a spinner.", Example: `(term/spinner-update 0 "Nearly there") ; => nil`},
		{Name: "term/spinner-stop", Arity: eval.Between(1, 2), Fn: termSpinnerStop,
			Doc: "(term/spinner-stop id [{:symbol :text}]) ends a spinner, and prints a last line in its place if there are options.", Example: `(term/spinner-stop 99) ; => nil`},
	}
}

const spinnerFrames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

const frameTime = 80 * time.Millisecond

const eraseLine = "\r\x1b[K"

// spinner is drawn under the interpreter's lock, which guards it: whoever the
// program prints to need not expect two writers at once, and what turns shows that
// the program waits.
type spinner struct {
	text string
	stop context.CancelFunc
}

// spinners are those of an interpreter that turn.
type spinners struct {
	mu   sync.Mutex // for closeAll, which has no lock
	next int64
	byID map[int64]*spinner // nil: the interpreter does not know of us
}

type spinnersKey struct{}

func spinnersOf(t *eval.Thread) *spinners {
	return eval.InterpOf(t).State(spinnersKey{}, func() any { return &spinners{} }).(*spinners)
}

func (s *spinners) add(t *eval.Thread, x *spinner) (id int64) {
	s.mu.Lock()
	fresh := s.byID == nil
	if fresh {
		s.byID = map[int64]*spinner{}
	}
	id = s.next
	s.next++
	s.byID[id] = x
	s.mu.Unlock()
	if fresh {
		eval.InterpOf(t).OnClose(s.closeAll)
	}
	return id
}

func (s *spinners) get(id int64) *spinner {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byID[id]
}

func (s *spinners) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byID)
}

func (s *spinners) remove(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, id)
}

func (s *spinners) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.byID {
		x.stop()
	}
	s.byID = nil
}

// maxSpinners bounds how many turn at a time.
const maxSpinners = 100

func termSpinnerStart(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text, all := a.String(0), spinnersOf(t)
	if all.count() >= maxSpinners {
		a.Fail(eval.Errorf(eval.KindEval, "%d spinners turn already: end some with term/spinner-stop", maxSpinners))
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	x := &spinner{oneLine(text), stop}
	if in := eval.InterpOf(t); isErrorTerminal(in) {
		go x.turn(ctx, in)
	}
	return value.Int(all.add(t, x)), nil
}

func isErrorTerminal(in *eval.Interp) bool {
	f := fileOf(in.Stderr())
	return f != nil && isTerminal(f)
}

// turn draws until ctx is done. It sees that under the lock, so that nothing is
// drawn once the spinner was stopped.
func (x *spinner) turn(ctx context.Context, in *eval.Interp) {
	tick := time.NewTicker(frameTime)
	defer tick.Stop()
	frames := []rune(spinnerFrames)
	for i := 0; ctx.Err() == nil; i++ {
		_, _ = in.Do(ctx, func(*eval.Thread) (Value, error) {
			if err := ctx.Err(); err != nil {
				return value.Nil, err
			}
			_, err := io.WriteString(in.Stderr(), eraseLine+string(frames[i%len(frames)])+" "+x.text)
			return value.Nil, err
		})
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

func oneLine(s string) string { return strings.Join(strings.FieldsFunc(s, isLineEnd), " ") }

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' }

func termSpinnerUpdate(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	id, text := a.Int(0), a.String(1)
	if x := spinnersOf(t).get(id); x != nil && a.Err() == nil {
		x.text = oneLine(text)
	}
	return value.Nil, a.Err()
}

func termSpinnerStop(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	id := a.Int(0)
	o := eval.OptionsOf("term/spinner-stop", a.Value(1), "symbol", "text")
	symbol, text := o.String("symbol", ""), o.String("text", "")
	a.Fail(o.Err())
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	x, out := spinnersOf(t).get(id), ""
	if x != nil {
		x.stop()
		spinnersOf(t).remove(id)
		if isErrorTerminal(eval.InterpOf(t)) {
			out = eraseLine
		}
		if last := strings.TrimSpace(symbol + " " + text); last != "" {
			out += last + "\n"
		}
	}
	if _, err := io.WriteString(eval.InterpOf(t).Stderr(), out); err != nil {
		return value.Nil, printError(err)
	}
	return value.Nil, nil
}
