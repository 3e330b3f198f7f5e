package core

import (
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func documentBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "document/create", Arity: eval.Exactly(2), Fn: documentCreate,
			Doc:     "(document/create text metadata) is a document: a map of its :text and its :metadata, a map.",
			Example: "(document/create \"Hello\" {:page 1}) ; => {:metadata {:page 1} :text \"Hello\"}"},
		{Name: "document/text", Arity: eval.Exactly(1), Fn: documentPart("text"),
			Doc: "(document/text doc) is the document's text.", Example: "(document/text {:text \"Hello\" :metadata {}}) ; => \"Hello\""},
		{Name: "document/metadata", Arity: eval.Exactly(1), Fn: documentPart("metadata"),
			Doc: "(document/metadata doc) is the document's metadata.", Example: "(document/metadata {:text \"Hello\" :metadata {:page 1}}) ; => {:page 1}"},
		{Name: "document/chunk", Arity: eval.Between(1, 2), Fn: documentChunk,
			Doc:     "(document/chunk doc [{:size 1000 :overlap 200}]) cuts a document as text/chunk does, into documents whose metadata say also :chunk-index and :total-chunks.",
			Example: "(map document/metadata (document/chunk {:text \"one two\" :metadata {:page 1}} {:size 4 :overlap 0})) ; => ({:chunk-index 0 :page 1 :total-chunks 2} {:chunk-index 1 :page 1 :total-chunks 2})"},
		{Name: "prompt/template", Arity: eval.Exactly(1), Fn: promptTemplate,
			Doc: "(prompt/template text) is a text for prompt/render: itself.", Example: "(prompt/template \"Hello {{name}}\") ; => \"Hello {{name}}\""},
		{Name: "prompt/render", Arity: eval.Exactly(2), Fn: promptRender,
			Doc:     "(prompt/render template values) puts values, a map with keywords for keys, in the place of {{their-keys}}. Other braces stay, also those in the values.",
			Example: "(prompt/render \"Hello {{name}}, {{missing}}\" {:name \"Bob\"}) ; => \"Hello Bob, {{missing}}\""},
	}
}

func newDocument(text, metadata Value) Value {
	return value.Map(value.Keyword("text"), text, value.Keyword("metadata"), metadata)
}

func documentCreate(_ *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	a.String(0)
	if !args[1].IsMap() {
		a.Bad(1, "a map")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	return newDocument(args[0], args[1]), nil
}

// fieldOf reads a part of a document.
func fieldOf(doc Value, name string) (Value, error) {
	if !doc.IsMap() {
		return value.Nil, eval.TypeError("a document, a map with :text and :metadata", doc)
	}
	v, ok := doc.Get(value.Keyword(name))
	if !ok {
		return value.Nil, eval.Errorf(eval.KindEval, "no document: %s has no :%s", eval.Brief(doc), name)
	}
	return v, nil
}

func documentPart(name string) builtinFunc {
	return func(_ *eval.Thread, args []Value) (Value, error) { return fieldOf(args[0], name) }
}

// documentParts are a document's text and its metadata, which may be missing.
func documentParts(doc Value) (text string, metadata Value, err error) {
	v, err := fieldOf(doc, "text")
	if err != nil {
		return "", value.Nil, err
	}
	text, ok := v.AsString()
	if !ok {
		return "", value.Nil, eval.TypeError("a string for the :text of a document", v)
	}
	metadata, _ = doc.Get(value.Keyword("metadata"))
	switch {
	case metadata.IsNil():
		metadata = value.EmptyMap()
	case !metadata.IsMap():
		return "", value.Nil, eval.TypeError("a map for the :metadata of a document", metadata)
	}
	return text, metadata, nil
}

func documentChunk(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	text, metadata, err := documentParts(args[0])
	a.Fail(err)
	o := eval.OptionsOf("document/chunk", a.Value(1), "size", "overlap")
	c := newChunker(t, text, o)
	a.Fail(o.Err())
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	chunks, err := c.chunks()
	if err != nil {
		return value.Nil, err
	}
	if len(chunks) == 0 {
		chunks = []Value{value.String("")}
	}
	if err := reserve(t, int64(len(chunks)), 32*valueSize); err != nil { // a map in a map each
		return value.Nil, err
	}
	metadata = metadata.Assoc(value.Keyword("total-chunks"), value.Int(int64(len(chunks))))
	for i, chunk := range chunks {
		chunks[i] = newDocument(chunk, metadata.Assoc(value.Keyword("chunk-index"), value.Int(int64(i))))
		if err := t.Tick(8); err != nil {
			return value.Nil, err
		}
	}
	return t.Heap().List(chunks), nil
}

func promptTemplate(_ *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	a.String(0)
	return args[0], a.Err()
}

// promptRender reads the template once: what it puts in is not looked at.
func promptRender(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	template, values := a.String(0), named(a.Map(1))
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	b := text{t: t}
	for template != "" && b.err == nil {
		before, rest, _ := strings.Cut(template, "{{")
		b.add(before)
		key, after, closed := strings.Cut(rest, "}}")
		v, known := values[key]
		switch {
		case closed && known:
			b.add(value.Display(v))
			template = after
		default: // as it stands, with the braces
			n := len(template) - len(after)
			b.add(template[len(before):n])
			template = after
		}
	}
	return b.value()
}

// named are the values of a map by the names of their keywords: making a
// keyword of every text in braces would keep all of them.
func named(m Value) map[string]Value {
	values := make(map[string]Value, m.Len())
	for k, v := range m.Entries() {
		if name, ok := k.KeywordName(); ok {
			values[name] = v
		}
	}
	return values
}
