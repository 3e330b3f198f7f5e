package ai

import (
	"slices"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

func batchBuiltins() []eval.Builtin {
	const noRun = "needs a provider"
	return []eval.Builtin{
		{Name: "llm/batch", Arity: eval.Between(1, 2), Fn: llmBatch, Caps: eval.CapLLM,
			Doc: "(llm/batch prompts [{:concurrency 8 :on-item-error :progress ...}]) asks a model each prompt of a list, at most :concurrency of them at a time, and lists the " +
				"answers in the order of the prompts. The other options are those of llm/complete, for every item. When items fail the others go on; then an error is " +
				"raised with :index (the first that failed, from 0), :results (nil in place of what is missing) and :errors (maps with an :index). {:on-item-error :collect} " +
				"puts these maps among the answers instead. A budget that is spent stops the items that have not begun. A terminal shows the progress on " +
				"stderr, unless {:progress #f}.",
			NoRun: noRun},
		{Name: "llm/pmap", Arity: eval.Between(2, 3), Fn: llmPmap, Caps: eval.CapLLM,
			Doc: "(llm/pmap f items [options]) is llm/batch of the prompts (f item). An error of f fails its item alone.", NoRun: noRun},
	}
}

const (
	defaultConcurrency = 8
	maxConcurrency     = 1024
)

var batchOptions = slices.Concat(completeOptions, []string{"concurrency", "on-item-error", "progress"})

// batch is a list of calls on their way. Its fields are used under the
// interpreter's lock.
type batch struct {
	who         string
	items       []eval.Value
	fn          eval.Value   // makes the prompt of an item; undefined if items are prompts
	request     *llm.Request // of every item, without messages
	own         settings
	concurrency int
	collect     bool
	bar         *progress // nil: not shown

	next    int          // the first item that has not begun
	results []eval.Value // answers; undefined where there is none
	errs    []*eval.Error
	traces  [][]llm.Attempt
	spent   *eval.Error // ended it: no item begins any more
	fatal   error       // ended the evaluation
}

func llmBatch(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	a := eval.ArgsOf(args)
	b := &batch{who: "llm/batch", items: slices.Clone(a.Elems(0)), fn: value.Undefined}
	return b.runWith(t, &a, 1)
}

func llmPmap(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	a := eval.ArgsOf(args)
	b := &batch{who: "llm/pmap", fn: a.Func(0), items: slices.Clone(a.Elems(1))}
	return b.runWith(t, &a, 2)
}

func (b *batch) runWith(t *eval.Thread, a *eval.Args, options int) (eval.Value, error) {
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	showing, err := b.readOptions(a.Value(options))
	if err != nil {
		return value.Nil, err
	}
	if err := b.checkPrompts(); err != nil {
		return value.Nil, err
	}
	n := len(b.items)
	b.results, b.errs, b.traces = slices.Repeat([]eval.Value{value.Undefined}, n), make([]*eval.Error, n), make([][]llm.Attempt, n)
	s := stateOf(t)
	if showing {
		b.bar = s.newProgress(b.who, n)
	}
	err = b.run(t)
	s.noteBatch(b.traces)
	if err != nil {
		return value.Nil, err
	}
	return b.outcome()
}

func (b *batch) readOptions(options eval.Value) (showing bool, err error) {
	o := eval.OptionsOf(b.who, options, batchOptions...)
	b.request, b.own = readRequest(o), readSettings(o)
	n := o.Int("concurrency", defaultConcurrency)
	if n < 1 || n > maxConcurrency {
		o.Bad("concurrency", "a number of calls at a time, 1 to 1024,")
	}
	b.concurrency = int(n)
	if v, given := o.Get("on-item-error"); given {
		switch name, _ := v.KeywordName(); name {
		case "collect":
			b.collect = true
		case "raise":
		default:
			o.Bad("on-item-error", ":raise or :collect")
		}
	}
	return o.Bool("progress", true), o.Err()
}

// checkPrompts finds what is no prompt before the first request costs money.
func (b *batch) checkPrompts() error {
	if !b.fn.IsUndefined() {
		return nil
	}
	for i, item := range b.items {
		if err := readPrompt(&llm.Request{}, item); err != nil {
			e := eval.AsError(err)
			e.Fields = append(e.Fields, keyword("index"), value.Int(int64(i)))
			e.Note = "it is the prompt at index " + value.Int(int64(i)).String()
			return e
		}
	}
	return nil
}

// run has workers take item after item. Each item runs on a thread of its own,
// in the caller's scope.
func (b *batch) run(t *eval.Thread) error {
	err := inThreads(t, min(b.concurrency, len(b.items)), b.bar, b.step)
	if b.fatal != nil {
		return b.fatal
	}
	return err
}

// step runs the next item and reports whether there was one. Its error ends the
// evaluation.
func (b *batch) step(t *eval.Thread) (again bool, err error) {
	if b.next == len(b.items) || b.spent != nil || b.fatal != nil {
		return false, nil
	}
	i := b.next
	b.next++
	answer, err := b.ask(t, i)
	if err == nil {
		b.results[i] = value.String(answer)
	} else {
		b.fail(i, eval.AsError(err))
	}
	b.bar.done(err != nil)
	return true, b.fatal
}

func (b *batch) ask(t *eval.Thread, i int) (string, error) {
	prompt := b.items[i]
	if !b.fn.IsUndefined() {
		var err error
		if prompt, err = t.Call(b.fn, prompt); err != nil {
			return "", err
		}
	}
	req := *b.request
	if err := readPrompt(&req, prompt); err != nil {
		return "", err
	}
	s := stateOf(t)
	s.trace = nil // a call that is refused leaves the trace alone
	reply, err := complete(t, &req, b.own)
	b.traces[i] = s.trace
	if err != nil {
		return "", err
	}
	return reply.Text, nil
}

// fail keeps the failure of an item. What no program may catch ends the rest at
// once; a budget that is spent lets those on their way come home.
func (b *batch) fail(i int, err *eval.Error) {
	b.errs[i] = err
	switch {
	case err.Fatal() && b.fatal == nil:
		b.fatal = err
	case isBudget(err) && b.spent == nil:
		b.spent = err
	}
}

// noteBatch makes the attempts of all items the trace, item by item.
func (s *state) noteBatch(traces [][]llm.Attempt) { s.trace = slices.Concat(traces...) }
