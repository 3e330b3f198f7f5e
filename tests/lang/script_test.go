package lang_test

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/reader"
)

// chunk is a part of a script that has an interpreter of its own.
type chunk struct {
	file   string
	line   int // of its first line, from 1
	text   string
	unit   *reader.Unit
	broken error // why it could not be read
	wants  map[int][]want
	nowrap bool
	noread bool
}

// want is one expectation of a line.
type want struct {
	line int
	kind string // "=>", "!!" or ">>"
	text string
}

var marker = regexp.MustCompile(`;\s+(=>|!!|>>) ?`)

// chunks splits a script at lines of three hyphens. A comment "; nowrap: why"
// keeps the expressions of its chunk out of functions, "; noread: why" keeps its
// forms from being printed and read again.
func chunks(file, text string) []*chunk {
	var all []*chunk
	line := 1
	for _, part := range strings.Split(text, "\n---\n") {
		c := &chunk{file: file, line: line, text: part, wants: map[int][]want{}}
		c.nowrap = strings.Contains(part, "; nowrap: ")
		c.noread = strings.Contains(part, "; noread: ")
		c.parse()
		all = append(all, c)
		line += strings.Count(part, "\n") + 2
	}
	return all
}

// parse reads the forms and the expectations; lines count in the whole file.
func (c *chunk) parse() {
	src := &value.Source{Name: c.file, Text: strings.Repeat("\n", c.line-1) + c.text}
	c.unit, c.broken = reader.ReadAll(src)
	for i, s := range strings.Split(c.text, "\n") {
		for _, w := range wantsOf(s) {
			w.line = c.line + i
			c.wants[w.line] = append(c.wants[w.line], w)
		}
	}
}

func wantsOf(line string) (ws []want) {
	at := marker.FindAllStringSubmatchIndex(line, -1)
	for k, m := range at {
		end := len(line)
		if k+1 < len(at) {
			end = at[k+1][0]
		}
		ws = append(ws, want{kind: line[m[2]:m[3]], text: strings.TrimSpace(line[m[1]:end])})
	}
	return ws
}

// expected returns what is wanted of form k: what stands on its lines, and on
// lines of comments behind it. Where forms share a line, the last one is meant.
func (c *chunk) expected(k int) (ws []want) {
	forms := c.unit.Forms
	from, to := int(forms[k].Span.Start.Line), c.line+strings.Count(c.text, "\n")
	if k+1 < len(forms) {
		next := int(forms[k+1].Span.Start.Line)
		if next == int(forms[k].Span.End.Line) {
			return nil
		}
		to = next - 1
	}
	for line := from; line <= to; line++ {
		ws = append(ws, c.wants[line]...)
	}
	return ws
}

// source is the text of form k alone, at its place in the file, with something
// around it on the same lines.
func (c *chunk) source(k int, before, after string) *value.Source {
	span := c.unit.Forms[k].Span
	text := before + c.slice(span) + after
	return &value.Source{Name: c.file, Text: strings.Repeat("\n", int(span.Start.Line)-1) + text}
}

func (c *chunk) slice(span value.Span) string {
	lines := strings.Split(c.text, "\n")
	first, last := int(span.Start.Line)-c.line, int(span.End.Line)-c.line
	part := append([]string(nil), lines[first:last+1]...)
	end := []rune(part[len(part)-1])
	part[len(part)-1] = string(end[:span.End.Col-1])
	part[0] = string([]rune(part[0])[span.Start.Col-1:])
	return strings.Join(part, "\n")
}

// isExpression is false for what means something else inside a function.
func isExpression(form value.Value) bool {
	if !form.IsList() || form.Len() == 0 {
		return true
	}
	name, _ := form.First().SymbolName()
	return !strings.HasPrefix(name, "def") && name != "begin" && name != "progn" && name != "load"
}

func (c *chunk) at(line int) string { return fmt.Sprintf("%s:%d", c.file, line) }
