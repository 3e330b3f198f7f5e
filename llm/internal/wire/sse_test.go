package wire

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

type gotEvent struct{ event, data string }

func readEvents(t testing.TB, r io.Reader, limit int) (got []gotEvent, err error) {
	t.Helper()
	e := NewEvents(r, limit)
	for {
		event, data, err := e.Next()
		if errors.Is(err, io.EOF) {
			return got, nil
		}
		if err != nil {
			return got, err
		}
		got = append(got, gotEvent{event, string(data)})
	}
}

func TestEvents(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []gotEvent
	}{
		"plain":                {"data: a\n\ndata: b\n\n", []gotEvent{{"", "a"}, {"", "b"}}},
		"named":                {"event: x\ndata: a\n\ndata: b\n\n", []gotEvent{{"x", "a"}, {"", "b"}}},
		"lines joined":         {"data: a\ndata: b\ndata:\n\n", []gotEvent{{"", "a\nb\n"}}},
		"CRLF":                 {"data: a\r\n\r\ndata: b\r\n\r\n", []gotEvent{{"", "a"}, {"", "b"}}},
		"CR":                   {"data: a\r\rdata: b\r\r", []gotEvent{{"", "a"}, {"", "b"}}},
		"mixed":                {"data: a\r\n\ndata: b\n\r\ndata: c\r\r", []gotEvent{{"", "a"}, {"", "b"}, {"", "c"}}},
		"no blank line at end": {"data: a\n\ndata: b", []gotEvent{{"", "a"}, {"", "b"}}},
		"comments":             {": hi\n\ndata: a\n: ping\n\nretry: 5\nid: 1\n\n", []gotEvent{{"", "a"}}},
		"byte order mark":      {"\xef\xbb\xbfdata: a\n\n", []gotEvent{{"", "a"}}},
		"one space only":       {"data:  a\ndata:b\n\n", []gotEvent{{"", " a\nb"}}},
		"no colon":             {"data\n\n", []gotEvent{{"", ""}}},
		"unknown field":        {"other: x\ndata: a\n\n", []gotEvent{{"", "a"}}},
		"event without data":   {"event: x\n\ndata: a\n\n", []gotEvent{{"", "a"}}},
		"text":                 {"data: é☃\xf0\x9f\x98\x80\n\n", []gotEvent{{"", "é☃😀"}}},
		"empty":                {"", nil},
		"blank":                {"\n\n\r\n", nil},
	} {
		for how, reader := range map[string]io.Reader{
			"whole": strings.NewReader(c.text), "byte by byte": iotest.OneByteReader(strings.NewReader(c.text)),
			"with the end": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			got, err := readEvents(t, reader, 1000)
			require.NoError(t, err, name)
			require.Equal(t, c.want, got, "%s, %s", name, how)
		}
	}
}

func TestEventsLimits(t *testing.T) {
	long := strings.Repeat("x", 4<<20)
	for _, reader := range []io.Reader{strings.NewReader("data: " + long + "\n\n"), iotest.OneByteReader(strings.NewReader("data: " + long + "\n\n"))} {
		got, err := readEvents(t, reader, 8<<20)
		require.NoError(t, err)
		require.Equal(t, long, got[0].data)
	}
	for _, text := range []string{"data: " + long + "\n\n", strings.Repeat("data: "+long[:1000]+"\n", 3000), long} {
		for _, reader := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			_, err := readEvents(t, reader, 1<<20)
			require.ErrorContains(t, err, "limit of 1048576 bytes")
		}
	}
	broken := io.MultiReader(strings.NewReader("data: a\n\ndata: b"), iotest.ErrReader(io.ErrUnexpectedEOF))
	got, err := readEvents(t, broken, 1000)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, []gotEvent{{"", "a"}}, got)
}

// FuzzEvents: however the text is cut into reads, the events are the same.
func FuzzEvents(f *testing.F) {
	f.Add("event: a\ndata: b\r\n\r\n: c\rdata\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		whole, err1 := readEvents(t, strings.NewReader(text), 1<<16)
		bytewise, err2 := readEvents(t, iotest.OneByteReader(strings.NewReader(text)), 1<<16)
		require.Equal(t, whole, bytewise)
		require.Equal(t, err1 == nil, err2 == nil)
	})
}
