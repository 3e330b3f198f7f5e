package llm_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gosema/gosema/llm"
	"github.com/gosema/gosema/llm/llmtest"
)

const (
	png = "\x89PNG\r\n\x1a\nrest"
	pdf = "%PDF-1.7 rest"
)

func TestNewImage(t *testing.T) {
	for data, want := range map[string]string{png: "image/png", "\xff\xd8\xff\xe0": "image/jpeg", "GIF89a": "image/gif",
		"RIFF\x00\x00\x00\x00WEBPVP8 ": "image/webp", pdf: "application/pdf"} {
		i, err := llm.NewImage([]byte(data), "")
		require.NoError(t, err, want)
		assert.Equal(t, want, i.MediaType)
	}
	given, err := llm.NewImage([]byte("whatever"), "image/png")
	require.NoError(t, err)
	assert.Equal(t, "image/png", given.MediaType)
	for _, c := range []struct {
		data        []byte
		media, want string
	}{
		{nil, "", ":image must be bytes of a picture, got none"},
		{[]byte("plain text"), "", ":media-type must be one of image/png, image/jpeg, image/gif, image/webp, application/pdf, got text/plain"},
		{[]byte(png), "image/tiff", "got image/tiff"},
		{bytes.Repeat([]byte("x"), llm.MaxImage+1), "image/png", "at most 20 MiB"},
	} {
		_, err := llm.NewImage(c.data, c.media)
		require.ErrorContains(t, err, c.want)
	}
}

func TestImagesOnTheWire(t *testing.T) {
	const text, pngData, pdfData = `"what is this?"`, `iVBORw0KGgpyZXN0`, `JVBERi0xLjcgcmVzdA==`
	cases := map[llmtest.Dialect][2]string{
		llmtest.OpenAI: {`[{"type":"text","text":` + text + `},{"type":"image_url","image_url":{"url":"data:image/png;base64,` + pngData + `"}}]`,
			`{"type":"file","file":{"filename":"document.pdf","file_data":"data:application/pdf;base64,` + pdfData + `"}}`},
		llmtest.Anthropic: {`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + pngData + `"}}`,
			`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"` + pdfData + `"}}`},
		llmtest.Gemini: {`{"inlineData":{"mimeType":"image/png","data":"` + pngData + `"}}`, `{"inlineData":{"mimeType":"application/pdf","data":"` + pdfData + `"}}`},
		llmtest.Ollama: {`"content":` + text + `,"images":["` + pngData + `"]`, ""},
	}
	for dialect, want := range cases {
		for i, data := range []string{png, pdf} {
			r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "a picture"}}}})
			image, err := llm.NewImage([]byte(data), "")
			require.NoError(t, err)
			req := &llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Parts: []llm.Part{{Text: "what is this?"}, {Image: image}}}}}
			reply, err := r.streamCall().Complete(t.Context(), req)
			if want[i] == "" {
				require.ErrorContains(t, err, "no PDF documents")
				assert.Empty(t, r.Requests())
				continue
			}
			require.NoError(t, err)
			assert.Equal(t, "a picture", reply.Text)
			assert.Contains(t, string(r.Requests()[0].Body), want[i], dialect)
		}
	}
}

// TestImagesAreEncodedInPlace: a body has room for its images from the start, so
// that they are not moved while it is written.
func TestImagesAreEncodedInPlace(t *testing.T) {
	image, err := llm.NewImage(append([]byte(png), make([]byte, 3<<20)...), "")
	require.NoError(t, err)
	req := question()
	req.Model = "m"
	for range 3 {
		req.Messages[0].Parts = append(req.Messages[0].Parts, llm.Part{Image: image})
	}
	allDialects(t, func(t *testing.T, dialect llmtest.Dialect) {
		r := newRig(t, dialect, llmtest.Config{Script: llmtest.Script{Replies: []llmtest.Reply{{Text: "ok"}}}})
		_, err := r.streamCall().Complete(t.Context(), req)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(r.Requests()[0].Body), req.Size())
		assert.Less(t, req.Size()-len(r.Requests()[0].Body), 32<<10)
	})
}

func TestImagesOfTheSystem(t *testing.T) {
	req := question()
	req.Messages = append(req.Messages, llm.Message{Role: llm.RoleSystem, Parts: []llm.Part{{Image: &llm.Image{MediaType: "image/png", Data: []byte(png)}}}})
	require.ErrorContains(t, req.Validate(), ":image must be in a message of the user")
}

func TestImagesCount(t *testing.T) {
	image, err := llm.NewImage(append([]byte(png), make([]byte, 1<<20)...), "")
	require.NoError(t, err)
	plain := question()
	req := question()
	req.Messages[0].Parts = append(req.Messages[0].Parts, llm.Part{Image: image})
	assert.Greater(t, req.EstimateTokens(), plain.EstimateTokens()+500)
	assert.Less(t, req.EstimateTokens(), 5000, "an image is not priced by its bytes")
	assert.Greater(t, req.Size(), 1<<20)
	assert.NotEqual(t, plain.Fingerprint(), req.Fingerprint())
}
