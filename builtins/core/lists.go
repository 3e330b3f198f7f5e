package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func listBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "list", Arity: eval.AtLeast(0), Fn: list,
			Doc: "(list x ...) is the list of its arguments.", Example: `(list 1 "a") ; => (1 "a")`},
		{Name: "length", Arity: eval.Exactly(1), Fn: length,
			Doc:     "(length coll) counts the elements of a list, vector, map, bytevector or array, or the characters of a string.",
			Example: "(length '(1 2 3)) ; => 3\n(length \"h\u00e9\") ; => 2"},
		{Name: "append", Arity: eval.AtLeast(0), Fn: appendLists,
			Doc: "(append seq ...) joins lists and vectors to one list.", Example: "(append '(1 2) [3] '(4)) ; => (1 2 3 4)"},
		{Name: "reverse", Arity: eval.Exactly(1), Fn: reverse,
			Doc: "(reverse seq) has the elements in reverse order; a vector stays a vector.", Example: "(reverse '(1 2 3)) ; => (3 2 1)"},
		{Name: "range", Arity: eval.Between(1, 3), Fn: range_,
			Doc:     "(range [start] end [step]) lists the integers from start (0) up to end, which is not included.",
			Example: "(range 4) ; => (0 1 2 3)\n(range 5 0 -2) ; => (5 3 1)"},
		{Name: "iota", Arity: eval.Between(1, 3), Fn: iota_,
			Doc:     "(iota count [start] [step]) lists count numbers from start (0) on, step (1) apart.",
			Example: "(iota 3 10) ; => (10 11 12)\n(iota 3 0 1/2) ; => (0 1/2 1)"},
		{Name: "list/repeat", Aliases: []string{"make-list"}, Arity: eval.Between(1, 2), Fn: listRepeat,
			Doc: "(list/repeat n x) lists x n times; without x, nil.", Example: "(list/repeat 3 0) ; => (0 0 0)"},
		{Name: "enumerate", Arity: eval.Exactly(1), Fn: enumerate,
			Doc: "(enumerate seq) pairs each element with its index.", Example: "(enumerate '(a b)) ; => ((0 a) (1 b))"},
		{Name: "zip", Arity: eval.AtLeast(2), Fn: zip,
			Doc: "(zip seq seq ...) lists the first elements, the second ones and so on, up to the shortest.", Example: "(zip '(1 2) '(a b c)) ; => ((1 a) (2 b))"},
		{Name: "list/interleave", Arity: eval.AtLeast(2), Fn: listInterleave,
			Doc: "(list/interleave seq seq ...) takes elements in turn, up to the shortest.", Example: "(list/interleave '(1 2) '(a b)) ; => (1 a 2 b)"},
		{Name: "interpose", Arity: eval.Exactly(2), Fn: interpose,
			Doc: "(interpose sep seq) puts sep between the elements.", Example: "(interpose 0 '(1 2 3)) ; => (1 0 2 0 3)"},
		{Name: "flatten", Arity: eval.Exactly(1), Fn: flatten,
			Doc: "(flatten seq) replaces the lists and vectors in seq by their elements, one level deep.", Example: "(flatten '(1 (2 (3)) [4])) ; => (1 2 (3) 4)"},
		{Name: "flatten-deep", Arity: eval.Exactly(1), Fn: flattenDeep,
			Doc: "(flatten-deep seq) replaces lists and vectors by their elements at all levels.", Example: "(flatten-deep '(1 (2 [3 ()]))) ; => (1 2 3)"},
		{Name: "list/cross-join", Arity: eval.Exactly(2), Fn: listCrossJoin,
			Doc: "(list/cross-join xs ys) lists every pair of an x and a y.", Example: "(list/cross-join '(1 2) '(a b)) ; => ((1 a) (1 b) (2 a) (2 b))"},
		{Name: "list/join", Arity: eval.Between(2, 3), Fn: listJoin,
			Doc:     "(list/join seq sep [last-sep]) joins the printed elements to a string; last-sep stands before the last one.",
			Example: `(list/join '(1 2 3) ", " " and ") ; => "1, 2 and 3"`},
	}
}

func list(t *eval.Thread, args []Value) (Value, error) { return t.Heap().List(args), nil }

func length(t *eval.Thread, args []Value) (Value, error) {
	n := args[0].Len()
	if n < 0 {
		n = arrayLen(args[0])
	}
	if n < 0 {
		e := eval.TypeError("a list, vector, string, map or bytevector", args[0])
		if args[0].IsNil() {
			e.Hint = "(count x) takes nil as empty"
		}
		return value.Nil, e
	}
	return value.Int(int64(n)), nil
}

func appendLists(t *eval.Thread, args []Value) (Value, error) {
	if len(args) == 0 {
		return value.Empty, nil
	}
	a := eval.ArgsOf(args)
	last := len(args) - 1
	n := int64(0)
	for i := range last {
		n += int64(a.Seq(i).Len())
	}
	tail := a.Seq(last)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, n, valueSize); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, 0, n)
	for i := range last {
		elems = a.Seq(i).AppendTo(elems)
	}
	if tail.IsVector() {
		tail = t.Heap().List(tail.Slice())
	}
	return t.Heap().Prepend(elems, tail), t.Tick(int(n))
}

func reverse(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	n := seq.Len()
	elems := make([]Value, n)
	for x := range seq.Elems() {
		n--
		elems[n] = x
	}
	if seq.IsVector() {
		return value.Vector(elems), t.Tick(len(elems))
	}
	return t.Heap().List(elems), t.Tick(len(elems))
}

func range_(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	start, end, step := int64(0), a.Int(0), int64(1)
	if len(args) > 1 {
		start, end = end, a.Int(1)
	}
	if len(args) > 2 {
		step = a.Int(2)
	}
	if step == 0 {
		a.Fail(eval.Errorf(eval.KindEval, "range: the step must not be 0"))
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	n := stepsBetween(start, end, step)
	if err := reserve(t, n, valueSize); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, n)
	for i := range elems {
		elems[i] = value.Int(start)
		start += step // wraps, if at all, behind the last element
	}
	return t.Heap().List(elems), t.Tick(len(elems))
}

// stepsBetween counts the numbers from start on before end. The distances are
// unsigned, since they may need 64 bits.
func stepsBetween(start, end, step int64) int64 {
	distance, stride := uint64(end)-uint64(start), uint64(step)
	if step < 0 {
		distance, stride = uint64(start)-uint64(end), -uint64(step)
	}
	if step > 0 && start >= end || step < 0 && start <= end {
		return 0
	}
	return int64(min((distance-1)/stride, 1<<62)) + 1
}

func iota_(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n, x, step := max(a.Int(0), 0), value.Int(0), value.Int(1)
	if len(args) > 1 {
		x = a.Number(1)
	}
	if len(args) > 2 {
		step = a.Number(2)
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, n, valueSize); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, n)
	for i := range elems {
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
		elems[i] = x
		x, _ = value.Add(x, step)
	}
	return t.Heap().List(elems), nil
}

func listRepeat(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n := a.Size(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, int64(n), valueSize); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, n)
	for i := range elems {
		elems[i] = a.Value(1)
	}
	return t.Heap().List(elems), t.Tick(n)
}

func enumerate(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, 0, seq.Len())
	for x := range seq.Elems() {
		elems = append(elems, t.Heap().List([]Value{value.Int(int64(len(elems))), x}))
	}
	return t.Heap().List(elems), t.Tick(len(elems))
}

// rows reads all arguments from first on as sequences, with the length of the
// shortest.
func rows(a *eval.Args, first int) (seqs [][]Value, n int) {
	for i := first; i < a.Len(); i++ {
		seqs = append(seqs, a.Elems(i))
	}
	n = len(seqs[0])
	for _, s := range seqs {
		n = min(n, len(s))
	}
	return seqs, n
}

// column copies element i of every row to dst.
func column(dst []Value, seqs [][]Value, i int) []Value {
	for _, s := range seqs {
		dst = append(dst, s[i])
	}
	return dst
}

func zip(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seqs, n := rows(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, n)
	var group []Value
	for i := range elems {
		group = column(group[:0], seqs, i)
		elems[i] = t.Heap().List(group)
	}
	return t.Heap().List(elems), t.Tick(n)
}

func listInterleave(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seqs, n := rows(&a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, 0, n*len(seqs))
	for i := range n {
		elems = column(elems, seqs, i)
	}
	return t.Heap().List(elems), t.Tick(n)
}

func interpose(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, 0, 2*seq.Len())
	for x := range seq.Elems() {
		if len(elems) > 0 {
			elems = append(elems, args[0])
		}
		elems = append(elems, x)
	}
	return t.Heap().List(elems), t.Tick(len(elems))
}

func flatten(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	var elems []Value
	for x := range seq.Elems() {
		if x.IsSeq() {
			if err := reserve(t, int64(len(elems)+x.Len()), valueSize); err != nil {
				return value.Nil, err
			}
			elems = x.AppendTo(elems)
		} else {
			elems = append(elems, x)
		}
	}
	return t.Heap().List(elems), t.Tick(len(elems))
}

func flattenDeep(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq := a.Seq(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	var elems []Value
	if err := leaves(t, seq, &elems, 0); err != nil {
		return value.Nil, err
	}
	return t.Heap().List(elems), nil
}

// leaves appends what is not a sequence. Shared sublists can make the result
// far larger than the data, hence the check.
func leaves(t *eval.Thread, seq Value, dst *[]Value, depth int) error {
	checkDepth(depth)
	for x := range seq.Elems() {
		if err := t.Tick(1); err != nil {
			return err
		}
		if x.IsSeq() {
			if err := leaves(t, x, dst, depth+1); err != nil {
				return err
			}
			continue
		}
		if len(*dst) == cap(*dst) {
			if err := reserve(t, int64(2*len(*dst)), valueSize); err != nil {
				return err
			}
		}
		*dst = append(*dst, x)
	}
	return nil
}

// checkDepth ends a walk over data nested too deeply, as package value does.
func checkDepth(depth int) {
	if depth >= value.MaxDepth {
		panic(&value.DepthError{})
	}
}

func listCrossJoin(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	xs, ys := a.Elems(0), a.Elems(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	n := int64(len(xs)) * int64(len(ys))
	if err := reserve(t, n, 4*valueSize); err != nil {
		return value.Nil, err
	}
	elems := make([]Value, 0, n)
	for _, x := range xs {
		for _, y := range ys {
			if err := t.Tick(1); err != nil {
				return value.Nil, err
			}
			elems = append(elems, t.Heap().List([]Value{x, y}))
		}
	}
	return t.Heap().List(elems), nil
}

func listJoin(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	seq, sep := a.Seq(0), a.String(1)
	lastSep := sep
	if a.Has(2) {
		lastSep = a.String(2)
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return joinTexts(t, seq, sep, lastSep)
}

// joinTexts joins what the elements display; lastSep stands before the last.
func joinTexts(t *eval.Thread, seq Value, sep, lastSep string) (Value, error) {
	b := text{t: t}
	i, last := 0, seq.Len()-1
	for x := range seq.Elems() {
		switch {
		case i == 0:
		case i == last:
			b.add(lastSep)
		default:
			b.add(sep)
		}
		if err := b.add(value.Display(x)); err != nil {
			return value.Nil, err
		}
		i++
	}
	return b.value()
}
