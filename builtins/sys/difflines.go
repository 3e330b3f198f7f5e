package sys

import "strings"

// change is a run of lines of the old text, from a0 to a1, which the lines b0 to
// b1 of the new one take the place of. Either run may be empty.
type change struct{ a0, a1, b0, b1 int }

// differ finds out what to change to make one sequence of lines of another, by
// the method of Myers ("An O(ND) difference algorithm", 1986) in linear space.
type differ struct {
	a, b            []int32 // a number for each different line
	removed, added  []bool  // by place in a and b
	forward, behind []int   // the furthest place reached on each diagonal, from both ends
	limit           int
	tick            func(n int) error
}

const (
	// maxEdits and diffWork bound the search for the least change: where more
	// than limit lines differ in a row of changes, the best of what was tried is
	// taken, and the result is correct but may be longer than it need be.
	maxEdits = 1024
	minEdits = 64
	diffWork = 1 << 26
)

// diffLines lists the changes in order, with an equal line between any two.
func diffLines(a, b []string, tick func(n int) error) ([]change, error) {
	ids := make(map[string]int32, len(a))
	x, y := numbered(a, ids), numbered(b, ids)
	d := differ{removed: make([]bool, len(a)), added: make([]bool, len(b)), tick: tick}
	atA, atB := d.shared(x, y, len(ids))
	d.limit = max(min(maxEdits, diffWork/(len(d.a)+len(d.b)+1)), minEdits)
	d.limit = min(d.limit, len(d.a)+len(d.b)+1)
	d.forward, d.behind = make([]int, 2*d.limit+3), make([]int, 2*d.limit+3)
	inA, inB := make([]bool, len(d.a)), make([]bool, len(d.b))
	whole := differ{a: d.a, b: d.b, removed: inA, added: inB, forward: d.forward, behind: d.behind, limit: d.limit, tick: tick}
	if err := whole.compare(0, len(d.a), 0, len(d.b)); err != nil {
		return nil, err
	}
	for i, at := range atA {
		d.removed[at] = inA[i]
	}
	for i, at := range atB {
		d.added[at] = inB[i]
	}
	return changeRuns(d.removed, d.added), tick(len(a) + len(b))
}

func numbered(lines []string, ids map[string]int32) []int32 {
	out := make([]int32, len(lines))
	for i, line := range lines {
		id, ok := ids[line]
		if !ok {
			id = int32(len(ids))
			ids[line] = id
		}
		out[i] = id
	}
	return out
}

// shared keeps the lines that both have, and marks the others changed, which they
// are in any case. It tells where the lines kept stood.
func (d *differ) shared(x, y []int32, n int) (atA, atB []int) {
	const inX, inY = 1, 2
	seen := make([]byte, n)
	for _, id := range x {
		seen[id] |= inX
	}
	for _, id := range y {
		seen[id] |= inY
	}
	keep := func(ids []int32, changed []bool) (kept []int32, at []int) {
		for i, id := range ids {
			if changed[i] = seen[id] != inX|inY; !changed[i] {
				kept, at = append(kept, id), append(at, i)
			}
		}
		return kept, at
	}
	d.a, atA = keep(x, d.removed)
	d.b, atB = keep(y, d.added)
	return atA, atB
}

// changeRuns joins marked lines that stand beside each other.
func changeRuns(removed, added []bool) (out []change) {
	i, j := 0, 0
	for i < len(removed) || j < len(added) {
		c := change{a0: i, b0: j}
		for i < len(removed) && removed[i] {
			i++
		}
		for j < len(added) && added[j] {
			j++
		}
		if c.a1, c.b1 = i, j; c.a0 < i || c.b0 < j {
			out = append(out, c)
			continue
		}
		i, j = i+1, j+1
	}
	return out
}

// compare marks what differs between a[a0:a1] and b[b0:b1]. It halves the work,
// and calls itself for the first half only.
func (d *differ) compare(a0, a1, b0, b1 int) error {
	for {
		for a0 < a1 && b0 < b1 && d.a[a0] == d.b[b0] {
			a0, b0 = a0+1, b0+1
		}
		for a0 < a1 && b0 < b1 && d.a[a1-1] == d.b[b1-1] {
			a1, b1 = a1-1, b1-1
		}
		if a0 == a1 || b0 == b1 {
			mark(d.removed[a0:a1])
			mark(d.added[b0:b1])
			return nil
		}
		x, y, err := d.split(a0, a1, b0, b1)
		if err != nil {
			return err
		}
		if err := d.compare(a0, a0+x, b0, b0+y); err != nil {
			return err
		}
		a0, b0 = a0+x, b0+y
	}
}

func mark(lines []bool) {
	for i := range lines {
		lines[i] = true
	}
}

const unreached = -1 << 40

// split finds a place in the middle of a shortest way from one corner to the
// other, searching from both at once. The two differ in their first lines and in
// their last.
func (d *differ) split(a0, a1, b0, b1 int) (x, y int, err error) {
	n, m := a1-a0, b1-b0
	delta := n - m
	fromStart := func(x, y int) bool { return d.a[a0+x] == d.b[b0+y] }
	fromEnd := func(x, y int) bool { return d.a[a1-1-x] == d.b[b1-1-y] }
	for edits := range d.limit {
		if err := d.tick(1 + edits/8); err != nil {
			return 0, 0, err
		}
		reached := func(k, x int) bool { // the search from the end, on the same diagonal
			back := delta - k
			return delta%2 != 0 && abs(back) < edits && x+d.behind[back+d.limit+1] >= n
		}
		if x, k, ok := d.advance(d.forward, n, m, edits, fromStart, reached); ok {
			return x, x - k, nil
		}
		reached = func(k, x int) bool {
			ahead := delta - k
			return delta%2 == 0 && abs(ahead) <= edits && x+d.forward[ahead+d.limit+1] >= n
		}
		if x, k, ok := d.advance(d.behind, n, m, edits, fromEnd, reached); ok {
			return n - x, m - (x - k), nil
		}
	}
	x, y = d.furthest(n, m)
	return x, y, nil
}

// advance goes one edit further on every diagonal, and then along equal lines; it
// stops where the other search has been.
func (d *differ) advance(v []int, n, m, edits int, equal func(x, y int) bool, reached func(k, x int) bool) (x, k int, ok bool) {
	zero := d.limit + 1
	low, high := -edits, edits
	if edits > m {
		low = -m + (edits-m)%2
	} else {
		v[zero+low-1] = unreached
	}
	if edits > n {
		high = n - (edits-n)%2
	} else {
		v[zero+high+1] = unreached
	}
	if edits == 0 {
		v[zero+1] = 0
	}
	for k := low; k <= high; k += 2 {
		x := v[zero+k+1] // a line of b added
		if right := v[zero+k-1] + 1; right > x && right <= n {
			x = right // a line of a removed
		}
		if x < 0 || x-k > m {
			v[zero+k] = unreached
			continue
		}
		for x < n && x-k < m && equal(x, x-k) {
			x++
		}
		if v[zero+k] = x; reached(k, x) {
			return x, k, true
		}
	}
	return 0, 0, false
}

// furthest is where the search from the start came furthest.
func (d *differ) furthest(n, m int) (x, y int) {
	zero, edits := d.limit+1, d.limit-1
	for k := max(-edits, -m); k <= min(edits, n); k++ {
		if at := d.forward[zero+k]; (k+edits)%2 == 0 && at >= 0 && at+at-k > x+y {
			x, y = at, at-k
		}
	}
	return x, y
}

func abs(n int) int { return max(n, -n) }

// splitLines is text in lines with their ends.
func splitLines(text string) []string {
	lines := make([]string, 0, strings.Count(text, "\n")+1)
	for line := range strings.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}
