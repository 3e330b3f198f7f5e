package sys

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func free(int) error { return nil }

func unifiedOf(t testing.TB, before, after string, context int) string {
	u := unified{a: splitLines(before), b: splitLines(after), context: context}
	changes, err := diffLines(u.a, u.b, free)
	require.NoError(t, err)
	if len(changes) == 0 {
		return ""
	}
	u.context = min(context, len(u.a))
	u.write(changes)
	return u.out.String()
}

// roundTrip: the diff of two texts makes the one of the other.
func roundTrip(t testing.TB, before, after string, context int) {
	t.Helper()
	patch := unifiedOf(t, before, after, context)
	files, err := parsePatch(patch, free)
	require.NoError(t, err, patch)
	got, _, err := applyPatch(before, files, free)
	require.NoError(t, err, patch)
	require.Equal(t, after, got, patch)
}

// FuzzDiffApply: what diff/unified writes, diff/apply understands, whatever the
// texts are.
func FuzzDiffApply(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc\n", uint8(3))
	f.Add("", "a", uint8(0))
	f.Add("a\r\nb\r\n", "-- x\n++ y\n\\ No newline at end of file\n", uint8(1))
	f.Add("\n\n@@ -1 +1 @@\n", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y", uint8(2))
	f.Fuzz(func(t *testing.T, before, after string, context uint8) { roundTrip(t, before, after, int(context)) })
}

// FuzzPatch: any text is a patch or an error, and so is any text it is applied to.
func FuzzPatch(f *testing.F) {
	f.Add("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "a\nb\n")
	f.Add("@@ -1 +1 @@\r\n\n-- \n\\", "\r\n")
	f.Fuzz(func(t *testing.T, patch, content string) {
		files, err := parsePatch(patch, free)
		if err != nil {
			return
		}
		for _, f := range files {
			for _, h := range f.hunks {
				for _, line := range h.lines {
					require.NotEmpty(t, line)
				}
			}
		}
		_, _, _ = applyPatch(content, files, free)
	})
}

// randomLines are n lines of few kinds, so that many are equal.
func randomLines(random *rand.Rand, n, kinds int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(byte('a' + random.IntN(kinds)))
		b.WriteByte('\n')
	}
	return b.String()
}

// TestDiffIsLeast compares the number of changed lines with the table method's.
func TestDiffIsLeast(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		before := randomLines(random, random.IntN(25), 1+random.IntN(6))
		after := randomLines(random, random.IntN(25), 1+random.IntN(6))
		roundTrip(t, before, after, random.IntN(4))
		a, b := splitLines(before), splitLines(after)
		runs, err := diffLines(a, b, free)
		require.NoError(t, err)
		changed := 0
		for _, c := range runs {
			changed += c.a1 - c.a0 + c.b1 - c.b0
		}
		require.Equal(t, len(a)+len(b)-2*longestCommon(a, b), changed, "%q %q", before, after)
	}
}

func longestCommon(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		corner := 0
		for j, y := range b {
			above := row[j+1]
			if row[j+1] = max(above, row[j]); x == y {
				row[j+1] = corner + 1
			}
			corner = above
		}
	}
	return row[len(b)]
}

// TestDiffIsBounded: texts that have much in common and hardly anything in its
// place.
func TestDiffIsBounded(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	before, after := randomLines(random, 60_000, 26), randomLines(random, 60_000, 26)
	start := time.Now()
	roundTrip(t, before, after, 3)
	require.Less(t, time.Since(start), 30*time.Second)
	t.Log(time.Since(start))
}
