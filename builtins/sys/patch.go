package sys

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gosema/gosema/eval"
)

// hunk is one place that a unified diff changes. Its lines begin with a space,
// +, - or, for a remark, a backslash.
type hunk struct {
	header                                 string
	oldStart, oldCount, newStart, newCount int
	lines                                  []string
}

// filePatch is what a patch says about one file; a path may be missing.
type filePatch struct {
	oldPath, newPath string
	hasOld, hasNew   bool
	hunks            []hunk
}

// noNewline is the remark that the line before it ends the text without a line
// break.
const noNewline = `\ No newline at end of file`

var hunkHeader = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

// patchParser reads a unified diff. It takes what people and models write: counts
// that are wrong, blank lines without their space, words between the files. What
// could make it lose a change is an error.
type patchParser struct {
	lines []string // without their ends
	at    int
	crlf  bool // the patch itself has lines that end with \r\n, which says nothing about the text
	files []filePatch
	tick  func(n int) error
}

func parsePatch(text string, tick func(n int) error) ([]filePatch, error) {
	p := patchParser{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n"), tick: tick}
	for p.at < len(p.lines) {
		if err := p.outside(p.lines[p.at]); err != nil {
			return nil, err
		}
	}
	return p.files, nil
}

// outside takes a line that is not in a hunk.
func (p *patchParser) outside(line string) error {
	p.at++
	switch {
	case strings.HasPrefix(line, "--- "):
		p.files = append(p.files, filePatch{oldPath: patchPath(line), hasOld: true})
	case strings.HasPrefix(line, "+++ "):
		f := p.file()
		if f.hasNew || len(f.hunks) > 0 {
			p.files = append(p.files, filePatch{})
			f = p.file()
		}
		f.newPath, f.hasNew = patchPath(line), true
	case strings.HasPrefix(line, "@@"):
		h, err := p.header(line)
		if err == nil {
			err = p.body(&h)
		}
		if err != nil {
			return err
		}
		f := p.file()
		f.hunks = append(f.hunks, h)
	}
	return p.tick(1)
}

// file is the file that the patch is about at the moment.
func (p *patchParser) file() *filePatch {
	if len(p.files) == 0 {
		p.files = append(p.files, filePatch{})
	}
	return &p.files[len(p.files)-1]
}

// patchPath is the path in a header, without the time that may follow it.
func patchPath(line string) string {
	path, _, _ := strings.Cut(line[len("--- "):], "\t")
	return strings.TrimSuffix(path, "\r")
}

func (p *patchParser) header(line string) (hunk, error) {
	m := hunkHeader.FindStringSubmatch(line)
	if m == nil {
		e := eval.Errorf(eval.KindEval, "line %d of the patch is no header of a hunk: %q", p.at, clipped(line))
		e.Hint = "a hunk begins with @@ -line,count +line,count @@"
		return hunk{}, e
	}
	p.crlf = strings.HasSuffix(line, "\r")
	return hunk{header: m[0], oldStart: headerNumber(m[1]), oldCount: headerNumber(m[2]), newStart: headerNumber(m[3]), newCount: headerNumber(m[4])}, nil
}

// headerNumber is a number of a header; a count that is left out is 1.
func headerNumber(digits string) int {
	if digits == "" {
		return 1
	}
	n, _ := strconv.Atoi(digits)
	return n
}

func clipped(line string) string {
	if len(line) > 60 {
		return strings.ToValidUTF8(line[:57], "") + "..."
	}
	return line
}

// body reads the lines of a hunk. Within its counts a line that begins with --- is
// one to remove; behind them, lines that look like changes still belong to it.
func (p *patchParser) body(h *hunk) error {
	left := remaining{h.oldCount, h.newCount}
	for ; p.at < len(p.lines); p.at++ {
		line := p.line(p.at)
		if p.ends(line, left) {
			return nil
		}
		if line == "" {
			line = " " // an editor took the space away
		}
		switch line[0] {
		case ' ', '+', '-', '\\':
			h.lines = append(h.lines, line)
			left.take(line[0])
		default:
			return p.stray(line, left)
		}
		if err := p.tick(1); err != nil {
			return err
		}
	}
	return nil
}

func (p *patchParser) line(i int) string {
	if p.crlf {
		return strings.TrimSuffix(p.lines[i], "\r")
	}
	return p.lines[i]
}

// stray is a line that cannot be part of a hunk: what follows a hunk that is
// complete does not matter.
func (p *patchParser) stray(line string, left remaining) error {
	if left.none() {
		return nil
	}
	return eval.Errorf(eval.KindEval, "line %d of the patch begins with neither a space nor + or -: %q", p.at+1, clipped(line))
}

// ends reports whether the line behind a hunk was reached.
func (p *patchParser) ends(line string, left remaining) bool {
	switch {
	case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "diff --git "), strings.HasPrefix(line, "Index: "):
		return true
	case p.newFile(p.at):
		// Counts that are right have the last word.
		return left != remaining{1, 1}
	case line == "-- ": // a mail's signature follows
		return left.none()
	case line == "":
		return left.none() && !p.goesOn(p.at+1)
	}
	return false
}

// newFile reports whether the headers of a file stand at line i.
func (p *patchParser) newFile(i int) bool {
	return p.starts(i, "--- ") && p.starts(i+1, "+++ ") && (i+2 >= len(p.lines) || p.starts(i+2, "@@"))
}

func (p *patchParser) starts(i int, prefix string) bool {
	return i < len(p.lines) && strings.HasPrefix(p.lines[i], prefix)
}

// goesOn reports whether line i looks like a part of a hunk.
func (p *patchParser) goesOn(i int) bool {
	return i < len(p.lines) && !p.newFile(i) && p.line(i) != "-- " && (p.starts(i, " ") || p.starts(i, "+") || p.starts(i, "-"))
}

// remaining is how many lines of each side a hunk still has by its header.
type remaining struct{ old, new int }

func (r *remaining) take(marker byte) {
	if marker == ' ' || marker == '-' {
		r.old--
	}
	if marker == ' ' || marker == '+' {
		r.new--
	}
}

func (r remaining) none() bool { return r.old <= 0 && r.new <= 0 }

// name is how an error calls hunk n.
func (h *hunk) name(n int) string { return fmt.Sprintf("hunk %d (%s)", n, h.header) }
