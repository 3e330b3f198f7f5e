package sys

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gosema/gosema/eval/value"
)

// decoder makes events of the bytes that a terminal sends.
type decoder struct {
	b         []byte
	last      bool // no more bytes belong to what b starts with
	positions bool // cursor positions were asked for, which look like F3
}

const esc = 0x1b

// next is the event that b starts with and how many bytes it takes, 0 if more
// are needed; never with last.
func (d *decoder) next() (ev event, n int) {
	if d.b[0] != esc {
		return d.plain(d.b)
	}
	if len(d.b) == 1 || d.b[1] == esc {
		if len(d.b) == 1 && !d.last {
			return nil, 0
		}
		return key("esc", 1), 1
	}
	switch d.b[1] {
	case '[':
		return d.sequence()
	case 'O':
		return d.applicationKey()
	}
	ev, n = d.plain(d.b[1:])
	if n == 0 {
		return nil, 0
	}
	if ev.kind() == "char" {
		return event{"kind": keyword("alt"), "char": ev["char"]}, n + 1
	}
	return ev.with(1+modAlt, 0), n + 1
}

// plain decodes what is no sequence: a control character or a character.
func (d *decoder) plain(b []byte) (event, int) {
	switch c := b[0]; {
	case c == 8 || c == 127:
		return key("backspace", 1), 1
	case c == '\t':
		return key("tab", 1), 1
	case c == '\r' || c == '\n':
		return key("enter", 1), 1
	case c < ' ':
		return event{"kind": keyword("ctrl"), "char": value.String(strings.ToLower(string(rune(c | 0x40))))}, 1
	}
	if !utf8.FullRune(b) && !d.last {
		return nil, 0
	}
	r, n := utf8.DecodeRune(b)
	return char(r), n
}

// applicationKey decodes ESC O and a letter.
func (d *decoder) applicationKey() (event, int) {
	if len(d.b) == 2 {
		if !d.last {
			return nil, 0
		}
		return event{"kind": keyword("alt"), "char": value.String("O")}, 2
	}
	if name := letterKeys[d.b[2]]; name != "" {
		return key(name, 1), 3
	}
	return key("unknown", 1), 3
}

// sequence decodes ESC [ parameters, and a last byte that says what they mean.
func (d *decoder) sequence() (event, int) {
	n := 2
	for n < len(d.b) && d.b[n] >= 0x20 && d.b[n] <= 0x3f {
		n++
	}
	if n == len(d.b) {
		if !d.last {
			return nil, 0
		}
		return event{"kind": keyword("alt"), "char": value.String("[")}, 2
	}
	if bytes.HasPrefix(d.b, pasteStart) {
		return d.paste()
	}
	if d.b[n] < 0x40 || d.b[n] > 0x7e {
		return key("unknown", 1), n
	}
	return d.meaning(string(d.b[2:n]), d.b[n]), n + 1
}

var pasteStart, pasteEnd = []byte("\x1b[200~"), []byte("\x1b[201~")

func (d *decoder) paste() (event, int) {
	text := d.b[len(pasteStart):]
	n := len(d.b)
	if i := bytes.Index(text, pasteEnd); i >= 0 {
		n = len(pasteStart) + i + len(pasteEnd)
		text = text[:i]
	} else if !d.last {
		return nil, 0
	}
	return event{"kind": keyword("paste"), "text": value.String(strings.ToValidUTF8(string(text), "\ufffd"))}, n
}

var letterKeys = map[byte]string{'A': "up", 'B': "down", 'C': "right", 'D': "left", 'H': "home", 'F': "end",
	'P': "f1", 'Q': "f2", 'R': "f3", 'S': "f4", 'Z': "shift-tab", 'M': "enter"}

var numberKeys = map[int]string{1: "home", 2: "insert", 3: "delete", 4: "end", 5: "page-up", 6: "page-down", 7: "home", 8: "end",
	11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10", 23: "f11", 24: "f12"}

func (d *decoder) meaning(text string, last byte) event {
	private := byte(0)
	if text != "" && strings.IndexByte("<>?=", text[0]) >= 0 {
		private, text = text[0], text[1:]
	}
	p := parameters(text)
	switch {
	case private == '<' && (last == 'M' || last == 'm'):
		return mouse(p, last == 'm')
	case private == '?' && last == 'u':
		return event{"kind": keyword("kitty-flags"), "flags": number(p.at(0, 0, 0))}
	case last == 'c' && (private == '?' || private == '>'):
		return deviceAttributes(p, private)
	case private != 0:
		return key("unknown", 1)
	case last == 'u':
		return codeKey(p.at(0, 0, 0), p.at(1, 0, 1), p)
	case last == '~' && p.at(0, 0, 0) == 27 && len(p) == 3:
		return codeKey(p.at(2, 0, 0), p.at(1, 0, 1), nil)
	case last == '~' && numberKeys[p.at(0, 0, 0)] != "":
		return key(numberKeys[p.at(0, 0, 0)], p.at(1, 0, 1)).with(1, p.at(1, 1, 0))
	case (last == 'I' || last == 'O') && text == "":
		return event{"kind": keyword("focus"), "focused": value.Bool(last == 'I')}
	case last == 'R' && d.positions && len(p) == 2:
		return event{"kind": keyword("cpr"), "row": number(p.at(0, 0, 1)), "col": number(p.at(1, 0, 1))}
	case letterKeys[last] != "":
		return key(letterKeys[last], p.at(1, 0, 1)).with(1, p.at(1, 1, 0))
	}
	return key("unknown", 1)
}

// params are those of a sequence: numbers between ; with further ones behind :.
type params [][]int

func parameters(text string) (p params) {
	for part := range strings.SplitSeq(text, ";") {
		var sub []int
		for s := range strings.SplitSeq(part, ":") {
			n, err := strconv.Atoi(s)
			if err != nil || n < 0 || n > unicode.MaxRune {
				n = -1
			}
			sub = append(sub, n)
		}
		p = append(p, sub)
	}
	return p
}

// at is parameter i, sub; missing if it is not there or no number.
func (p params) at(i, sub, missing int) int {
	if i >= len(p) || sub >= len(p[i]) || p[i][sub] < 0 {
		return missing
	}
	return p[i][sub]
}

// codeKey is the key of a Unicode code point, with modifiers. It has the shape
// that the key has without the kitty protocol, and what is known beside.
func codeKey(code, mods int, p params) (ev event) {
	named := map[int]string{27: "esc", 13: "enter", 9: "tab", 127: "backspace", 8: "backspace"}
	bits := mods - 1
	switch {
	case named[code] != "":
		ev = key(named[code], 1)
	case code < ' ' || code >= 57344 && code <= 63743: // control, private use: keypads, modifiers
		ev = key("unknown", 1)
	case bits&modCtrl != 0:
		ev = char(rune(code))
		ev["kind"] = keyword("ctrl")
	case bits&modAlt != 0:
		ev = char(rune(code))
		ev["kind"] = keyword("alt")
	default:
		ev = char(rune(typed(code, bits, p)))
	}
	for i, name := range []string{1: "shifted-key", 2: "base-key"} {
		if r := p.at(0, i, 0); i > 0 && r >= ' ' {
			ev[name] = value.String(string(rune(r)))
		}
	}
	return ev.with(mods, p.at(1, 1, 0))
}

// typed is the character that a key types: the terminal may say, or else the key
// with shift.
func typed(code, bits int, p params) int {
	switch {
	case p.at(2, 0, 0) >= ' ':
		return p.at(2, 0, 0)
	case bits&modShift == 0:
		return code
	case p.at(0, 1, 0) >= ' ':
		return p.at(0, 1, 0)
	}
	return int(unicode.ToUpper(rune(code)))
}

func deviceAttributes(p params, private byte) event {
	device := "primary"
	if private == '>' {
		device = "secondary"
	}
	var list []Value
	for i := range p {
		list = append(list, number(p.at(i, 0, 0)))
	}
	return event{"kind": keyword("device-attributes"), "device": keyword(device), "params": value.List(list...)}
}

func mouse(p params, released bool) event {
	code := p.at(0, 0, 0)
	action, button := "press", code&3
	switch {
	case code&64 != 0:
		action = []string{"wheel-up", "wheel-down", "wheel-left", "wheel-right"}[button]
	case released:
		action = "release"
	case code&32 != 0:
		action = "move"
	}
	if code&128 != 0 {
		button += 8
	}
	ev := event{"kind": keyword("mouse"), "action": keyword(action), "button": number(button), "x": number(p.at(1, 0, 1)), "y": number(p.at(2, 0, 1))}
	return ev.with(1+code>>2&7, 0)
}
