package sys_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/sys"
	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// FuzzTimeParse: any text and any format are read or refused, and what was read
// comes back when it is written and read again.
func FuzzTimeParse(f *testing.F) {
	for _, format := range roundTrips {
		f.Add("2025-01-15 12:10:00", format)
	}
	f.Add("Wed Jan 15 12:10:00 2025 +02:00 UTC .5", "%c %::z %Z %.f")
	f.Add("1736943000", "%s%3f%%")
	in := eval.New(eval.Config{Library: eval.NewLibrary(sys.Builtins()), Stderr: io.Discard})
	f.Fuzz(func(t *testing.T, text, format string) {
		at, ok := fuzzTime(t, in, "time/parse", value.String(text), value.String(format))
		if !ok {
			return
		}
		if seconds, _ := at.AsFloat(); seconds < -62135596800 {
			return // before the year 1, which time/format does not take
		}
		s, ok := fuzzTime(t, in, "time/format", at, value.String("%F %T"))
		require.True(t, ok)
		again, ok := fuzzTime(t, in, "time/parse", s, value.String("%F %T"))
		require.True(t, ok, s)
		require.Equal(t, at, again)
		_, ok = fuzzTime(t, in, "time/format", at, value.String(format))
		require.True(t, ok)
	})
}

func fuzzTime(t *testing.T, in *eval.Interp, name string, args ...value.Value) (value.Value, bool) {
	fn, _ := in.Global(name)
	v, err := in.Call(context.Background(), fn, args...)
	if err != nil {
		require.NotEqual(t, eval.KindInternal, eval.AsError(err).Kind, "%v", err)
	}
	return v, err == nil
}

// roundTrips are formats that say a whole time.
var roundTrips = []string{
	"%Y-%m-%d %H:%M:%S", "%F %T", "%c", "%D %r", "%d %B %Y %I:%M:%S %p", "%e-%b-%y %k.%M.%S", "%Y-%j %X", "%+", "%s", "%v %T",
	"%G-W%V-%u %T", "%g %V %a %T", "%Y/%U/%w %T", "%Y/%W/%A %l:%M:%S %P", "%C%y%m%d%H%M%S", "%-d.%-m.%Y %-H:%-M:%-S", "%F %T %a %A %b %U %W %V %j %u %w %z %Z",
}

// TestTimesComeBack writes every day of some years in every way and reads it.
func TestTimesComeBack(t *testing.T) {
	in := newInterp(strings.NewReader(""))
	for _, format := range roundTrips {
		for day := int64(3652); day < 3652+366*9; day++ { // 1980 to 1989
			at := value.Float(float64(day*86400 + day%86400))
			text, ok := fuzzTime(t, in, "time/format", at, value.String(format))
			require.True(t, ok, format)
			back, ok := fuzzTime(t, in, "time/parse", text, value.String(format))
			require.True(t, ok && back == at, fmt.Sprintf("%s %v: %v %v", format, text, at, back))
		}
	}
}
