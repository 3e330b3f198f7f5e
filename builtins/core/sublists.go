package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func sublistBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "take", Arity: eval.Exactly(2), Fn: take,
			Doc: "(take n seq) lists the first n elements, or all there are.", Example: "(take 2 '(1 2 3)) ; => (1 2)\n(take 9 '(1 2)) ; => (1 2)"},
		{Name: "drop", Arity: eval.Exactly(2), Fn: drop,
			Doc: "(drop n seq) lists what follows the first n elements.", Example: "(drop 2 '(1 2 3)) ; => (3)\n(drop 9 '(1 2)) ; => ()"},
		{Name: "list/take-last", Arity: eval.Exactly(2), Fn: listTakeLast,
			Doc: "(list/take-last n seq) lists the last n elements, or all there are.", Example: "(list/take-last 2 '(1 2 3)) ; => (2 3)"},
		{Name: "list/drop-last", Arity: eval.Exactly(2), Fn: listDropLast,
			Doc: "(list/drop-last n seq) lists all but the last n elements.", Example: "(list/drop-last 2 '(1 2 3)) ; => (1)"},
		{Name: "list/split-at", Arity: eval.Exactly(2), Fn: listSplitAt,
			Doc: "(list/split-at seq i) lists the first i elements and the others, as two lists.", Example: "(list/split-at '(1 2 3) 1) ; => ((1) (2 3))"},
		{Name: "list/chunk", Arity: eval.Exactly(2), Fn: listChunk,
			Doc: "(list/chunk n seq) cuts seq into lists of n elements; the last may be shorter.", Example: "(list/chunk 2 '(1 2 3)) ; => ((1 2) (3))"},
		{Name: "list/sliding", Arity: eval.Between(2, 3), Fn: listSliding,
			Doc:     "(list/sliding seq n [step]) lists every run of n neighbours, step (1) apart.",
			Example: "(list/sliding '(1 2 3) 2) ; => ((1 2) (2 3))\n(list/sliding '(1 2 3 4 5 6) 2 3) ; => ((1 2) (4 5))"},
		{Name: "list/page", Arity: eval.Exactly(3), Fn: listPage,
			Doc: "(list/page seq page size) is one page of size elements; the first page is 1.", Example: "(list/page (range 10) 2 3) ; => (3 4 5)"},
		{Name: "list/pad", Arity: eval.Exactly(3), Fn: listPad,
			Doc: "(list/pad seq n x) appends x until there are n elements.", Example: "(list/pad '(1 2) 4 0) ; => (1 2 0 0)"},
		{Name: "list/nth-or", Arity: eval.Exactly(3), Fn: listNthOr,
			Doc: "(list/nth-or seq i default) is element i, or default if there is none.", Example: "(list/nth-or '(10 20) 9 :none) ; => :none"},
	}
}

// part lists elements start up to end of a list or vector that has them. The
// tail of a list shares its memory.
func part(t *eval.Thread, seq Value, start, end int) (Value, error) {
	if seq.IsList() {
		rest := seq.Drop(start)
		if end == seq.Len() {
			return rest, nil
		}
		elems := make([]Value, end-start)
		for i := range elems {
			elems[i] = rest.First()
			rest = rest.Rest()
		}
		return t.Heap().List(elems), t.Tick(len(elems))
	}
	return t.Heap().List(seq.Slice()[start:end]), t.Tick(end - start)
}

// countAndSeq reads (f n seq), n cut to the length of seq.
func countAndSeq(args []Value) (n int, seq Value, err error) {
	a := eval.ArgsOf(args)
	n, seq = a.Size(0), a.Seq(1)
	return min(n, seq.Len()), seq, a.Err()
}

func take(t *eval.Thread, args []Value) (Value, error) {
	n, seq, err := countAndSeq(args)
	if err != nil {
		return value.Nil, err
	}
	return part(t, seq, 0, n)
}

func drop(t *eval.Thread, args []Value) (Value, error) {
	n, seq, err := countAndSeq(args)
	if err != nil {
		return value.Nil, err
	}
	return part(t, seq, n, seq.Len())
}

func listTakeLast(t *eval.Thread, args []Value) (Value, error) {
	n, seq, err := countAndSeq(args)
	if err != nil {
		return value.Nil, err
	}
	return part(t, seq, seq.Len()-n, seq.Len())
}

func listDropLast(t *eval.Thread, args []Value) (Value, error) {
	n, seq, err := countAndSeq(args)
	if err != nil {
		return value.Nil, err
	}
	return part(t, seq, 0, seq.Len()-n)
}

func listSplitAt(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq, i := a.Seq(0), a.Size(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	i = min(i, seq.Len())
	before, err := part(t, seq, 0, i)
	if err != nil {
		return value.Nil, err
	}
	after, err := part(t, seq, i, seq.Len())
	return t.Heap().List([]Value{before, after}), err
}

// positive reads a size of at least 1.
func positive(a *eval.Args, i int) int {
	n := a.Size(i)
	if n == 0 {
		a.Bad(i, "an integer of at least 1")
	}
	return n
}

func listChunk(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	size, seq := positive(&a, 0), a.Seq(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return windows(t, seq, size, size, true)
}

func listSliding(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq, size, step := a.Seq(0), positive(&a, 1), 1
	if a.Has(2) {
		step = positive(&a, 2)
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return windows(t, seq, size, step, false)
}

// windows lists runs of size elements, step apart; partial admits a shorter
// one at the end.
func windows(t *eval.Thread, seq Value, size, step int, partial bool) (Value, error) {
	elems := seq.Slice()
	var runs []Value
	for i := 0; i < len(elems); i += step {
		end := min(i+size, len(elems))
		if end-i < size && !partial {
			break
		}
		if err := reserve(t, int64(end-i), valueSize); err != nil {
			return value.Nil, err
		}
		if err := t.Tick(end - i); err != nil {
			return value.Nil, err
		}
		runs = append(runs, t.Heap().List(elems[i:end]))
	}
	return t.Heap().List(runs), nil
}

func listPage(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq, page, size := a.Seq(0), positive(&a, 1), a.Size(2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	n := seq.Len()
	size = min(size, n)
	if size == 0 || page-1 > n/size {
		return value.Empty, nil
	}
	start := min((page-1)*size, n)
	return part(t, seq, start, min(start+size, n))
}

func listPad(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq, n := a.Seq(0), a.Size(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if n <= seq.Len() {
		return part(t, seq, 0, seq.Len())
	}
	if err := reserve(t, int64(n), valueSize); err != nil {
		return value.Nil, err
	}
	elems := seq.AppendTo(make([]Value, 0, n))
	for len(elems) < n {
		elems = append(elems, args[2])
	}
	return t.Heap().List(elems), t.Tick(n)
}

func listNthOr(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq, i := a.Seq(0), a.Size(1)
	switch {
	case a.Err() != nil:
		return value.Nil, a.Err()
	case i >= seq.Len():
		return args[2], nil
	case seq.IsVector():
		return seq.Slice()[i], nil
	}
	return seq.Nth(i), nil
}
