package sys

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/eval/value"
)

var decoded = map[string]string{
	"a":                        `{:char "a" :kind :char}`,
	"\u00e9":                   `{:char "é" :kind :char}`,
	" ":                        `{:char " " :kind :char}`,
	"\xff":                     "{:char \"\ufffd\" :kind :char}",
	"\x00":                     `{:char "@" :kind :ctrl}`,
	"\x03":                     `{:char "c" :kind :ctrl}`,
	"\x1f":                     `{:char "_" :kind :ctrl}`,
	"\x7f":                     `{:kind :key :name :backspace}`,
	"\x08":                     `{:kind :key :name :backspace}`,
	"\t":                       `{:kind :key :name :tab}`,
	"\r":                       `{:kind :key :name :enter}`,
	"\n":                       `{:kind :key :name :enter}`,
	"\x1b":                     `{:kind :key :name :esc}`,
	"\x1bx":                    `{:char "x" :kind :alt}`,
	"\x1b\u00e9":               `{:char "é" :kind :alt}`,
	"\x1b\r":                   `{:kind :key :mods (:alt) :name :enter}`,
	"\x1b[":                    `{:char "[" :kind :alt}`,
	"\x1bO":                    `{:char "O" :kind :alt}`,
	"\x1b[A":                   `{:kind :key :name :up}`,
	"\x1bOD":                   `{:kind :key :name :left}`,
	"\x1b[H":                   `{:kind :key :name :home}`,
	"\x1b[4~":                  `{:kind :key :name :end}`,
	"\x1b[1;5C":                `{:kind :key :mods (:ctrl) :name :right}`,
	"\x1b[1;4A":                `{:kind :key :mods (:shift :alt) :name :up}`,
	"\x1b[2~":                  `{:kind :key :name :insert}`,
	"\x1b[3~":                  `{:kind :key :name :delete}`,
	"\x1b[5~":                  `{:kind :key :name :page-up}`,
	"\x1b[6~":                  `{:kind :key :name :page-down}`,
	"\x1b[Z":                   `{:kind :key :name :shift-tab}`,
	"\x1bOP":                   `{:kind :key :name :f1}`,
	"\x1b[15;2~":               `{:kind :key :mods (:shift) :name :f5}`,
	"\x1b[24~":                 `{:kind :key :name :f12}`,
	"\x1b[1;2R":                `{:kind :key :mods (:shift) :name :f3}`,
	"\x1b[99~":                 `{:kind :key :name :unknown}`,
	"\x1b[27;5;105~":           `{:char "i" :kind :ctrl :mods (:ctrl)}`,
	"\x1b[<0;10;5M":            `{:action :press :button 0 :kind :mouse :x 10 :y 5}`,
	"\x1b[<2;10;5m":            `{:action :release :button 2 :kind :mouse :x 10 :y 5}`,
	"\x1b[<35;3;4M":            `{:action :move :button 3 :kind :mouse :x 3 :y 4}`,
	"\x1b[<64;1;1M":            `{:action :wheel-up :button 0 :kind :mouse :x 1 :y 1}`,
	"\x1b[<20;1;1M":            `{:action :press :button 0 :kind :mouse :mods (:shift :ctrl) :x 1 :y 1}`,
	"\x1b[I":                   `{:focused #t :kind :focus}`,
	"\x1b[O":                   `{:focused #f :kind :focus}`,
	"\x1b[?1;2c":               `{:device :primary :kind :device-attributes :params (1 2)}`,
	"\x1b[>0;276;0c":           `{:device :secondary :kind :device-attributes :params (0 276 0)}`,
	"\x1b[?5u":                 `{:flags 5 :kind :kitty-flags}`,
	"\x1b[97u":                 `{:char "a" :kind :char}`,
	"\x1b[97;5u":               `{:char "a" :kind :ctrl :mods (:ctrl)}`,
	"\x1b[97;3u":               `{:char "a" :kind :alt :mods (:alt)}`,
	"\x1b[97;2u":               `{:char "A" :kind :char :mods (:shift)}`,
	"\x1b[97:65:99;2u":         `{:base-key "c" :char "A" :kind :char :mods (:shift) :shifted-key "A"}`,
	"\x1b[97;1:3u":             `{:char "a" :event :release :kind :char}`,
	"\x1b[97;;228u":            `{:char "ä" :kind :char}`,
	"\x1b[13;2u":               `{:kind :key :mods (:shift) :name :enter}`,
	"\x1b[1;1:2A":              `{:event :repeat :kind :key :name :up}`,
	"\x1b[97;193u":             `{:char "a" :kind :char :mods (:caps-lock :num-lock)}`,
	"\x1b[57399u":              `{:kind :key :name :unknown}`,
	"\x1b[99999999999u":        `{:kind :key :name :unknown}`,
	"\x1b[200~hi\nyo\x1b[201~": `{:kind :paste :text "hi\nyo"}`,
}

func TestKeys(t *testing.T) {
	for text, want := range decoded {
		d := decoder{b: []byte(text), last: true}
		ev, n := d.next()
		require.Equal(t, want, value.Write(ev.value()), "%q", text)
		require.Equal(t, len(text), n, "%q", text)
	}
	d := decoder{b: []byte("\x1b[12;40R"), positions: true}
	ev, _ := d.next()
	require.Equal(t, `{:col 40 :kind :cpr :row 12}`, value.Write(ev.value()))
}

// What ends too early is waited for, but for an Escape that nothing follows.
func TestUnfinishedKeys(t *testing.T) {
	for _, text := range []string{"\x1b", "\x1b[", "\x1b[1;5", "\x1bO", "\xc3", "\x1b\xc3", "\x1b[200~pasted", "\x1b[200~a\x1b[201"} {
		d := decoder{b: []byte(text)}
		_, n := d.next()
		require.Zero(t, n, "%q", text)
	}
}

func FuzzKeys(f *testing.F) {
	for text := range decoded {
		f.Add([]byte(text), true)
	}
	f.Fuzz(func(t *testing.T, b []byte, positions bool) {
		for len(b) > 0 {
			d := decoder{b: b, positions: positions}
			ev, n := d.next()
			if n == 0 {
				d.last = true
				ev, n = d.next()
			}
			require.Positive(t, n)
			require.LessOrEqual(t, n, len(b))
			require.True(t, utf8.ValidString(value.Write(ev.value())))
			require.NotEmpty(t, ev.kind())
			b = b[n:]
		}
	})
}
