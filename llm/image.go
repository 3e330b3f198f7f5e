package llm

import (
	"net/http"
	"slices"
	"strings"
)

// Image is a picture or a document that goes with a message's text. Its data
// must not change.
type Image struct {
	MediaType string // one of [MediaTypes]
	Data      []byte
}

// MaxImage bounds an image, in bytes: no provider takes more.
const MaxImage = 20 << 20

// MediaTypes returns what may be sent.
func MediaTypes() []string {
	return []string{"image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"}
}

// NewImage checks an image. An empty media type is found out from the data. The
// error is an [*OptionError].
func NewImage(data []byte, mediaType string) (*Image, error) {
	switch {
	case len(data) == 0:
		return nil, &OptionError{Option: "image", Want: "bytes of a picture", Got: "none"}
	case len(data) > MaxImage:
		return nil, &OptionError{Option: "image", Want: "at most 20 MiB", Got: len(data)}
	}
	if mediaType == "" {
		mediaType = http.DetectContentType(data)
	}
	if !slices.Contains(MediaTypes(), mediaType) {
		return nil, &OptionError{Option: "media-type", Want: "one of " + strings.Join(MediaTypes(), ", "), Got: mediaType}
	}
	return &Image{MediaType: mediaType, Data: data}, nil
}

// IsPDF tells documents from pictures.
func (i *Image) IsPDF() bool { return i.MediaType == "application/pdf" }

// Images returns the images of the message.
func (m Message) Images() (all []*Image) {
	for _, p := range m.Parts {
		if p.Image != nil {
			all = append(all, p.Image)
		}
	}
	return all
}
