//go:build unix

package sys_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/builtins/core"
	"github.com/gosema/gosema/builtins/sys"
	"github.com/gosema/gosema/eval"
)

var streamLibrary = eval.NewLibrary(core.Builtins(), sys.Builtins()).WithConstants(sys.Constants())

func TestCloseWritesWhatIsLeft(t *testing.T) {
	dir, lines := inDir(t, `
		(define out (stream/open-output "$/a.txt")) ; => out
		(stream/write-string out "kept") ; => 4
	`)
	in := eval.New(eval.Config{Library: streamLibrary})
	for range 2 { // an interpreter may be used again after Close
		checks(t, in, strings.ReplaceAll(lines, "; => out", "; => nil"))
		in.Close()
		data, err := os.ReadFile(filepath.Join(dir, "a.txt"))
		require.NoError(t, err)
		require.Equal(t, "kept", string(data))
		checks(t, in, `(begin (stream/write-string out "x") (stream/flush out)) ; !! it was closed
			(stream/close out) ; => nil`)
	}
}

// A read of a pipe can be cancelled, and what comes later is not lost.
func TestCancelledStreamRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	w, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer w.Close()
	in := eval.New(eval.Config{Library: streamLibrary})
	defer in.Close()
	checks(t, in, `(define s (stream/open-input "`+path+`")) ; => nil`)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = run(ctx, in, "(stream/read-line s)")
	require.Equal(t, eval.KindTimeout, eval.AsError(err).Kind)
	checks(t, in, `(stream/available? s) ; => #f`)
	_, err = w.WriteString("late\n")
	require.NoError(t, err)
	checks(t, in, `(stream/read-line s) ; => "late"`)
}

// Threads that read the same stream get each byte once, and each line whole.
func TestStreamIsShared(t *testing.T) {
	r, w := io.Pipe()
	in := eval.New(eval.Config{Library: streamLibrary, Stdin: r})
	lines := make(chan string, 200)
	for range 4 {
		go func() {
			for {
				s, err := run(context.Background(), in, "(stream/read-line *stdin*)")
				if err != nil || s == "nil" {
					lines <- "end"
					return
				}
				lines <- s
			}
		}()
	}
	line := strings.Repeat("x", 50)
	for range 100 {
		_, err := w.Write([]byte(line[:20]))
		require.NoError(t, err)
		_, err = w.Write([]byte(line[20:] + "\n"))
		require.NoError(t, err)
	}
	w.Close()
	seen := map[string]int{}
	for range 104 {
		seen[<-lines]++
	}
	require.Equal(t, map[string]int{`"` + line + `"`: 100, "end": 4}, seen)
}

// Tasks that write to one file wait for each other.
func TestWritersTakeTurns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	in := eval.New(eval.Config{Library: streamLibrary})
	checks(t, in, `(define s (stream/open-output "`+path+`")) ; => nil
		(define line (string-append (string/repeat "y" 9999) "\n")) ; => nil`)
	done := make(chan error, 4)
	for range 4 {
		go func() {
			_, err := run(context.Background(), in, "(for-each (fn (i) (stream/write-string s line)) (range 50))")
			done <- err
		}()
	}
	for range 4 {
		require.NoError(t, <-done)
	}
	in.Close()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat(strings.Repeat("y", 9999)+"\n", 200), string(data))
}

func TestStreamsAreBounded(t *testing.T) {
	in := eval.New(eval.Config{Library: streamLibrary, Limits: eval.Limits{HeapBytes: 64 << 20}})
	defer in.Close()
	for _, src := range []string{
		`(stream/read-all (stream/open-input "/dev/zero"))`,
		`(stream/read-line (stream/open-input "/dev/zero"))`,
		`(stream/read (stream/open-input "/dev/zero") 1000000000)`,
		`(stream/copy (stream/open-input "/dev/zero") (stream/byte-buffer))`,
		`(let ((b (stream/byte-buffer)) (x (string/repeat "x" 100000))) (let loop () (stream/write-string b x) (loop)))`,
	} {
		_, err := run(t.Context(), in, src)
		require.ErrorContains(t, err, "memory limit", src)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := run(ctx, eval.New(eval.Config{Library: streamLibrary}), `(stream/copy (stream/open-input "/dev/zero") (stream/open-output "/dev/null") 1000000000000)`)
	require.Equal(t, eval.KindTimeout, eval.AsError(err).Kind)
}

func TestStreamsAreDenied(t *testing.T) {
	in := eval.New(eval.Config{Library: streamLibrary, Deny: eval.CapAll})
	for _, src := range []string{`(stream/open-input "/etc/passwd")`, `(stream/open-output "x")`} {
		_, err := run(t.Context(), in, src)
		require.Equal(t, eval.KindPermission, eval.AsError(err).Kind)
	}
	checks(t, in, `(stream/read-byte (stream/from-string "a")) ; => 97`)
}
