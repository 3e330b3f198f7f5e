package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// writes records each write.
type writes struct {
	mu  sync.Mutex
	all []string
	err error
}

func (w *writes) list() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.all)
}

func (w *writes) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, string(p))
	return len(p), w.err
}

func TestOutputGathersWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w writes
		o := newOutput(&w)
		for i := range 3 {
			fmt.Fprintln(o, i)
		}
		require.Empty(t, w.list())
		time.Sleep(2 * maxDelay)
		require.Equal(t, []string{"0\n1\n2\n"}, w.list())
		_, _ = o.WriteString("more")
		time.Sleep(2 * maxDelay)
		require.Equal(t, []string{"0\n1\n2\n", "more"}, w.list())
	})
}

func TestOutputIsCompleteAndInOrder(t *testing.T) {
	var got, want bytes.Buffer
	o := newOutput(&got)
	for i := range 50_000 {
		fmt.Fprintln(o, i)
		fmt.Fprintln(&want, i)
	}
	huge := strings.Repeat("x", 10*outputBuffer)
	_, _ = o.WriteString(huge)
	want.WriteString(huge)
	require.NoError(t, o.Flush())
	require.True(t, bytes.Equal(want.Bytes(), got.Bytes()))
}

func TestOutputToATerminalDoesNotWait(t *testing.T) {
	var w writes
	o := &output{w: &w, tty: true}
	_, _ = o.WriteString("a")
	_, _ = o.WriteString("b")
	require.Equal(t, []string{"a", "b"}, w.list())
}

func TestOutputKeepsItsFirstError(t *testing.T) {
	w := writes{err: errors.New("full")}
	o := newOutput(&w)
	_, err := o.WriteString("a")
	require.NoError(t, err)
	require.EqualError(t, o.Flush(), "full")
	_, err = o.WriteString("b")
	require.EqualError(t, err, "full")
	require.EqualError(t, o.Flush(), "full")
	require.Equal(t, []string{"a"}, w.list())
	require.False(t, o.broken())
}

func TestErrorsComeBehindOutput(t *testing.T) {
	var w writes
	o := newOutput(&w)
	_, _ = o.WriteString("out ")
	_, _ = after{o, &w}.Write([]byte("err"))
	require.Equal(t, []string{"out ", "err"}, w.list())
}

func TestBrokenPipeIsQuiet(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	defer w.Close()
	var stderr bytes.Buffer
	code := run(t.Context(), []string{"-e", `(let loop () (println "y") (loop))`}, strings.NewReader(""), w, &stderr)
	require.Equal(t, exitError, code)
	require.Empty(t, stderr.String())
}

func BenchmarkOutputLines(b *testing.B) {
	o := newOutput(io.Discard)
	for b.Loop() {
		_, _ = o.WriteString("a line of usual length\n")
	}
}
