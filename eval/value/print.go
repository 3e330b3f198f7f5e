package value

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// String is the text that reads back as v, as far as v has one. Data nested
// deeper than [MaxDepth] is cut with "...": use [Write] where that matters.
func (v Value) String() string { return Excerpt(v, math.MaxInt) }

// Excerpt is the beginning of the text that reads back as v, of about n bytes,
// with "..." where it was cut.
func Excerpt(v Value, n int) (text string) {
	p := printer{limit: n}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *DepthError, *LimitError, enough:
			text = p.out.String() + "..."
		default:
			panic(r)
		}
	}()
	p.write(v, start(new(int)))
	return p.out.String()
}

// enough is the panic of a printer that has reached its limit.
type enough struct{}

// Write returns the text that reads back as v, with strings quoted. It panics
// with a [*DepthError] like every walk.
func Write(v Value) string {
	p := printer{limit: math.MaxInt}
	p.write(v, start(new(int)))
	return p.out.String()
}

// Display returns v as people read it: a string or a character stands for
// itself, but inside a collection it is written as [Write] does.
func Display(v Value) string {
	if v.IsString() {
		return v.text()
	}
	return Write(v)
}

type printer struct {
	out   strings.Builder
	limit int // of bytes
}

func (p *printer) write(v Value, d depth) {
	if p.out.Len() > p.limit {
		panic(enough{})
	}
	switch v.Kind() {
	case KindNil:
		p.out.WriteString("nil")
	case KindBool:
		p.out.WriteString(map[bool]string{true: "#t", false: "#f"}[v == True])
	case KindInt:
		p.out.WriteString(strconv.FormatInt(int64(v.bits), 10))
	case KindFloat:
		f, _ := v.AsFloat()
		p.out.WriteString(FormatFloat(f))
	case KindBigInt:
		p.out.WriteString((*big.Int)(v.ref).String())
	case KindRational:
		p.out.WriteString((*big.Rat)(v.ref).String())
	case KindComplex:
		p.writeComplex(v.complex(), d)
	case KindChar:
		p.out.WriteString(formatChar(rune(v.bits)))
	case KindString:
		p.quote(v.text())
	case KindSymbol:
		p.out.WriteString(v.name().text)
	case KindKeyword:
		p.out.WriteByte(':')
		p.out.WriteString(v.name().text)
	case KindInvalid:
		p.out.WriteString("<undefined>")
	default:
		p.writeObject(v, d)
	}
}

// writeComplex writes both parts, also a real one of zero.
func (p *printer) writeComplex(z *complexNumber, d depth) {
	p.write(z.re, d)
	im := Write(z.im)
	if im[0] != '-' {
		p.out.WriteByte('+')
	}
	p.out.WriteString(im + "i")
}

func (p *printer) writeObject(v Value, d depth) {
	switch v.Kind() {
	case KindList:
		p.writeSeq("(", v, ")", d.deeper())
	case KindVector:
		p.writeSeq("[", v, "]", d.deeper())
	case KindMap, KindHashMap:
		p.writeMap(v, d.deeper())
	case KindBytes:
		p.writeBytes(*(*[]byte)(v.ref))
	case KindRecord:
		p.writeRecord(v.record(), d.deeper())
	case KindPromise:
		if (*Promise)(v.ref).Forced {
			p.out.WriteString("<promise (forced)>")
		} else {
			p.out.WriteString("<promise>")
		}
	case KindClosure, KindBuiltin, KindMacro:
		p.writeFunc(v)
	case KindOpaque:
		p.writeOpaque((*Opaque)(v.ref))
	default:
		p.out.WriteString("<" + v.Kind().String() + ">")
	}
}

func (p *printer) writeSeq(open string, v Value, end string, d depth) {
	p.out.WriteString(open)
	sep := ""
	for x := range v.Elems() {
		p.out.WriteString(sep)
		p.write(x, d)
		sep = " "
	}
	p.out.WriteString(end)
}

func (p *printer) writeMap(v Value, d depth) {
	p.out.WriteByte('{')
	sep := ""
	for k, x := range v.Entries() {
		p.out.WriteString(sep)
		p.write(k, d)
		p.out.WriteByte(' ')
		p.write(x, d)
		sep = " "
	}
	p.out.WriteByte('}')
}

func (p *printer) writeBytes(b []byte) {
	p.out.WriteString("#u8(")
	for i, x := range b {
		if i > 0 {
			p.out.WriteByte(' ')
		}
		p.out.WriteString(strconv.Itoa(int(x)))
	}
	p.out.WriteByte(')')
}

func (p *printer) writeRecord(r *Record, d depth) {
	p.out.WriteString("#<record " + r.Type.Name)
	for _, f := range r.Fields {
		p.out.WriteByte(' ')
		p.write(f, d)
	}
	p.out.WriteByte('>')
}

func (p *printer) writeFunc(v Value) {
	p.out.WriteString("<" + v.TypeName())
	if n := v.FuncName(); n != "" {
		p.out.WriteString(" " + n)
	}
	p.out.WriteByte('>')
}

func (p *printer) writeOpaque(o *Opaque) {
	if o.Text != "" {
		p.out.WriteString(o.Text)
		return
	}
	if s, ok := o.Data.(Shower); ok {
		s.Show(func(part string) bool {
			p.out.WriteString(part)
			return p.out.Len() <= p.limit
		})
		if p.out.Len() > p.limit {
			panic(enough{})
		}
		return
	}
	p.out.WriteString("<" + o.Type + ">")
}

// FormatFloat prints a float so that it reads back as one: like the reference
// it writes all digits out, with a point and without an exponent.
func FormatFloat(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f != f:
		return "NaN"
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// charNames are the characters with a name, as the reader knows them too.
var charNames = map[rune]string{
	' ': "space", '\n': "newline", '\t': "tab", '\r': "return", 0: "nul",
	0x7f: "delete", 0x1b: "escape", '\b': "backspace", '\a': "alarm",
}

func formatChar(r rune) string {
	if n, ok := charNames[r]; ok {
		return `#\` + n
	}
	if !unicode.IsPrint(r) {
		return `#\x` + strconv.FormatInt(int64(r), 16)
	}
	return `#\` + string(r)
}

// CharByName returns the character that #\name stands for.
func CharByName(name string) (rune, bool) {
	for r, n := range charNames {
		if n == name {
			return r, true
		}
	}
	switch name {
	case "null":
		return 0, true
	case "linefeed":
		return '\n', true
	case "esc":
		return 0x1b, true
	case "rubout":
		return 0x7f, true
	}
	return 0, false
}

var escapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\t': `\t`, '\r': `\r`, 0: `\0`}

func (p *printer) quote(s string) {
	p.out.WriteByte('"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch e, special := escapes[r]; {
		case special:
			p.out.WriteString(e)
		case r == utf8.RuneError && size == 1: // a byte that is not UTF-8 has no escape of its own
			p.out.WriteRune(utf8.RuneError)
		case r < ' ' || r == 0x7f:
			p.out.WriteString(`\x` + strconv.FormatInt(int64(r), 16) + ";")
		default:
			p.out.WriteString(s[i : i+size])
		}
		i += size
	}
	p.out.WriteByte('"')
}
