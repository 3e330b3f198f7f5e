package eval

// Nearest returns the candidate that name is most likely a misspelling of, ""
// if none is near: at most a third of its letters differ.
func Nearest(name string, candidates []string) string {
	best, bestDistance := "", len([]rune(name))/3+1
	for _, c := range candidates {
		if d := distance([]rune(name), []rune(c), bestDistance); d < bestDistance || d == bestDistance && best == "" && d <= 1 {
			best, bestDistance = c, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete, change or swap with a
// neighbour to get from a to b; limit+1 when it is more than limit.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(prev[j+1]+1, row[j]+1, prev[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
