package main

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func nothing() {}

func TestInputReads(t *testing.T) {
	text := strings.Repeat("some text\n", 20_000)
	require.NoError(t, iotest.TestReader(newInput(strings.NewReader(text), nothing), []byte(text)))
}

func TestInputSharesLines(t *testing.T) {
	in := newInput(strings.NewReader("one\ntwo\nthree\nfour"), nothing)
	line, err := in.ReadLine()
	require.NoError(t, err)
	require.Equal(t, "one\n", line)

	p := make([]byte, 100)
	n, err := programInput{in, true}.Read(p)
	require.NoError(t, err)
	require.Equal(t, "two\n", string(p[:n]))

	n, err = typed{in}.Read(p)
	require.NoError(t, err)
	require.Equal(t, "t", string(p[:n]))

	rest, err := io.ReadAll(programInput{in, false})
	require.NoError(t, err)
	require.Equal(t, "hree\nfour", string(rest))
	_, err = in.ReadLine()
	require.ErrorIs(t, err, io.EOF)
}

// TestInputKeepsWhatAGivenUpReadBrings: text that comes after a program was
// interrupted is for whoever reads next.
func TestInputKeepsWhatAGivenUpReadBrings(t *testing.T) {
	r, w := io.Pipe()
	in := newInput(r, nothing)
	ctx, cancel := context.WithCancel(t.Context())
	undo := in.during(ctx)
	in.before = cancel // when the reader is about to wait
	n, err := programInput{in, false}.Read(make([]byte, 10))
	require.NoError(t, err)
	require.Zero(t, n)
	_, err = in.Read(make([]byte, 10))
	require.ErrorIs(t, err, errGivenUp)
	undo()
	in.before = func() { go func() { _, _ = w.Write([]byte("later\n")) }() }
	line, err := in.ReadLine()
	require.NoError(t, err)
	require.Equal(t, "later\n", line)
}

func TestInputShowsOutputBeforeWaiting(t *testing.T) {
	shown := 0
	in := newInput(strings.NewReader("a\nb\n"), func() { shown++ })
	_, _ = in.ReadLine()
	require.Equal(t, 1, shown)
	_, _ = in.ReadLine() // is there already
	require.Equal(t, 1, shown)
}

func TestEndOfFileIsNotForEver(t *testing.T) {
	in := newInput(io.MultiReader(strings.NewReader("a")), nothing)
	all, err := io.ReadAll(in)
	require.NoError(t, err)
	require.Equal(t, "a", string(all))
	in.src = strings.NewReader("b")
	all, err = io.ReadAll(in)
	require.NoError(t, err)
	require.Equal(t, "b", string(all))
}
