package main

import (
	"bytes"
	"context"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInterruptsOfAScript(t *testing.T) {
	i := &interrupts{}
	require.Equal(t, 130, i.handle(os.Interrupt), "between evaluations")
	ctx, done := i.during(t.Context())
	require.Zero(t, i.handle(os.Interrupt))
	require.ErrorContains(t, context.Cause(ctx), "interrupted")
	require.Equal(t, 130, i.handle(os.Interrupt))
	require.Equal(t, 130, done())

	_, done = i.during(t.Context())
	require.Zero(t, done(), "the next one was not interrupted")

	ctx, done = i.during(t.Context())
	require.Zero(t, i.handle(syscall.SIGTERM))
	require.ErrorContains(t, context.Cause(ctx), "terminated")
	require.Equal(t, 143, done())
}

func TestInterruptsOfASession(t *testing.T) {
	var stderr bytes.Buffer
	i := &interrupts{session: true, err: &stderr}
	require.Zero(t, i.handle(os.Interrupt), "at the prompt")
	require.Equal(t, 143, i.handle(syscall.SIGTERM), "at the prompt")
	_, done := i.during(t.Context())
	require.Zero(t, i.handle(os.Interrupt))
	require.Empty(t, stderr.String())
	require.Zero(t, i.handle(os.Interrupt))
	require.Contains(t, stderr.String(), "once more")
	require.Equal(t, 130, i.handle(os.Interrupt))
	done()
}
