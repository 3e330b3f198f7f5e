package reader

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Each of these texts is a trap for a reader that looks ahead too far, or counts
// lines again and again. Quadratic time would be minutes.
func TestReadingTakesLinearTime(t *testing.T) {
	for _, piece := range []string{
		"#t", "#t ", "#f\n", "#e.5 ", "#e1.5 ", "#xF ", "1+", "1-2", "1-2i ", "+i ", "1/2-", "1+1/2", "-", "- ", "+1 ", "1/", "1e1e", ".", ".a ", "(a . b)", ":a", "a:b", "a#", "#\\a ",
		"#\\(", "'a ", "\"\" ", "f\"$$\"", "f\"${x}\"", "#\"\\\\\"", "\"\\u0041\"", "#;a ", "#||#", "#|#||#|#", ";\n", "\n", "λ ", "\u00a0",
		"() ", "[]", "{}", "#u8() ", "#(%) ", "12345678901234567890 ", "1/3 ", "(a\n(b)) ",
	} {
		text := strings.Repeat(piece, 300_000/len(piece))
		start := time.Now()
		_, err := ReadAll(source(text))
		require.NoError(t, err, "%q", piece)
		require.Less(t, time.Since(start), 8*time.Second, "%q", piece)
	}
	for _, text := range []string{
		"\"" + strings.Repeat("\\q", 1<<20), "f\"" + strings.Repeat("$", 1<<20), "#|" + strings.Repeat("#||#", 1<<20), "#|" + strings.Repeat("|", 1<<20),
		"\"\\u" + strings.Repeat("a", 1<<20), strings.Repeat("\n", 1<<20) + ")", "#" + strings.Repeat("a", 1<<20), "#\\" + strings.Repeat("λ", 1<<20),
		"#x" + strings.Repeat("z", 1<<20), "#u8([" + strings.Repeat("1 ", 1<<20) + "])", "-" + strings.Repeat("7", 1<<20) + "i", "#(%" + strings.Repeat("9", 1<<20),
	} {
		start := time.Now()
		_, err := ReadAll(source(text))
		require.Error(t, err, "%q", text[:20])
		require.Less(t, len(err.Error()), 200)
		require.Less(t, time.Since(start), 8*time.Second, "%q", text[:20])
	}
}
