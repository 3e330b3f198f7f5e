package value

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type base struct {
	ID   int
	Note string `sema:"remark,omitempty"`
}

type level int8

type server struct {
	base
	Host     string
	HTTPPort uint16
	Tags     []string          `json:"tags"`
	Env      map[string]string `json:"env,omitempty"`
	Secret   string            `json:"-"`
	Next     *server
	Level    level
	hidden   int
}

func TestFrom(t *testing.T) {
	i := 7
	pi := &i
	for _, c := range []struct {
		in   any
		want string
	}{
		{nil, "nil"}, {true, "#t"}, {int8(-3), "-3"}, {uint64(math.MaxUint64), "18446744073709551615"}, {'a', "97"},
		{float32(0.5), "0.5"}, {"a\"b", `"a\"b"`}, {[]byte{1, 2}, "#u8(1 2)"}, {[2]byte{3, 4}, "#u8(3 4)"},
		{json.Number("123456789012345678901234567890"), "123456789012345678901234567890"}, {json.Number("1.5"), "1.5"},
		{big.NewInt(5), "5"}, {*new(big.Int).Lsh(big.NewInt(1), 70), "1180591620717411303424"}, {big.NewRat(2, 4), "1/2"},
		{big.NewFloat(0.25), "0.25"}, {1500 * time.Millisecond, "1500"}, {1500 * time.Microsecond, "1.5"},
		{time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC), `"2024-01-02T03:04:05Z"`},
		{errors.New("boom"), `"boom"`}, {[]any{1, "a", nil, []int{2}}, `(1 "a" nil (2))`}, {[]int(nil), "()"},
		{map[string]any{"b": 1, "a b": nil}, "{:a b nil :b 1}"}, {map[string]int(nil), "{}"}, {map[int]string{2: "x", 1: "y"}, `{1 "y" 2 "x"}`},
		{map[any]any{"k": 1, 2.5: 2}, "{2.5 2 :k 1}"}, {&pi, "7"}, {(*int)(nil), "nil"}, {(*big.Int)(nil), "nil"},
		{[]any{(*big.Rat)(nil), error(nil)}, "(nil nil)"}, {level(3), "3"}, {List(Int(1)), "(1)"}, {[]Value{Nil, Int(2)}, "(nil 2)"},
		{&server{base: base{ID: 1}, Host: "h", HTTPPort: 80, Secret: "s"}, `{:host "h" :http-port 80 :id 1 :level 0 :next nil :tags ()}`},
		{[]server{{base: base{Note: "n"}, Env: map[string]string{"A": "b"}, Next: &server{}}},
			`({:env {:A "b"} :host "" :http-port 0 :id 0 :level 0 :next {:host "" :http-port 0 :id 0 :level 0 :next nil :tags ()} :remark "n" :tags ()})`},
	} {
		v, err := From(c.in)
		require.NoError(t, err, "%T", c.in)
		require.Equal(t, c.want, v.String(), "%T", c.in)
	}
}

func TestFromCopies(t *testing.T) {
	b, i := []byte{1}, big.NewInt(0).Lsh(big.NewInt(1), 80)
	v, _ := From([]any{b, i})
	before := v.String()
	b[0] = 9
	i.SetInt64(0)
	require.Equal(t, before, v.String())
}

type loop struct{ Self *loop }

func TestFromErrors(t *testing.T) {
	cycle := &loop{}
	cycle.Self = cycle
	list := []any{nil}
	list[0] = list
	var self any
	self = &self
	for want, in := range map[string]any{
		"at jobs[1].run: a Go func() has no value in the language": map[string]any{"jobs": []any{1, struct{ Run func() }{func() {}}}},
		"a Go chan int has no value in the language":               make(chan int),
		`"1e999" is not a number that fits a float`:                json.Number("1e999"),
		`"x" is not a number`:                                      json.Number("x"),
		"two keys of the Go map become :a":                         map[any]int{"a": 1, level2("a"): 2},
		"nested more than 10000 deep, or a cycle":                  self,
		"at self.self.self.":                                       cycle,
		"at [0][0][0]":                                             list,
		"refused: an integer of more than 16777216 bits":           new(big.Int).Lsh(big.NewInt(1), 1<<25),
	} {
		_, err := From(in)
		require.ErrorContains(t, err, want)
		require.Less(t, len(err.Error()), 400)
	}
}

type level2 string

func TestToGo(t *testing.T) {
	rt := &RecordType{Name: "point", Fields: []string{"x", "y"}}
	v := List(Nil, True, Int(1), Big(new(big.Int).Lsh(big.NewInt(1), 64)), Float(2), Rational(big.NewRat(1, 3)), Char('é'),
		String("s"), Symbol("sym"), Keyword("kw"), Bytes([]byte{1}), Vector([]Value{Empty}),
		Map(Keyword("a"), Int(1), String("b"), Int(2)), EmptyHashMap().Assoc(Symbol("c"), Nil),
		NewRecord(rt, []Value{Int(1), Int(2)}), NewOpaque(&Opaque{Type: "t", Data: rt}))
	got, err := ToGo(v)
	require.NoError(t, err)
	require.Equal(t, []any{nil, true, int64(1), new(big.Int).Lsh(big.NewInt(1), 64), 2.0, big.NewRat(1, 3), "é",
		"s", "sym", "kw", []byte{1}, []any{[]any{}},
		map[string]any{"a": int64(1), "b": int64(2)}, map[string]any{"c": nil},
		map[string]any{"x": int64(1), "y": int64(2)}, rt}, got)
	for want, bad := range map[string]Value{
		`at a: two keys have the name "b"`:                       Map(Keyword("a"), Map(Keyword("b"), Nil, String("b"), Nil)),
		"at a: the key 1 is not a keyword, a symbol or a string": Map(Keyword("a"), Map(Int(1), Nil)),
		"at [1]: a promise has no plain Go value":                List(Nil, NewPromise(&Promise{})),
		"nested more than 10000 deep":                            nest(MaxDepth + 1),
	} {
		_, err := ToGo(bad)
		require.ErrorContains(t, err, want)
	}
}

func TestIntoFillsStructs(t *testing.T) {
	next := Map(Keyword("host"), String("n"), Keyword("unknown"), Int(1))
	v := Map(Keyword("id"), Int(4), Keyword("remark"), String("r"), String("host"), Keyword("h"), Symbol("http-port"), Int(8080),
		Keyword("tags"), Vector([]Value{String("a"), Keyword("b")}), Keyword("env"), EmptyHashMap().Assoc(Keyword("K"), String("v")),
		Keyword("secret"), String("no"), Keyword("next"), next, Keyword("level"), Int(-128))
	old := &server{Host: "old"}
	s := server{Secret: "kept", Next: old, Level: 5}
	require.NoError(t, Into(v, &s))
	require.Equal(t, server{base: base{4, "r"}, Host: "h", HTTPPort: 8080, Tags: []string{"a", "b"}, Env: map[string]string{"K": "v"},
		Secret: "kept", Next: &server{Host: "n"}, Level: -128}, s)
	require.Equal(t, "old", old.Host, "what the target shared is not written to")

	back, err := From(s)
	require.NoError(t, err)
	var again server
	require.NoError(t, Into(back, &again))
	same, err := From(again)
	require.NoError(t, err)
	require.True(t, Equal(back, same))
	require.NoError(t, Into(Map(Keyword("next"), Nil, Keyword("id"), Nil), &again))
	require.Nil(t, again.Next)
	require.Zero(t, again.ID)
}

func TestIntoScalars(t *testing.T) {
	var (
		f    float64
		u    uint64
		r    rune
		d    time.Duration
		when time.Time
		bi   *big.Int
		rat  big.Rat
		num  json.Number
		any_ any
		err_ error
		val  Value
		arr  [2]int
		raw  []byte
		ints map[int]bool
		op   *RecordType
		id   [3]byte
	)
	rt := &RecordType{Name: "r"}
	big64 := new(big.Int).SetUint64(math.MaxUint64)
	for _, c := range []struct {
		v         Value
		target    any
		want, got any
	}{
		{Int(3), &f, 3.0, &f}, {Rational(big.NewRat(1, 2)), &f, 0.5, &f}, {Float(math.Inf(1)), &f, math.Inf(1), &f},
		{Big(big64), &u, uint64(math.MaxUint64), &u}, {Char('x'), &r, 'x', &r}, {Int(65), &r, 'A', &r},
		{Int(1500), &d, 1500 * time.Millisecond, &d}, {Float(0.5), &d, 500 * time.Microsecond, &d},
		{String("2024-01-02T03:04:05Z"), &when, time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC), &when},
		{Int(9), &bi, big.NewInt(9), &bi}, {Int(2), &rat, *big.NewRat(2, 1), &rat}, {Int(2), &num, json.Number("2"), &num},
		{List(Int(1)), &any_, []any{int64(1)}, &any_}, {Nil, &any_, nil, &any_}, {Nil, &val, Nil, &val},
		{List(Int(1), Int(2)), &arr, [2]int{1, 2}, &arr}, {String("hi"), &raw, []byte("hi"), &raw}, {Bytes([]byte{5}), &raw, []byte{5}, &raw},
		{Map(Int(1), True), &ints, map[int]bool{1: true}, &ints}, {NewOpaque(&Opaque{Data: rt}), &op, rt, &op},
		{NewOpaque(&Opaque{Data: errors.ErrUnsupported}), &err_, errors.ErrUnsupported, &err_}, {Bytes([]byte{1, 2, 3}), &id, [3]byte{1, 2, 3}, &id},
	} {
		require.NoError(t, Into(c.v, c.target), "%s into %T", c.v, c.target)
		require.Equal(t, c.want, deref(c.got), "%s into %T", c.v, c.target)
	}
}

func deref(p any) any { return reflect.ValueOf(p).Elem().Interface() }

func TestIntoErrors(t *testing.T) {
	type inner struct{ Port int8 }
	type outer struct {
		Servers []inner
		M       map[string]float32
		Any     any
		When    time.Time
	}
	k := Keyword
	for want, v := range map[string]Value{
		"at servers[1].port: expected int8, got 300":                Map(k("servers"), List(Map(k("port"), Int(1)), Map(k("port"), Int(300)))),
		"at servers[0].port: expected int8, got 1.0":                Map(k("servers"), List(Map(k("port"), Float(1)))),
		`at servers: expected []value.inner, got "x"`:               Map(k("servers"), String("x")),
		"at servers[0]: expected value.inner, got 5":                Map(k("servers"), List(Int(5))),
		`at m.a: expected float32, got "` + strings.Repeat("y", 56): Map(k("m"), Map(k("a"), String(strings.Repeat("y", 1000)))),
		"at m.b: expected float32, got 1":                           Map(k("m"), Map(k("b"), Float(1e300))),
		"at m: two keys become":                                     Map(k("m"), Map(k("b"), Int(1), String("b"), Int(1))),
		"at m: expected string, got 1":                              Map(k("m"), Map(Int(1), Int(1))),
		"at any.x: a promise has no plain Go value":                 Map(k("any"), Map(k("x"), NewPromise(&Promise{}))),
		`at when: expected time.Time, got "today": parsing`:         Map(k("when"), String("today")),
		"expected value.outer, got (1)":                             List(Int(1)),
	} {
		o := outer{Servers: []inner{{Port: 9}}}
		require.ErrorContains(t, Into(v, &o), want)
		require.Equal(t, outer{Servers: []inner{{Port: 9}}}, o, "the target is as before")
	}
	require.ErrorContains(t, Into(Nil, outer{}), "the target must be a pointer")
	require.ErrorContains(t, Into(Nil, (*int)(nil)), "the target must be a pointer")
	require.ErrorContains(t, Into(Nil, nil), "the target must be a pointer")
	var u uint
	require.EqualError(t, Into(Int(-1), &u), "expected uint, got -1")
	type list []list
	var l list
	require.ErrorContains(t, Into(nest(MaxDepth+5), &l), "nested more than 10000 deep")
}

func TestKebab(t *testing.T) {
	for in, want := range map[string]string{"A": "a", "UserID": "user-id", "HTTPServer": "http-server", "MaxTokens2": "max-tokens2", "Snake_Case": "snake-case", "ÄÖ": "äö"} {
		require.Equal(t, want, kebab(in))
	}
}
