package ai

import (
	"fmt"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

func promptBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "prompt/make", Arity: eval.AtLeast(0), Fn: makePrompt,
			Doc:     "(prompt/make message ...) is a prompt of these messages. The form (prompt (system \"...\") (user \"...\") ...) writes it more briefly.",
			Example: "(prompt (system \"Be brief.\") (user \"Hi\")) ; => <prompt 2 messages>"},
		{Name: "prompt/messages", Arity: eval.Exactly(1), Fn: promptMessages,
			Doc: "(prompt/messages prompt) lists its messages.", Example: "(prompt/messages (prompt (user \"Hi\"))) ; => (<message user \"Hi\">)"},
		{Name: "prompt/append", Aliases: []string{"prompt/concat"}, Arity: eval.AtLeast(1), Fn: promptAppend,
			Doc: "(prompt/append prompt ...) is a prompt of the messages of all, in order.", Example: "(prompt/append (prompt (system \"s\")) (prompt (user \"u\"))) ; => <prompt 2 messages>"},
		{Name: "prompt/fill", Arity: eval.Exactly(2), Fn: promptFill,
			Doc:     "(prompt/fill prompt values) puts values, a map with keywords for keys, in the place of {{their-keys}} in all messages. Other braces stay, also those in the values.",
			Example: "(prompt/messages (prompt/fill (prompt (user \"Hi {{name}}, {{how}}\")) {:name \"Ada\"})) ; => (<message user \"Hi Ada, {{how}}\">)"},
		{Name: "prompt/slots", Arity: eval.Exactly(1), Fn: promptSlots,
			Doc: "(prompt/slots prompt) lists the names in {{braces}} as keywords, each once.", Example: "(prompt/slots (prompt (user \"{{a}} {{b}} {{a}}\"))) ; => (:a :b)"},
		{Name: "prompt/set-system", Arity: eval.Exactly(2), Fn: promptSetSystem,
			Doc:     "(prompt/set-system prompt text) is the prompt with one message of the system, which comes first.",
			Example: "(prompt/messages (prompt/set-system (prompt (user \"u\") (system \"old\")) \"new\")) ; => (<message system \"new\"> <message user \"u\">)"},
		{Name: "prompt/union", Arity: eval.Exactly(2), Fn: promptSets(func(_, _ bool) bool { return true }, true),
			Doc: "(prompt/union a b) is a prompt of the messages of a and b, each once.", Example: "(prompt/union (prompt (user \"x\")) (prompt (user \"x\") (user \"y\"))) ; => <prompt 2 messages>"},
		{Name: "prompt/intersection", Arity: eval.Exactly(2), Fn: promptSets(func(_, inB bool) bool { return inB }, false),
			Doc: "(prompt/intersection a b) is a prompt of the messages that are in both, each once.", Example: "(prompt/intersection (prompt (user \"x\")) (prompt (user \"x\") (user \"y\"))) ; => <prompt 1 message>"},
		{Name: "prompt/difference", Arity: eval.Exactly(2), Fn: promptSets(func(_, inB bool) bool { return !inB }, false),
			Doc: "(prompt/difference a b) is a prompt of the messages of a that are not in b, each once.", Example: "(prompt/difference (prompt (user \"x\") (user \"y\")) (prompt (user \"x\"))) ; => <prompt 1 message>"},
		{Name: "prompt/diff", Arity: eval.Exactly(2), Fn: promptDiff,
			Doc:     "(prompt/diff a b) is {:added :removed}: the messages of b that are not in a, and those of a that are not in b.",
			Example: "(prompt/diff (prompt (user \"x\")) (prompt (user \"y\"))) ; => {:added (<message user \"y\">) :removed (<message user \"x\">)}"},
		{Name: "prompt?", Arity: eval.Exactly(1), Fn: func(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
			_, ok := promptOf(args[0])
			return value.Bool(ok), nil
		}, Doc: "(prompt? x) is true of what prompt makes.", Example: "(list (prompt? (prompt)) (prompt? \"hi\")) ; => (#t #f)"},
	}
}

// chatPrompt is a list of messages as a value of its own. It does not change.
type chatPrompt struct{ messages []*chatMessage }

func newPrompt(messages []*chatMessage) eval.Value {
	return value.NewOpaque(&value.Opaque{Type: "prompt", Data: &chatPrompt{messages}})
}

// Show prints <prompt 2 messages>.
func (p *chatPrompt) Show(emit func(string) bool) {
	noun := "messages"
	if len(p.messages) == 1 {
		noun = "message"
	}
	emit(fmt.Sprintf("<prompt %d %s>", len(p.messages), noun))
}

// Equal compares message by message.
func (p *chatPrompt) Equal(other any) bool {
	o, ok := other.(*chatPrompt)
	if !ok || len(o.messages) != len(p.messages) {
		return false
	}
	for i, m := range p.messages {
		if !m.Equal(o.messages[i]) {
			return false
		}
	}
	return true
}

// Hash agrees with Equal.
func (p *chatPrompt) Hash() uint32 {
	h := uint32(len(p.messages))
	for _, m := range p.messages {
		h = h*31 + m.Hash()
	}
	return h
}

func promptOf(v eval.Value) (*chatPrompt, bool) {
	if o, ok := v.AsOpaque(); ok {
		p, ok := o.Data.(*chatPrompt)
		return p, ok
	}
	return nil, false
}

// promptArg is an argument that must be a prompt.
func promptArg(v eval.Value) (*chatPrompt, error) {
	if p, ok := promptOf(v); ok {
		return p, nil
	}
	return nil, eval.TypeError("a prompt, made by (prompt (user \"...\") ...)", v)
}

func makePrompt(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
	messages := make([]*chatMessage, len(args))
	for i, x := range args {
		m, ok := messageOf(x)
		if !ok {
			return value.Nil, eval.TypeError("a message or one of (system ...), (user ...), (assistant ...) and (tool ...) in a prompt", x)
		}
		messages[i] = m
	}
	return newPrompt(messages), nil
}

// messageValues lists messages.
func messageValues(messages []*chatMessage) eval.Value {
	out := make([]eval.Value, len(messages))
	for i, m := range messages {
		out[i] = newMessage(m.Message)
	}
	return value.List(out...)
}

func promptMessages(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
	p, err := promptArg(args[0])
	if err != nil {
		return value.Nil, err
	}
	return messageValues(p.messages), nil
}

func promptAppend(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
	var all []*chatMessage
	for _, x := range args {
		p, err := promptArg(x)
		if err != nil {
			return value.Nil, err
		}
		all = append(all, p.messages...)
	}
	return newPrompt(all), nil
}

func promptSetSystem(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
	p, err := promptArg(args[0])
	a := eval.ArgsOf(args)
	a.Fail(err)
	system := &chatMessage{llm.Message{Role: llm.RoleSystem, Parts: []llm.Part{{Text: a.String(1)}}}}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	messages := []*chatMessage{system}
	for _, m := range p.messages {
		if m.Role != llm.RoleSystem {
			messages = append(messages, m)
		}
	}
	return newPrompt(messages), nil
}

// eachSlot calls f with the text before each {{name}} of a template, and with
// the name; with the rest in the end, and no name.
func eachSlot(template string, f func(before, name string, slot bool)) {
	for {
		before, rest, found := strings.Cut(template, "{{")
		name, after, closed := strings.Cut(rest, "}}")
		if !found || !closed {
			f(template, "", false)
			return
		}
		f(before, name, true)
		template = after
	}
}

func promptFill(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	p, err := promptArg(args[0])
	a := eval.ArgsOf(args)
	a.Fail(err)
	values := map[string]eval.Value{}
	for k, v := range a.Map(1).Entries() {
		if name, ok := k.KeywordName(); ok {
			values[name] = v
		}
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	messages := make([]*chatMessage, len(p.messages))
	size := 0
	for i, m := range p.messages {
		own := llm.Message{Role: m.Role}
		for _, part := range m.Parts {
			if part.Image == nil {
				part.Text = fill(part.Text, values)
				size += len(part.Text)
			}
			own.Parts = append(own.Parts, part)
		}
		if err := t.Reserve(int64(size)); err != nil {
			return value.Nil, err
		}
		messages[i] = &chatMessage{own}
	}
	return newPrompt(messages), t.Tick(1 + size/64)
}

// fill reads the template once: what it puts in is not looked at.
func fill(template string, values map[string]eval.Value) string {
	var b strings.Builder
	eachSlot(template, func(before, name string, slot bool) {
		b.WriteString(before)
		if v, known := values[name]; slot && known {
			b.WriteString(value.Display(v))
		} else if slot {
			b.WriteString("{{" + name + "}}")
		}
	})
	return b.String()
}

func promptSlots(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
	p, err := promptArg(args[0])
	if err != nil {
		return value.Nil, err
	}
	var slots []eval.Value
	seen := map[string]bool{"": true}
	for _, m := range p.messages {
		eachSlot(m.Text(), func(_, name string, _ bool) {
			if !seen[name] {
				seen[name] = true
				slots = append(slots, keyword(name))
			}
		})
	}
	return value.List(slots...), nil
}

// promptSets makes a prompt of the messages of a that keep says so about, and of
// those of b too if both is true; each once.
func promptSets(keep func(inA, inB bool) bool, both bool) func(*eval.Thread, []eval.Value) (eval.Value, error) {
	return func(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
		a, b, err := twoPrompts(args)
		if err != nil {
			return value.Nil, err
		}
		all := a.messages
		if both {
			all = append(append([]*chatMessage(nil), all...), b.messages...)
		}
		return newPrompt(kept(all, keysOf(a), keysOf(b), keep)), nil
	}
}

func twoPrompts(args []eval.Value) (a, b *chatPrompt, err error) {
	if a, err = promptArg(args[0]); err != nil {
		return nil, nil, err
	}
	b, err = promptArg(args[1])
	return a, b, err
}

func keysOf(p *chatPrompt) map[string]bool {
	keys := map[string]bool{}
	for _, m := range p.messages {
		keys[m.key()] = true
	}
	return keys
}

// kept are the messages that keep wants, without those that came before.
func kept(messages []*chatMessage, inA, inB map[string]bool, keep func(inA, inB bool) bool) (out []*chatMessage) {
	seen := map[string]bool{}
	for _, m := range messages {
		key := m.key()
		if !seen[key] && keep(inA[key], inB[key]) {
			out = append(out, m)
		}
		seen[key] = true
	}
	return out
}

func promptDiff(_ *eval.Thread, args []eval.Value) (eval.Value, error) {
	a, b, err := twoPrompts(args)
	if err != nil {
		return value.Nil, err
	}
	inA, inB := keysOf(a), keysOf(b)
	added := kept(b.messages, inA, inB, func(inA, _ bool) bool { return !inA })
	removed := kept(a.messages, inA, inB, func(_, inB bool) bool { return !inB })
	return value.Map(keyword("added"), messageValues(added), keyword("removed"), messageValues(removed)), nil
}
