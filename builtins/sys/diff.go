package sys

import (
	"fmt"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func diffBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "diff/unified", Arity: eval.Between(2, 3), Fn: diffUnified,
			Doc: "(diff/unified old new [context]) is a unified diff of two texts, with context (3) unchanged lines around each change; texts that are equal have the diff \"\".",
			Example: `(diff/unified "a\nb\nc\n" "a\nB\nc\n") ; => "--- old\n+++ new\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
(diff/unified "a\n" "a\n") ; => ""`},
		{Name: "diff/apply", Arity: eval.Exactly(2), Fn: diffApply,
			Doc:     "(diff/apply text patch) is the text with the changes of a unified diff. A hunk may be a few lines away from where it says, or further if only one place fits; one whose lines are not there is an error.",
			Example: `(diff/apply "x\na\nb\n" "@@ -1,2 +1,2 @@\n a\n-b\n+B\n") ; => "x\na\nB\n"`},
		{Name: "diff/hunks", Arity: eval.Exactly(1), Fn: diffHunks,
			Doc:     "(diff/hunks patch) lists the hunks of a unified diff as maps with :header, :old-start, :old-count, :new-start, :new-count and :lines, which begin with a space, + or -.",
			Example: `(diff/hunks "@@ -1 +1,2 @@\n a\n+b\n") ; => ({:header "@@ -1 +1,2 @@" :lines (" a" "+b") :new-count 2 :new-start 1 :old-count 1 :old-start 1})`},
		{Name: "diff/parse", Arity: eval.Exactly(1), Fn: diffParse,
			Doc:     "(diff/parse patch) is {:files ({:old-path :new-path :hunks} ...)} of a unified diff, with hunks as diff/hunks lists them; a path that the patch lacks is nil.",
			Example: `(diff/parse "--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a\n") ; => {:files ({:hunks ({:header "@@ -1 +0,0 @@" :lines ("-a") :new-count 0 :new-start 0 :old-count 1 :old-start 1}) :new-path "b/x" :old-path "a/x"})}`},
		{Name: "diff/stat", Arity: eval.Exactly(1), Fn: diffStat,
			Doc:     "(diff/stat patch) counts the lines that a unified diff adds and removes, and its hunks.",
			Example: `(diff/stat "@@ -1,2 +1,2 @@\n a\n-b\n+B\n") ; => {:added 1 :hunks 1 :removed 1}`},
	}
}

// lineWeight is about how much memory a line takes while lines are compared, or
// as a string of a list.
const lineWeight = 128

// reserveLines asks for the memory of the lines of texts, once apart and once
// joined.
func reserveLines(t *eval.Thread, texts ...string) error {
	n := int64(0)
	for _, s := range texts {
		n += 2*int64(len(s)) + lineWeight*int64(strings.Count(s, "\n")+1)
	}
	if n > maxBytes {
		return eval.Errorf(eval.KindEval, "refused: this takes more than %d bytes", maxBytes)
	}
	return t.Reserve(n)
}

func diffUnified(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	before, after, context := a.String(0), a.String(1), 3
	if a.Has(2) {
		context = a.Size(2)
	}
	if a.Err() == nil {
		a.Fail(reserveLines(t, before, after))
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	u := unified{a: splitLines(before), b: splitLines(after)}
	changes, err := diffLines(u.a, u.b, t.Tick)
	if err != nil || len(changes) == 0 {
		return value.String(""), err
	}
	u.context = min(context, len(u.a))
	u.write(changes)
	return value.String(u.out.String()), nil
}

// unified writes changes between two texts as a unified diff.
type unified struct {
	a, b    []string
	context int
	out     strings.Builder
}

func (u *unified) write(changes []change) {
	u.out.WriteString("--- old\n+++ new\n")
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].a0-changes[n-1].a1 <= 2*u.context {
			n++
		}
		u.hunk(changes[:n])
		changes = changes[n:]
	}
}

// hunk writes changes that stand close together, and the lines around them.
func (u *unified) hunk(changes []change) {
	first, last := changes[0], changes[len(changes)-1]
	above := min(u.context, first.a0)
	below := min(u.context, len(u.a)-last.a1)
	a0, b0 := first.a0-above, first.b0-above
	fmt.Fprintf(&u.out, "@@ -%s +%s @@\n", lineRange(a0, last.a1+below-a0), lineRange(b0, last.b1+below-b0))
	for _, c := range changes {
		u.lines(" ", u.a[a0:c.a0])
		u.lines("-", u.a[c.a0:c.a1])
		u.lines("+", u.b[c.b0:c.b1])
		a0 = c.a1
	}
	u.lines(" ", u.a[a0:a0+below])
}

// lineRange is n lines from start, counted from 0, as headers have it.
func lineRange(start, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, n)
}

func (u *unified) lines(marker string, lines []string) {
	for _, line := range lines {
		u.out.WriteString(marker)
		u.out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			u.out.WriteString("\n" + noNewline + "\n")
		}
	}
}

// patchArg reads argument i, a patch.
func patchArg(t *eval.Thread, a *eval.Args, i int) []filePatch {
	text := a.String(i)
	if a.Err() == nil {
		a.Fail(reserveLines(t, text))
	}
	if a.Err() != nil {
		return nil
	}
	files, err := parsePatch(text, t.Tick)
	a.Fail(err)
	return files
}

func diffApply(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	content := a.String(0)
	files := patchArg(t, &a, 1)
	if a.Err() == nil {
		a.Fail(reserveLines(t, content, a.String(1)))
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	patched, _, err := applyPatch(content, files, t.Tick)
	return value.String(patched), err
}

func diffHunks(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	var hunks []Value
	for _, f := range patchArg(t, &a, 0) {
		hunks = append(hunks, hunkMaps(t, f.hunks)...)
	}
	return t.Heap().List(hunks), a.Err()
}

func hunkMaps(t *eval.Thread, hunks []hunk) []Value {
	maps := make([]Value, len(hunks))
	for i, h := range hunks {
		lines := make([]Value, len(h.lines))
		for k, line := range h.lines {
			lines[k] = value.String(strings.Clone(line)) // none keeps the whole patch alive
		}
		maps[i] = value.Map(value.Keyword("header"), value.String(strings.Clone(h.header)),
			value.Keyword("old-start"), value.Int(int64(h.oldStart)), value.Keyword("old-count"), value.Int(int64(h.oldCount)),
			value.Keyword("new-start"), value.Int(int64(h.newStart)), value.Keyword("new-count"), value.Int(int64(h.newCount)),
			value.Keyword("lines"), t.Heap().List(lines))
	}
	return maps
}

func diffParse(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	parsed := patchArg(t, &a, 0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	path := func(s string, has bool) Value {
		if !has {
			return value.Nil
		}
		return value.String(strings.Clone(s))
	}
	files := make([]Value, len(parsed))
	for i, f := range parsed {
		files[i] = value.Map(value.Keyword("old-path"), path(f.oldPath, f.hasOld), value.Keyword("new-path"), path(f.newPath, f.hasNew),
			value.Keyword("hunks"), t.Heap().List(hunkMaps(t, f.hunks)))
	}
	return value.Map(value.Keyword("files"), t.Heap().List(files)), nil
}

func diffStat(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	hunks, added, removed := 0, 0, 0
	for _, f := range patchArg(t, &a, 0) {
		hunks += len(f.hunks)
		for _, h := range f.hunks {
			for _, line := range h.lines {
				switch line[0] {
				case '+':
					added++
				case '-':
					removed++
				}
			}
		}
	}
	return value.Map(value.Keyword("added"), value.Int(int64(added)), value.Keyword("removed"), value.Int(int64(removed)),
		value.Keyword("hunks"), value.Int(int64(hunks))), a.Err()
}
