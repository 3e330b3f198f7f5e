package core

import (
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func higherOrderBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "map", Aliases: []string{"mapcar"}, Arity: eval.AtLeast(2), Fn: map_,
			Doc:     "(map f seq ...) lists the results of f for each element; of several sequences, up to the shortest.",
			Example: "(map (fn (x) (* x x)) '(1 2 3)) ; => (1 4 9)\n(map + '(1 2) [10 20 30]) ; => (11 22)"},
		{Name: "map-indexed", Arity: eval.Exactly(2), Fn: mapIndexed,
			Doc: "(map-indexed f seq) lists the results of (f index element).", Example: "(map-indexed list '(a b)) ; => ((0 a) (1 b))"},
		{Name: "for-each", Arity: eval.AtLeast(2), Fn: forEach,
			Doc: "(for-each f seq ...) calls f like map, for its effects, and is nil.", Example: "(for-each (fn (x) x) '(1 2)) ; => nil"},
		{Name: "flat-map", Arity: eval.Exactly(2), Fn: flatMap,
			Doc:     "(flat-map f seq) joins the lists that f returns; any other result counts as one element.",
			Example: "(flat-map (fn (x) (list x (- x))) '(1 2)) ; => (1 -1 2 -2)"},
		{Name: "filter", Arity: eval.Exactly(2), Fn: filter,
			Doc: "(filter pred seq) lists the elements that pred is true of.", Example: "(filter even? '(1 2 3 4)) ; => (2 4)"},
		{Name: "list/reject", Arity: eval.Exactly(2), Fn: listReject,
			Doc: "(list/reject pred seq) lists the elements that pred is false of.", Example: "(list/reject even? '(1 2 3)) ; => (1 3)"},
		{Name: "partition", Arity: eval.Exactly(2), Fn: partition,
			Doc: "(partition pred seq) lists what filter keeps and what it drops, as two lists.", Example: "(partition even? '(1 2 3)) ; => ((2) (1 3))"},
		{Name: "foldl", Aliases: []string{"fold"}, Arity: eval.Exactly(3), Fn: foldl,
			Doc:     "(foldl f init seq) calls (f acc element) from the left, starting with init.",
			Example: "(foldl - 10 '(1 2)) ; => 7\n(foldl (fn (acc x) (cons x acc)) '() '(1 2)) ; => (2 1)"},
		{Name: "foldr", Arity: eval.Exactly(3), Fn: foldr,
			Doc: "(foldr f init seq) calls (f element acc) from the right, starting with init.", Example: "(foldr cons '() '(1 2)) ; => (1 2)\n(foldr - 0 '(1 2 3)) ; => 2"},
		{Name: "reduce", Arity: eval.Exactly(2), Fn: reduce,
			Doc: "(reduce f seq) is foldl that starts with the first element.", Example: "(reduce max '(3 9 4)) ; => 9"},
		{Name: "any", Aliases: []string{"any?", "some?"}, Arity: eval.Exactly(2), Fn: any_,
			Doc: "(any pred seq) is #t if pred is true of an element.", Example: "(any even? '(1 2)) ; => #t\n(any even? '()) ; => #f"},
		{Name: "every", Aliases: []string{"every?"}, Arity: eval.Exactly(2), Fn: every,
			Doc: "(every pred seq) is #t if pred is true of all elements.", Example: "(every even? '(2 3)) ; => #f\n(every even? '()) ; => #t"},
		{Name: "list/find", Arity: eval.Exactly(2), Fn: listFind,
			Doc: "(list/find pred seq) is the first element that pred is true of, or nil.", Example: "(list/find even? '(1 4 6)) ; => 4"},
		{Name: "list/sole", Arity: eval.Exactly(2), Fn: listSole,
			Doc: "(list/sole pred seq) is the only element that pred is true of; none or several are an error.", Example: "(list/sole even? '(1 2 3)) ; => 2"},
		{Name: "take-while", Aliases: []string{"list/take-while"}, Arity: eval.Exactly(2), Fn: takeWhile,
			Doc: "(take-while pred seq) lists the elements before the first that pred is false of.", Example: "(take-while even? '(2 4 5 6)) ; => (2 4)"},
		{Name: "drop-while", Aliases: []string{"list/drop-while"}, Arity: eval.Exactly(2), Fn: dropWhile,
			Doc: "(drop-while pred seq) lists the elements from the first that pred is false of on.", Example: "(drop-while even? '(2 4 5 6)) ; => (5 6)"},
		{Name: "list/times", Arity: eval.Exactly(2), Fn: listTimes,
			Doc: "(list/times n f) lists the results of f for 0 to n-1.", Example: "(list/times 3 (fn (i) (* i i))) ; => (0 1 4)"},
		{Name: "tap", Arity: eval.Exactly(2), Fn: tap,
			Doc: "(tap x f) calls (f x) for its effect and is x.", Example: "(tap 42 (fn (x) nil)) ; => 42"},
	}
}

// calling calls fn with every element of seq and gives body both, until body
// says that it has enough.
func calling(t *eval.Thread, fn, seq Value, body func(x, result Value) (more bool)) error {
	c := t.Caller(fn, 1)
	defer c.Done()
	for x := range seq.Elems() {
		if err := t.Tick(1); err != nil {
			return err
		}
		r, err := c.Call1(x)
		if err != nil {
			return err
		}
		if !body(x, r) {
			return nil
		}
	}
	return nil
}

// fnAndSeq reads (f fn seq).
func fnAndSeq(args []Value) (fn, seq Value, err error) {
	a := eval.ArgsOf(args)
	fn, seq = a.Func(0), a.Seq(1)
	return fn, seq, a.Err()
}

func map_(t *eval.Thread, args []Value) (Value, error) {
	if len(args) > 2 {
		elems, err := mapRows(t, args)
		return t.Heap().List(elems), err
	}
	fn, seq, err := fnAndSeq(args)
	if err != nil {
		return value.Nil, err
	}
	elems := make([]Value, 0, seq.Len())
	err = calling(t, fn, seq, func(_, r Value) bool {
		elems = append(elems, r)
		return true
	})
	return t.Heap().List(elems), err
}

// mapRows calls a function with one element of each of several sequences.
func mapRows(t *eval.Thread, args []Value) ([]Value, error) {
	a := eval.ArgsOf(args)
	fn := a.Func(0)
	seqs, n := rows(&a, 1)
	if err := a.Err(); err != nil {
		return nil, err
	}
	elems := make([]Value, 0, n)
	var group []Value
	for i := range n {
		if err := t.Tick(1); err != nil {
			return nil, err
		}
		group = column(group[:0], seqs, i)
		r, err := t.Call(fn, group...)
		if err != nil {
			return nil, err
		}
		elems = append(elems, r)
	}
	return elems, nil
}

func mapIndexed(t *eval.Thread, args []Value) (Value, error) {
	fn, seq, err := fnAndSeq(args)
	if err != nil {
		return value.Nil, err
	}
	c := t.Caller(fn, 2)
	defer c.Done()
	elems := make([]Value, 0, seq.Len())
	for x := range seq.Elems() {
		if err := t.Tick(1); err != nil {
			return value.Nil, err
		}
		r, err := c.Call2(value.Int(int64(len(elems))), x)
		if err != nil {
			return value.Nil, err
		}
		elems = append(elems, r)
	}
	return t.Heap().List(elems), nil
}

func forEach(t *eval.Thread, args []Value) (Value, error) {
	if len(args) > 2 {
		_, err := mapRows(t, args)
		return value.Nil, err
	}
	fn, seq, err := fnAndSeq(args)
	if err != nil {
		return value.Nil, err
	}
	return value.Nil, calling(t, fn, seq, func(_, _ Value) bool { return true })
}

func flatMap(t *eval.Thread, args []Value) (Value, error) {
	fn, seq, err := fnAndSeq(args)
	if err != nil {
		return value.Nil, err
	}
	var elems []Value
	var tooLarge error
	err = calling(t, fn, seq, func(_, r Value) bool {
		if !r.IsSeq() {
			elems = append(elems, r)
			return true
		}
		tooLarge = reserve(t, int64(len(elems)+r.Len()), valueSize)
		if tooLarge == nil {
			elems = r.AppendTo(elems)
		}
		return tooLarge == nil
	})
	if err == nil {
		err = tooLarge
	}
	return t.Heap().List(elems), err
}

// choose lists the elements by what pred says of them.
func choose(t *eval.Thread, args []Value) (yes, no []Value, err error) {
	pred, seq, err := fnAndSeq(args)
	if err != nil {
		return nil, nil, err
	}
	err = calling(t, pred, seq, func(x, r Value) bool {
		if r.Truthy() {
			yes = append(yes, x)
		} else {
			no = append(no, x)
		}
		return true
	})
	return yes, no, err
}

func filter(t *eval.Thread, args []Value) (Value, error) {
	yes, _, err := choose(t, args)
	return t.Heap().List(yes), err
}

func listReject(t *eval.Thread, args []Value) (Value, error) {
	_, no, err := choose(t, args)
	return t.Heap().List(no), err
}

func partition(t *eval.Thread, args []Value) (Value, error) {
	yes, no, err := choose(t, args)
	return t.Heap().List([]Value{t.Heap().List(yes), t.Heap().List(no)}), err
}

func foldl(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	fn, acc, seq := a.Func(0), a.Value(1), a.Seq(2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return foldFrom(t, fn, acc, seq)
}

func foldFrom(t *eval.Thread, fn, acc, seq Value) (Value, error) {
	c := t.Caller(fn, 2)
	defer c.Done()
	it := seq.Iter()
	for it.Next() {
		err := t.Tick(1)
		if err == nil {
			acc, err = c.Call2(acc, it.Value())
		}
		if err != nil {
			return value.Nil, err
		}
	}
	return acc, nil
}

func foldr(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	fn, acc, elems := a.Func(0), a.Value(1), a.Elems(2)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	c := t.Caller(fn, 2)
	defer c.Done()
	for i := len(elems) - 1; i >= 0; i-- {
		err := t.Tick(1)
		if err == nil {
			acc, err = c.Call2(elems[i], acc)
		}
		if err != nil {
			return value.Nil, err
		}
	}
	return acc, nil
}

func reduce(t *eval.Thread, args []Value) (Value, error) {
	fn, seq, err := fnAndSeq(args)
	switch {
	case err != nil:
		return value.Nil, err
	case seq.Len() == 0:
		return value.Nil, emptyOf("reduce")
	case seq.IsVector():
		elems := seq.Slice()
		return foldFrom(t, fn, elems[0], value.Vector(elems[1:]))
	}
	return foldFrom(t, fn, seq.First(), seq.Rest())
}

// search finds the first element that pred is true of, or false of.
func search(t *eval.Thread, args []Value, wanted bool) (found Value, index int, ok bool, err error) {
	pred, seq, err := fnAndSeq(args)
	if err != nil {
		return value.Nil, 0, false, err
	}
	err = calling(t, pred, seq, func(x, r Value) bool {
		if r.Truthy() == wanted {
			found, ok = x, true
			return false
		}
		index++
		return true
	})
	return found, index, ok && err == nil, err
}

func any_(t *eval.Thread, args []Value) (Value, error) {
	_, _, ok, err := search(t, args, true)
	return value.Bool(ok), err
}

func every(t *eval.Thread, args []Value) (Value, error) {
	_, _, ok, err := search(t, args, false)
	return value.Bool(!ok), err
}

func listFind(t *eval.Thread, args []Value) (Value, error) {
	x, _, ok, err := search(t, args, true)
	if !ok {
		return value.Nil, err
	}
	return x, nil
}

func listSole(t *eval.Thread, args []Value) (Value, error) {
	yes, _, err := choose(t, args)
	if err != nil {
		return value.Nil, err
	}
	if len(yes) != 1 {
		return value.Nil, eval.Errorf(eval.KindEval, "list/sole: expected exactly one matching element, got %d", len(yes))
	}
	return yes[0], nil
}

func takeWhile(t *eval.Thread, args []Value) (Value, error) {
	_, i, _, err := search(t, args, false)
	if err != nil {
		return value.Nil, err
	}
	a := eval.ArgsOf(args)
	return part(t, a.Seq(1), 0, i)
}

func dropWhile(t *eval.Thread, args []Value) (Value, error) {
	_, i, _, err := search(t, args, false)
	if err != nil {
		return value.Nil, err
	}
	a := eval.ArgsOf(args)
	seq := a.Seq(1)
	return part(t, seq, i, seq.Len())
}

func listTimes(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	n, fn := a.Size(0), a.Func(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	if err := reserve(t, int64(n), valueSize); err != nil {
		return value.Nil, err
	}
	c := t.Caller(fn, 1)
	defer c.Done()
	elems := make([]Value, n)
	for i := range elems {
		err := t.Tick(1)
		if err == nil {
			elems[i], err = c.Call1(value.Int(int64(i)))
		}
		if err != nil {
			return value.Nil, err
		}
	}
	return t.Heap().List(elems), nil
}

func tap(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	fn := a.Func(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	_, err := t.Call(fn, args[0])
	return args[0], err
}
