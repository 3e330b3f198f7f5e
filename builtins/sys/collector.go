package sys

import (
	"context"
	"runtime"
	"runtime/metrics"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func collectorBuiltins() []eval.Builtin {
	const varies = "the result varies"
	return []eval.Builtin{
		{Name: "gc/collect", Arity: eval.Exactly(0), Fn: gcCollect, NoRun: varies,
			Doc: "(gc/collect) frees the memory of what is no longer used, which happens by itself, too. It answers {:candidates :traced :collected :pruned}: " +
				"the objects there were, those still in use, those freed, and 0.",
			Example: "(gc/collect) ; => {:candidates 5120 :collected 1120 :pruned 0 :traced 4000}"},
		{Name: "gc/stats", Arity: eval.Exactly(0), Fn: gcStats, NoRun: varies,
			Doc:     "(gc/stats) is what the last (gc/collect) answered, zeros before the first, and :registry-size, the number of objects there are now.",
			Example: "(gc/stats) ; => {:candidates 0 :collected 0 :pruned 0 :registry-size 5120 :traced 0}"},
		{Name: "sys/interner-stats", Arity: eval.Exactly(0), Fn: sysInternerStats, NoRun: varies,
			Doc: "(sys/interner-stats) is {:count :bytes} of the names that a program starts with. Names it makes are freed when they are no longer used.", Example: "(sys/interner-stats) ; => {:bytes 20976 :count 1311}"},
	}
}

// collection is what a garbage collection did, in objects of the whole process.
type collection struct{ before, after, freed int64 }

type collectionKey struct{}

func lastCollection(t *eval.Thread) *collection {
	return eval.InterpOf(t).State(collectionKey{}, func() any { return &collection{} }).(*collection)
}

func (c *collection) entries() []Value {
	return []Value{value.Keyword("candidates"), value.Int(c.before), value.Keyword("traced"), value.Int(c.after),
		value.Keyword("collected"), value.Int(c.freed), value.Keyword("pruned"), value.Int(0)}
}

func gcCollect(t *eval.Thread, args []Value) (Value, error) {
	c, err := wait(t, func(context.Context) (collection, error) {
		before, freedBefore := heapObjects()
		runtime.GC()
		after, freed := heapObjects()
		return collection{before, after, freed - freedBefore}, nil
	})
	if err != nil {
		return value.Nil, err
	}
	*lastCollection(t) = c
	return value.Map(c.entries()...), nil
}

func gcStats(t *eval.Thread, args []Value) (Value, error) {
	now, _ := heapObjects()
	return value.Map(append(lastCollection(t).entries(), value.Keyword("registry-size"), value.Int(now))...), nil
}

// heapObjects counts the objects in memory, and those that were ever freed.
func heapObjects() (live, freed int64) {
	s := []metrics.Sample{{Name: "/gc/heap/objects:objects"}, {Name: "/gc/heap/frees:objects"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64()), int64(s[1].Value.Uint64())
}

func sysInternerStats(t *eval.Thread, args []Value) (Value, error) {
	names := eval.InterpOf(t).Library().Names()
	size := 0
	for _, n := range names {
		size += len(n)
	}
	return value.Map(value.Keyword("count"), value.Int(int64(len(names))), value.Keyword("bytes"), value.Int(int64(size))), nil
}
