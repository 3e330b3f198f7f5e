package reader

import (
	"strings"
	"testing"

	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

func source(text string) *value.Source { return &value.Source{Name: "test.sema", Text: text} }

// printed reads text and prints its forms, separated by a space.
func printed(t *testing.T, text string) string {
	t.Helper()
	u, err := ReadAll(source(text))
	require.NoError(t, err, "%q", text)
	var out []string
	for _, f := range u.Forms {
		out = append(out, value.Write(f.Value))
	}
	return strings.Join(out, " ")
}

func checkPrinted(t *testing.T, cases [][2]string) {
	for _, c := range cases {
		t.Run(c[0], func(t *testing.T) { require.Equal(t, c[1], printed(t, c[0])) })
	}
}

func TestForms(t *testing.T) {
	checkPrinted(t, [][2]string{
		{"", ""},
		{"  \t\r\n\f\v\u00a0\u3000", ""},
		{"(a b)(c)", "(a b) (c)"},
		{"() [] {}", "() [] {}"},
		{"[1 (2) [3]]", "[1 (2) [3]]"},
		{"{:b 1 :a 2}", "{:a 2 :b 1}"},
		{"{:a 1 :a 2}", "{:a 2}"},
		{"{1 2 1.0 3}", "{1 2 1.0 3}"},
		{"#u8(0 255 #xff)", "#u8(0 255 255)"},
		{"#u8()", "#u8()"},
		{"#t #f #true #false true false nil null", "#t #f #t #f #t #f nil null"},
		{"#t#f", "#t #f"},
	})
}

func TestPrefixes(t *testing.T) {
	checkPrinted(t, [][2]string{
		{"'a", "(quote a)"},
		{"''a", "(quote (quote a))"},
		{"'()", "(quote ())"},
		{"`(a ,b ,@c)", "(quasiquote (a (unquote b) (unquote-splicing c)))"},
		{"@p", "(deref p)"},
		{"~@a", "~ (deref a)"},
		{"' ; comment\n a", "(quote a)"},
		{"'#;a b", "(quote b)"},
		{"{:a 1, :b 2}", "{:a 1 (unquote :b) 2}"},
		{"a'b", "a (quote b)"},
	})
}

func TestDottedPairs(t *testing.T) {
	checkPrinted(t, [][2]string{
		{"(a . b)", "(a . b)"},
		{"(a b . (c))", "(a b . (c))"},
		{"(a .(b))", "(a . (b))"},
		{`(a ."b")`, `(a . "b")`},
		{"(a . b #;c ; d\n)", "(a . b)"},
		{"(. a)", "(. a)"},
		{"(a .b a.b ... ..)", "(a .b a.b ... ..)"},
	})
	u, err := ReadAll(source("(a . b)"))
	require.NoError(t, err)
	require.Equal(t, 3, u.Forms[0].Value.Len())
	require.True(t, u.Forms[0].Value.Nth(1).IsSymbolNamed("."))
}

func TestSymbolsAndKeywords(t *testing.T) {
	checkPrinted(t, [][2]string{
		{"+ - * / ! ? < > = _ & % ^ ~ -> ->> a->b", "+ - * / ! ? < > = _ & % ^ ~ -> ->> a->b"},
		{"string/to-number nil? set! *x* a.b a1 -a1 --1 +5 .5 +inf.0", "string/to-number nil? set! *x* a.b a1 -a1 --1 +5 .5 +inf.0"},
		{"x# x#y x##", "x# x#y x##"},
		{"λ über 日本 ⅷ a\u0345b", "λ über 日本 ⅷ a\u0345b"},
		{":a :a/b :1 :1.5 :λ :a# :true", ":a :a/b :1 :1.5 :λ :a# :true"},
		{":a:b a:b", ":a :b a :b"},
		{`a"b":c"d"`, `a "b" :c "d"`},
		{"f ff ff\"a\"", `f ff ff "a"`},
		{"%1 % %&", "%1 % %&"},
	})
}

func TestComments(t *testing.T) {
	checkPrinted(t, [][2]string{
		{"a ; b\nc;d", "a c"},
		{"; only", ""},
		{"#;a b", "b"},
		{"#;(a b) c", "c"},
		{"#;#;a b c", "c"},
		{"(a #;b)", "(a)"},
		{"[#;'x 1] {:a #;0 1}", "[1] {:a 1}"},
		{"#| a |# b", "b"},
		{"#| a #| b |# c |# d", "d"},
		{"#||# #|||# #|#|#||#|#|# a", "a"},
		{"1#|x|#2", "1 2"},
		{"#|\n\"|#", ""},
		{"#!/usr/bin/env gosema\na", "a"},
		{"#!shebang", ""},
		{"\ufeffa", "a"},
		{"\ufeff#!x\na", "a"},
	})
}

func TestChars(t *testing.T) {
	checkPrinted(t, [][2]string{
		{`#\a #\A #\1 #\( #\) #\; #\" #\\ #\' #\#`, `#\a #\A #\1 #\( #\) #\; #\" #\\ #\' #\#`},
		{`#\space #\newline #\tab #\return #\nul`, `#\space #\newline #\tab #\return #\nul`},
		{`#\null #\escape #\esc #\delete #\rubout #\backspace #\alarm #\linefeed`, `#\nul #\escape #\escape #\delete #\delete #\backspace #\alarm #\newline`},
		{`#\ `, `#\space`},
		{"#\\\n", `#\newline`},
		{`#\x #\x41 #\x3bb #\x1F600 #\xad`, `#\x #\A #\λ #\😀 #\xad`},
		{`#\λ #\日 #\😀`, `#\λ #\日 #\😀`},
		{`#\a(b) #\a'b #\a"b" #\a:b #\12 #\1a`, `#\a (b) #\a (quote b) #\a "b" #\a :b #\1 2 #\1 a`},
		{`(#\a)`, `(#\a)`},
		{`(#\))`, `(#\))`},
	})
}

func TestStrings(t *testing.T) {
	checkPrinted(t, [][2]string{
		{`"" "a" "λ😀"`, `"" "a" "λ😀"`},
		{`"\n\t\r\\\"\0"`, `"\n\t\r\\\"\0"`},
		{`"\x41;\x041;\x3BB;"`, `"AAλ"`},
		{`"\u0041\u00e9x\U0001F600"`, `"Aéx😀"`},
		{`"\$ $ ${x}"`, `"$ $ ${x}"`},
		{`"\q\d+\a"`, `"\\q\\d+\\a"`},
		{"\"a\nb\r\nc\x00\"", `"a\nb\r\nc\0"`},
		{"\"a\\\nb\"", `"a\\\nb"`},
		{`"a""b"`, `"a" "b"`},
		{`"(;#|"`, `"(;#|"`},
		{`#"\d+" #"a\\b" #"\"" #"\\" #"${x}\n"`, `"\\d+" "a\\\\b" "\"" "\\\\" "${x}\\n"`},
		{"#\"\"", `""`},
	})
}

func TestFStrings(t *testing.T) {
	checkPrinted(t, [][2]string{
		{`f""`, `(str)`},
		{`f"a"`, `(str "a")`},
		{`f"a ${x} b"`, `(str "a " x " b")`},
		{`f"${a}${b}"`, `(str a b)`},
		{`f"${ (+ 1 2) }"`, `(str (+ 1 2))`},
		{`f"${"x"}"`, `(str "x")`},
		{`f"${(str "x" "}")}"`, `(str (str "x" "}"))`},
		{`f"${f"${x}!"}"`, `(str (str x "!"))`},
		{`f"${{:a 1}}"`, `(str {:a 1})`},
		{`f"${#\}}"`, `(str #\})`},
		{`f"${x #| } |#}"`, `(str x)`},
		{"f\"${x ; }\n}\"", `(str x)`},
		{`f"\${x} $x $ $$ {y} $"`, `(str "${x} $x $ $$ {y} $")`},
		{`f"$${x}"`, `(str "$" x)`},
		{`f"\x41;\n\q${'a}"`, `(str "A\n\\q" (quote a))`},
		{"f\"a\nb\"", `(str "a\nb")`},
	})
}

func TestShortLambdas(t *testing.T) {
	checkPrinted(t, [][2]string{
		{"#()", "(lambda () ())"},
		{"#(f)", "(lambda () (f))"},
		{"#(+ % %2)", "(lambda (%1 %2) (+ %1 %2))"},
		{"#(f %3)", "(lambda (%1 %2 %3) (f %3))"},
		{"#(% %1)", "(lambda (%1) (%1 %1))"},
		{"#(f '% [%2] {:a %3})", "(lambda (%1 %2 %3) (f (quote %1) [%2] {:a %3}))"},
		{`#(f f"${%}" "%2")`, `(lambda (%1) (f (str %1) "%2"))`},
		{"#(list #(+ %2 1))", "(lambda () (list (lambda (%1 %2) (+ %2 1))))"},
		{"#(list #(%) %2)", "(lambda (%1 %2) (list (lambda (%1) (%1)) %2))"},
		{"#(f #;%2 %)", "(lambda (%1) (f %1))"},
		{"#(f %0 %01 %a %& %1a %-1)", "(lambda () (f %0 %01 %a %& %1a %-1))"},
		{"(#(+ % 1) %)", "((lambda (%1) (+ %1 1)) %)"},
	})
}

func TestReadOne(t *testing.T) {
	f, places, err := ReadOne(source("; first\n (a) ) \""))
	require.NoError(t, err)
	require.Equal(t, "(a)", value.Write(f.Value))
	require.Equal(t, "2:2", f.Span.Start.String())
	require.Equal(t, f.Span, places.Of(f.Value).Span)
	_, _, err = ReadOne(source(" ; nothing"))
	require.EqualError(t, err, "expected a form, got the end of the text")
	require.True(t, Incomplete(err))
	_, _, err = ReadOne(source("(a"))
	require.True(t, Incomplete(err))
	_, _, err = ReadOne(source("\xff"))
	require.Error(t, err)
}
