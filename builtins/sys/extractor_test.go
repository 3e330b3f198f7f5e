package sys

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExtractedBytesAreBounded(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	defer root.Close()
	x := &extractor{ctx: t.Context(), root: root, made: map[string]bool{}, left: 10}
	require.NoError(t, x.extract(entry{name: "a", r: strings.NewReader("12345678")}))
	require.NoError(t, x.extract(entry{name: "b", r: strings.NewReader("90")}))
	require.ErrorContains(t, x.extract(entry{name: "c", r: strings.NewReader("1")}), "refused: it has more than")
	x.count = maxEntries
	require.ErrorContains(t, x.extract(entry{name: "d", r: strings.NewReader("")}), "entries")
}
