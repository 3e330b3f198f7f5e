package core

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

// FuzzHTMLWeight: the tree of a text takes no more memory than was asked for.
func FuzzHTMLWeight(f *testing.F) {
	f.Add("<p>hello<p>world")
	f.Add("<b a=1><i b=2><p>x<p>y<table>z<a><div></a></b><u><div>")
	in := eval.New(eval.Config{Library: eval.NewLibrary(Builtins())})
	f.Fuzz(func(t *testing.T, text string) {
		_, err := in.Do(context.Background(), func(th *eval.Thread) (value.Value, error) {
			w := newHTMLWeight()
			require.NoError(t, w.measure(th, text))
			doc, err := parseHTML(th, text)
			if err != nil {
				return value.Nil, err
			}
			takes := int64(0)
			for n := range doc.Descendants() {
				takes += 128 + int64(len(n.Attr))*64
				if n.Type == html.TextNode {
					takes += int64(len(n.Data))
				}
			}
			require.LessOrEqual(t, takes, w.total+1024)
			return value.Nil, nil
		})
		if err != nil {
			require.NotEqual(t, eval.KindInternal, eval.AsError(err).Kind)
		}
	})
}
