package main

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/gosema/gosema/eval"
)

// completer completes the word before the cursor; it is readline's
// AutoCompleter.
type completer struct {
	names  func() []string // sorted
	screen func() (columns, rows int)
}

// Do implements readline.AutoCompleter: it returns what may follow the word, and
// the length of the word.
func (c *completer) Do(line []rune, pos int) (rest [][]rune, length int) {
	word := lastWord(string(line[:pos]))
	if word == "" {
		return nil, 0
	}
	for _, n := range c.candidates(word) {
		rest = append(rest, []rune(strings.TrimPrefix(n, word)))
	}
	return rest, utf8.RuneCountInString(word)
}

// candidates are the names that start with word, as many as the screen can show:
// readline does not scroll, and fails on a name wider than the screen.
func (c *completer) candidates(word string) []string {
	columns, rows := c.screen()
	var found []string
	widest := 0
	for _, n := range c.names() {
		if strings.HasPrefix(n, word) && len(n) < columns-2 {
			found = append(found, n)
			widest = max(widest, len(n))
		}
	}
	room := max(1, rows-2) * max(1, (columns-1)/(2*widest+1))
	return found[:min(len(found), room)]
}

// lastWord is the name that text ends in, "" if it ends otherwise. A command
// starts the line.
func lastWord(text string) string {
	start := strings.LastIndexFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n()[]{}\"'`,;@", r) })
	word := text[start+1:]
	if start >= 0 && text[start] == ',' && strings.TrimSpace(text[:start]) == "" {
		return text[start:]
	}
	return word
}

// completions are all names that mean something at the prompt.
func (r *repl) completions() []string {
	names := r.interp.Names()
	for _, f := range eval.Forms() {
		names = append(names, f.Name)
	}
	for _, c := range commands() {
		names = append(names, ","+c.name)
	}
	sort.Strings(names)
	return names
}
