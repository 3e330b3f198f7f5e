package sys

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gosema/gosema/eval"
)

// nearby is how many lines a hunk may be off when it fits in more than one
// place. Further away it goes only where it fits alone.
const nearby = 3

// patching is the application of hunks to a text, from top to bottom.
type patching struct {
	lines   []string // of the text, without their ends
	endless bool     // the text does not end with a line break
	out     []string
	at      int // how many lines are done
	drift   int // how far the last hunk was from where it said
	tick    func(n int) error
}

// applyPatch returns the patched text and how many hunks it applied.
func applyPatch(content string, files []filePatch, tick func(n int) error) (string, int, error) {
	hunks, err := hunksOfOne(files)
	if err != nil {
		return "", 0, err
	}
	p := patching{tick: tick}
	if content != "" {
		p.lines = strings.Split(strings.TrimSuffix(content, "\n"), "\n")
		p.endless = !strings.HasSuffix(content, "\n")
	}
	p.out = make([]string, 0, len(p.lines))
	for i := range hunks {
		if err := p.apply(&hunks[i], i+1); err != nil {
			return "", 0, err
		}
	}
	p.out = append(p.out, p.lines[p.at:]...)
	if len(p.out) > 0 && !p.endless {
		p.out = append(p.out, "")
	}
	return strings.Join(p.out, "\n"), len(hunks), tick(len(p.out))
}

// hunksOfOne are the hunks of a patch that changes one file, in the order of
// their places.
func hunksOfOne(files []filePatch) ([]hunk, error) {
	var hunks []hunk
	changed := map[string]bool{}
	for _, f := range files {
		if len(f.hunks) > 0 {
			hunks = append(hunks, f.hunks...)
			changed[f.newPath] = true
		}
	}
	if len(changed) > 1 {
		return nil, eval.Errorf(eval.KindEval, "the patch changes %d files, and can be applied to one text only if it changes one", len(changed))
	}
	hunks = slices.Clone(hunks)
	slices.SortStableFunc(hunks, func(a, b hunk) int { return a.oldStart - b.oldStart })
	return hunks, nil
}

// wanted are the lines that a hunk expects to find.
func (h *hunk) wanted() (lines []string) {
	for _, line := range h.lines {
		if line[0] == ' ' || line[0] == '-' {
			lines = append(lines, line[1:])
		}
	}
	return lines
}

func (p *patching) apply(h *hunk, n int) error {
	wanted := h.wanted()
	from, same, err := p.locate(h, n, wanted)
	if err != nil {
		return err
	}
	p.drift = from - h.place()
	p.out = append(p.out, p.lines[p.at:from]...)
	p.at = from
	end := "" // of lines that the patch adds, when it says nothing about \r
	if len(wanted) > 0 && p.lines[from] != wanted[0] {
		end = trailingCR(p.lines[from])
	}
	for _, line := range h.lines {
		switch line[0] {
		case ' ':
			p.out = append(p.out, p.lines[p.at])
			p.at++
		case '-':
			p.at++
		case '+':
			added := line[1:]
			if !same {
				added = withoutCR(added) + end
			}
			p.out = append(p.out, added)
		}
	}
	if p.at == len(p.lines) {
		p.endless = h.endless(p.endless)
	}
	return p.tick(len(h.lines))
}

// endless tells whether the text ends without a line break behind a hunk that
// reaches its end; remarks in the hunk say so, and without any it stays as it is.
func (h *hunk) endless(before bool) bool {
	after := before
	for i, line := range h.lines {
		if i == 0 || line[0] != '\\' {
			continue
		}
		if after = h.lines[i-1][0] != '-'; after {
			return true
		}
	}
	return after
}

// place is where a hunk says it belongs, in lines from 0: one that finds nothing
// there stands behind the line that it names.
func (h *hunk) place() int {
	if h.oldCount == 0 {
		return h.oldStart
	}
	return max(h.oldStart-1, 0)
}

// locate finds the place of a hunk: lines that are the same first, then lines that
// are but for a \r at their ends.
func (p *patching) locate(h *hunk, n int, wanted []string) (from int, same bool, err error) {
	at := h.place() + p.drift
	if len(wanted) == 0 {
		if at < p.at || at > len(p.lines) {
			return 0, false, eval.Errorf(eval.KindEval, "%s does not fit: it adds behind line %d, and the text has %d lines", h.name(n), h.oldStart, len(p.lines))
		}
		return at, true, nil
	}
	for _, same := range []bool{true, false} {
		from, places, err := p.search(wanted, at, same)
		if err != nil {
			return 0, false, err
		}
		if places == 1 {
			return from, same, nil
		}
		if places > 1 {
			return 0, false, eval.Errorf(eval.KindEval, "%s does not fit at line %d, and in more than one place further away", h.name(n), at+1)
		}
	}
	return 0, false, p.misfit(h, n, wanted, at)
}

// search finds where the lines wanted stand: as near to at as can be, or else in
// how many places.
func (p *patching) search(wanted []string, at int, same bool) (from, places int, err error) {
	for off := range nearby + 1 {
		for _, from := range []int{at - off, at + off} {
			if ok, err := p.fits(wanted, from, same); ok || err != nil {
				return from, 1, err
			}
		}
	}
	for i := p.at; i+len(wanted) <= len(p.lines) && places < 2; i++ {
		ok, err := p.fits(wanted, i, same)
		if err != nil {
			return 0, 0, err
		}
		if ok {
			from = i
			places++
		}
	}
	return from, places, nil
}

func (p *patching) fits(wanted []string, from int, same bool) (bool, error) {
	if from < p.at || from+len(wanted) > len(p.lines) {
		return false, nil
	}
	i := 0
	for i < len(wanted) && sameLine(p.lines[from+i], wanted[i], same) {
		i++
	}
	return i == len(wanted), p.tick(1 + i)
}

func sameLine(line, wanted string, same bool) bool {
	return line == wanted || !same && withoutCR(line) == withoutCR(wanted)
}

func withoutCR(line string) string  { return strings.TrimSuffix(line, "\r") }
func trailingCR(line string) string { return line[len(withoutCR(line)):] }

// misfit says what stands where the hunk should.
func (p *patching) misfit(h *hunk, n int, wanted []string, at int) error {
	say := func(format string, args ...any) error {
		e := eval.Errorf(eval.KindEval, "%s does not fit: %s", h.name(n), fmt.Sprintf(format, args...))
		e.Hint = "nothing was changed; make the patch again from the text as it is now"
		return e
	}
	if at < p.at {
		return say("it would change lines that the hunk before it changed")
	}
	for i, want := range wanted {
		switch {
		case at+i >= len(p.lines):
			return say("it expects %q at line %d, and the text has %d lines", clipped(want), at+i+1, len(p.lines))
		case !sameLine(p.lines[at+i], want, false):
			return say("it expects %q at line %d, which is %q", clipped(want), at+i+1, clipped(p.lines[at+i]))
		}
	}
	return say("its lines are not in the text")
}
