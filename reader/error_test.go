package reader

import (
	"errors"
	"strings"
	"testing"

	"github.com/gosema/gosema/eval/value"
	"github.com/stretchr/testify/require"
)

// The mark ‹› encloses the token that the error must point at.
type errorCase struct{ text, message, hint string }

func readError(t *testing.T, text string) *Error {
	t.Helper()
	u, err := ReadAll(source(text))
	require.Error(t, err, "%q", text)
	require.Nil(t, u)
	var e *Error
	require.True(t, errors.As(err, &e))
	return e
}

func checkErrors(t *testing.T, cases []errorCase) {
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			text, want := marked(t, c.text)
			e := readError(t, text)
			require.Equal(t, c.message, e.Error())
			require.Equal(t, want, e.Span)
			require.Contains(t, e.Hint, c.hint)
			require.Equal(t, strings.Contains(c.message, endOfText), e.Incomplete)
			require.Equal(t, text, e.Source.Text)
		})
	}
}

func TestBracketErrors(t *testing.T) {
	checkErrors(t, []errorCase{
		{"(a\n (b‹›", "expected ) to close the ( opened at 2:2, got the end of the text", ""},
		{"(a ; )‹›\n\n", "expected ) to close the ( opened at 1:1, got the end of the text", ""},
		{"[a‹›", "expected ] to close the [ opened at 1:1, got the end of the text", ""},
		{"{:a‹›", "expected } to close the { opened at 1:1, got the end of the text", ""},
		{"#(a‹›", "expected ) to close the #( opened at 1:1, got the end of the text", ""},
		{"#u8(1‹›", "expected ) to close the #u8( opened at 1:1, got the end of the text", ""},
		{"(a ‹]›)", "expected ) to close the ( opened at 1:1, got ]", ""},
		{"[a (b)‹)›", "expected ] to close the [ opened at 1:1, got )", ""},
		{"#u8(1‹]›", "expected ) to close the #u8( opened at 1:1, got ]", ""},
		{"(a)‹)› b", "unexpected ): no form is open here", "closed too early"},
		{"‹]›", "unexpected ]: no form is open here", ""},
		{"{:a 1 ‹:b›}", "expected a value for the last key of the map, got }", "pairs"},
		{"(a . ‹)›", "expected a form after ., got )", ""},
		{"(a .‹›", "expected a form after ., got the end of the text", ""},
		{"(a . b ‹c›)", "expected ) after the form that follows the point, got another form", "(a . b)"},
		{"(a . b ‹]›", "expected ) to close the ( opened at 1:1, got ]", ""},
		{"(a . b ‹.› c)", "expected ) after the form that follows the point, got another form", "(a . b)"},
		{"[a ‹.› b]", "unexpected . outside a list", "(a . b)"},
		{"‹.›", "unexpected . outside a list", ""},
		{"(a '‹)›", "expected a form after ' (quote), got )", ""},
		{"(a ,@‹›", "expected a form after ,@ (unquote-splicing), got the end of the text", ""},
		{"'‹›", "expected a form after ' (quote), got the end of the text", ""},
		{"@‹›", "expected a form after @ (deref), got the end of the text", ""},
		{"(a #;‹)›", "expected a form after #;, got )", ""},
		{"a #;‹›", "expected a form after #;, got the end of the text", ""},
		{"a #| b #| c |#‹›", "expected |# to close the comment opened at 1:3, got the end of the text", ""},
		{"#|‹›", "expected |# to close the comment opened at 1:1, got the end of the text", ""},
	})
}

func TestTextErrors(t *testing.T) {
	checkErrors(t, []errorCase{
		{`(a "b‹›`, `expected " to close the string opened at 1:4, got the end of the text`, ""},
		{`"a\‹›`, `expected " to close the string opened at 1:1, got the end of the text`, ""},
		{`"a\"‹›`, `expected " to close the string opened at 1:1, got the end of the text`, ""},
		{`#"a\"‹›`, `expected " to close the regex opened at 1:1, got the end of the text`, ""},
		{`f"a‹›`, `expected " to close the f-string opened at 1:1, got the end of the text`, ""},
		{`f"a ${‹›`, `expected } to close the ${ opened at 1:5, got the end of the text`, ""},
		{`f"a ${x‹›`, `expected } to close the ${ opened at 1:5, got the end of the text`, ""},
		{`f"a ${(x‹›`, `expected ) to close the ( opened at 1:7, got the end of the text`, ""},
		{`f"a ${x ‹"›`, "expected } to close the ${ opened at 1:5, got \"", "one form"},
		{`f"${‹)›}"`, "expected } to close the ${ opened at 1:3, got )", ""},
		{`f"${a‹)›}"`, "expected } to close the ${ opened at 1:3, got )", ""},
		{`f"a‹${ }›"`, "expected a form in ${}", "plain"},
		{`f"${a ‹b›}"`, "expected } to close the ${ opened at 1:3, got another form", "one form"},
		{`f"${(f ‹\›"x\")}"`, `unexpected character \`, "take no backslash"},
		{`"a‹\x41›"`, `expected hexadecimal digits and ; after \x`, `\x41;`},
		{`"a‹\x›`, `expected hexadecimal digits and ; after \x`, ""},
		{`"‹\x›;"`, `expected hexadecimal digits and ; after \x`, ""},
		{`"‹\u41›"`, `expected 4 hexadecimal digits after \u, got 2`, ""},
		{`"‹\U0041›g"`, `expected 8 hexadecimal digits after \U, got 4`, ""},
		{`"‹\x110000;›"`, `\x110000; is not the code of a character`, "10ffff"},
		{`"‹\xffffffffffffffffff;›"`, `\xffffffffffffffffff; is not the code of a character`, ""},
		{`"‹\uD83D›\uDE00"`, `\uD83D is not the code of a character`, ""},
		{`‹#\›`, `expected a character after #\, got the end of the text`, ""},
		{`‹#\spac›`, `unknown character #\spac`, "space newline"},
		{`‹#\x110000›`, `unknown character #\x110000`, ""},
		{`(a ‹#\xd800›)`, `unknown character #\xd800`, ""},
	})
}

func TestTokenErrors(t *testing.T) {
	checkErrors(t, []errorCase{
		{"‹:› a", "expected a name after :", ":name"},
		{"(a‹:›)", "expected a name after :", ""},
		{"‹#{›:a}", "unknown syntax #{", "maps {:a 1}"},
		{"‹#<record› p>", "unknown syntax #<record", "cannot be read back"},
		{" ‹#!a›", "unknown syntax #!a", "first line"},
		{"‹#› a", "unknown syntax #", ""},
		{"‹#›", "unknown syntax #", ""},
		{"‹#u8›[1]", "unknown syntax #u8", "#u8(1 2 3)"},
		{"‹#tru›", "unknown syntax #tru", "#t and #f"},
		{"a ‹|›b c|", "unexpected character |", "names with spaces"},
		{"a ‹\x00›", "unexpected character U+0000", ""},
		{"a‹\u200d›b", "unexpected character U+200D", ""},
		{"a ‹\ufeff› b", "unexpected character U+FEFF", ""},
		{"(say ‹“›hi”)", "unexpected character “", `"like this"`},
		{"'‹’›a", "unexpected character ’", "'like-this"},
		{"‹\\›a", "unexpected character \\", `#\a`},
		{"‹$›{a}", "unexpected character $", `f"..."`},
		{"‹→›", "unexpected character →", ""},
		{"#u8(‹256›)", "expected an integer from 0 to 255 in #u8(...), got 256", ""},
		{"#u8(1 ‹(a)› 300", "expected an integer from 0 to 255 in #u8(...), got (a)", ""},
		{"#(f ‹%256›", "a short lambda takes at most 255 parameters, got %256", ""},
		{"#(f ‹%99999999999999999999›)", "a short lambda takes at most 255 parameters, got %99999999999999999999", ""},
	})
}

func TestNumberErrors(t *testing.T) {
	checkErrors(t, []errorCase{
		{"(a ‹1/0›)", "the denominator of 1/0 is zero", ""},
		{"‹-0/00›", "the denominator of -0/00 is zero", ""},
		{"(‹5.› 3)", "expected digits on both sides of the point of a number", "write 5.0"},
		{"‹1.5.2›", "expected digits on both sides of the point of a number", ""},
		{"‹1.e3›", "expected digits on both sides of the point of a number", "write 1.0"},
		{"‹#xFG›", "expected hexadecimal digits after #x, got G in FG", ""},
		{"‹#b102›", "expected binary digits after #b, got 2 in 102", ""},
		{"‹#o-›", "expected octal digits after #o", ""},
		{"‹#x›", "expected hexadecimal digits after #x", ""},
		{"‹#e›abc", "expected a number after #e", ""},
		{"‹#e#d›#t", "expected a number after #e#d", ""},
		{"‹#x#x›FF", "a number takes one radix prefix, got a second: #x", ""},
		{"‹#e#d#i›1", "a number takes one exactness prefix, got a second: #i", ""},
		{"‹#e1e400›", "expected a number in the range of floats after #e, got one beyond it", ""},
	})
}

func TestComplexNumbersAreErrorsAsAWhole(t *testing.T) {
	checkErrors(t, []errorCase{
		{"‹1/0+i›", "the denominator of 1/0 is zero", ""},
		{"‹1+1/0i›", "the denominator of +1/0 is zero", ""},
		{"‹#e1+1e400i›", "expected a number in the range of floats after #e, got one beyond it", ""},
		{"‹5.+2i›", "expected digits on both sides of the point of a number", "write 5.0"},
	})
}

func TestNotUTF8(t *testing.T) {
	e := readError(t, "(a\n \"λ\xff\" b")
	require.Equal(t, "the text is not UTF-8: it has the byte 0xff here", e.Message)
	require.Equal(t, value.Pos{Line: 2, Col: 4}, e.Span.Start)
	require.Equal(t, value.Pos{Line: 2, Col: 5}, e.Span.End)
	require.False(t, e.Incomplete)
	require.NotEmpty(t, e.Hint)
}

// The opening token of the form around an error is named with its place.
func TestOpened(t *testing.T) {
	for text, want := range map[string]string{
		"(a\n  [b": "2:3-2:4", "(a\n  {b ]": "2:3-2:4", "(a '": "1:4-1:5", "(a ,@)": "1:4-1:6", "a #| b": "1:3-1:5",
		"f\"${(a": "1:5-1:6", "f\"a${b": "1:4-1:6", " #u8(1": "1:2-1:6", "\n\"": "2:1-2:2", "#;": "1:1-1:3",
		"{:a}": "1:1-1:2", "f\"${a b}\"": "1:3-1:5", "(a . b c)": "1:1-1:2",
	} {
		e := readError(t, text)
		require.Equal(t, want, e.Opened.Start.String()+"-"+e.Opened.End.String(), "%q", text)
	}
	require.False(t, readError(t, ")").Opened.Start.IsValid())
	require.False(t, readError(t, "(a |)").Opened.Start.IsValid())
}

// A line that starts left of the form it is in tells where a bracket is missing.
func TestStrayLineHint(t *testing.T) {
	missing := "(define (f x)\n  (let ((y 1))\n    (+ x y))\n\n(define (g) 1)\n(define (h) 2)\n"
	e := readError(t, missing)
	require.Equal(t, value.Pos{Line: 1, Col: 1}, e.Opened.Start)
	require.Equal(t, value.Pos{Line: 6, Col: 15}, e.Span.Start)
	require.Equal(t, "line 5 starts at column 1 although it is inside the ( opened at 1:1: a ) may be missing before it", e.Hint)
	e = readError(t, "(a\n  (b [c\n  (d))\n (e ]")
	require.Equal(t, "expected ] to close the [ opened at 2:6, got )", readError(t, "(a\n  (b [c\n  (d))").Message)
	require.Empty(t, e.Hint)
	require.Empty(t, readError(t, "(a\n (b\n  (c)").Hint)
}

func TestDepthIsBounded(t *testing.T) {
	nest := func(open, shut string, n int) string { return strings.Repeat(open, n) + "x" + strings.Repeat(shut, n) }
	for _, c := range []struct {
		open, shut string
		levels     int // that one repetition counts for
	}{
		{"(", ")", 1}, {"[", "]", 1}, {"{1 ", "}", 1}, {"'", "", 1}, {",@", "", 1}, {"#(", ")", 2}, {"f\"${", "}\"", 2},
		{"#;", " x", 1}, {"(a . ", ")", 2},
	} {
		_, err := ReadAll(source(nest(c.open, c.shut, MaxDepth/c.levels)))
		require.NoError(t, err, c.open)
		for _, n := range []int{MaxDepth/c.levels + 1, 1_000_000} {
			e := readError(t, nest(c.open, c.shut, n))
			require.Equal(t, "forms are nested more than 2000 deep", e.Message, c.open)
			require.False(t, e.Incomplete)
		}
	}
}

// Cut at any line break, a sound text is sound or waits for more.
func TestIncompleteAtEveryLine(t *testing.T) {
	text := sample + "\n#| a\n#| b\n|#\n|#\n'\n#;\n#;\nq r '\ns \"a\n\\\n\" f\"\n${\n`(\n,@\nx\n.\ny)\n;\n}\n${f\"${\n1}\"}\" #u8(\n1\n) #\\\n #\"a\n\" #(\n%\n) {\n:a\n1\n}"
	for i, c := range text + "\n" {
		if c != '\n' {
			continue
		}
		_, err := ReadAll(source(text[:i]))
		require.True(t, err == nil || Incomplete(err), "%v after %q", err, text[:i])
		_, again := ReadAll(source((text + "\n")[:i+1]))
		require.True(t, again == nil || Incomplete(again), "%v after %q", again, text[:i])
	}
	_, err := ReadAll(source(text))
	require.NoError(t, err)
	require.False(t, Incomplete(errors.New("other")))
	require.False(t, Incomplete(nil))
}
