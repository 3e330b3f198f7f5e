package ai

import (
	"hash/fnv"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

func messageBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "message", Aliases: []string{"message/make"}, Arity: eval.AtLeast(2), Fn: makeMessage,
			Doc:     "(message role part ...) is a message of the role :system, :user, :assistant or :tool, whose content are the parts as text, joined.",
			Example: "(message :user \"The answer is \" (+ 6 7)) ; => <message user \"The answer is 13\">"},
		{Name: "message/with-image", Arity: eval.Between(3, 4), Fn: messageWithImage,
			Doc: "(message/with-image role text image [{:media-type \"image/png\"}]) is a message of a text and a picture or a PDF document, a bytevector of at most 20 MiB. " +
				"The media type is found out from the bytes unless it is given.",
			Example: "(message/content (message/with-image :user \"What is this?\" (bytevector 137 80 78 71 13 10 26 10))) ; => \"What is this?\""},
		{Name: "message/role", Arity: eval.Exactly(1), Fn: messageRole,
			Doc: "(message/role message) is its role, a keyword.", Example: "(message/role (message :user \"hi\")) ; => :user"},
		{Name: "message/content", Arity: eval.Exactly(1), Fn: messageContent,
			Doc: "(message/content message) is its text.", Example: "(message/content (message :user \"hi\")) ; => \"hi\""},
		{Name: "message?", Arity: eval.Exactly(1), Fn: func(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
			_, ok := messageOf(args[0])
			return value.Bool(ok), nil
		}, Doc: "(message? x) is true of what message makes.", Example: "(list (message? (message :user \"hi\")) (message? \"hi\")) ; => (#t #f)"},
	}
}

// chatMessage is a message as a value of the language. It does not change.
type chatMessage struct{ llm.Message }

func newMessage(m llm.Message) eval.Value {
	return value.NewOpaque(&value.Opaque{Type: "message", Data: &chatMessage{m}})
}

// Show prints <message role "text">.
func (m *chatMessage) Show(emit func(string) bool) {
	_ = emit("<message "+string(m.Role)+" ") && emit(value.Write(value.String(m.Text()))) && emit(">")
}

// Equal compares role, text and images.
func (m *chatMessage) Equal(other any) bool {
	o, ok := other.(*chatMessage)
	return ok && m.key() == o.key()
}

// Hash agrees with Equal.
func (m *chatMessage) Hash() uint32 {
	h := fnv.New32a()
	h.Write([]byte(m.key()))
	return h.Sum32()
}

// key tells messages apart.
func (m *chatMessage) key() string {
	key := string(m.Role) + "\x00" + m.Text()
	for _, i := range m.Images() {
		key += "\x00" + string(i.Data)
	}
	return key
}

// messageOf is the message that v is.
func messageOf(v eval.Value) (*chatMessage, bool) {
	if o, ok := v.AsOpaque(); ok {
		m, ok := o.Data.(*chatMessage)
		return m, ok
	}
	return nil, false
}

// roleOf reads a role.
func roleOf(v eval.Value) (llm.Role, error) {
	name, _ := v.KeywordName()
	switch role := llm.Role(name); role {
	case llm.RoleSystem, llm.RoleUser, llm.RoleAssistant, llm.RoleTool:
		return role, nil
	}
	return "", eval.TypeError("the role :system, :user, :assistant or :tool", v)
}

func makeMessage(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	role, err := roleOf(args[0])
	if err != nil {
		return value.Nil, err
	}
	var b strings.Builder
	for _, part := range args[1:] {
		b.WriteString(value.Display(part))
		if err := t.Reserve(int64(b.Len())); err != nil {
			return value.Nil, err
		}
	}
	return newMessage(llm.Message{Role: role, Parts: []llm.Part{{Text: b.String()}}}), nil
}

func messageWithImage(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	role, err := roleOf(args[0])
	if err != nil {
		return value.Nil, err
	}
	a := eval.ArgsOf(args)
	text, data := a.String(1), a.Bytes(2)
	options := value.Nil
	if len(args) == 4 {
		options = args[3]
	}
	o := eval.OptionsOf("message/with-image", options, "media-type")
	mediaType := o.String("media-type", "")
	a.Fail(o.Err())
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	image, err := llm.NewImage(data, mediaType)
	if err != nil {
		return value.Nil, &eval.Error{Kind: eval.KindEval, Message: "message/with-image: " + err.Error(), Cause: err}
	}
	return newMessage(llm.Message{Role: role, Parts: []llm.Part{{Text: text}, {Image: image}}}), nil
}

// messageArg is an argument that must be a message.
func messageArg(v eval.Value) (*chatMessage, error) {
	if m, ok := messageOf(v); ok {
		return m, nil
	}
	return nil, eval.TypeError("a message, made by (message :user \"...\")", v)
}

func messageRole(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
	m, err := messageArg(args[0])
	if err != nil {
		return value.Nil, err
	}
	return keyword(string(m.Role)), nil
}

func messageContent(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
	m, err := messageArg(args[0])
	if err != nil {
		return value.Nil, err
	}
	return value.String(m.Text()), nil
}
