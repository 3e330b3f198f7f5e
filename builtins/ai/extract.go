package ai

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

func extractBuiltins() []eval.Builtin {
	const noRun = "needs a provider"
	return []eval.Builtin{
		{Name: "llm/extract", Arity: eval.Between(2, 3), Fn: llmExtract, Caps: eval.CapLLM,
			Doc: "(llm/extract schema text [{:retries 2 :validate #t :reask? #t ...}]) asks a model for what a text says, as a map with the schema's keys. A value of the schema is {:type :string " +
				":optional #t :validate f :message \"...\"}, which is checked; a bare type such as :number, which is only told to the model; a map for an object; or [type] for a list. What does not fit is " +
				"sent back with the problems, :retries times. Other options are those of llm/complete, but for :retries, which attempts have from llm/with-retry. A reply that was cut off is an error of " +
				"the :kind :truncated, and is not asked for again.",
			NoRun: noRun},
		{Name: "llm/extract-from-image", Arity: eval.Between(2, 3), Fn: llmExtractFromImage, Caps: eval.CapLLM | eval.CapFSRead,
			Doc:   "(llm/extract-from-image schema image [options]) is llm/extract of a picture or a PDF document: a bytevector, or the path of a file.",
			NoRun: noRun},
		{Name: "llm/last-extraction", Arity: eval.Exactly(0), Fn: llmLastExtraction, Caps: eval.CapLLM,
			Doc: "(llm/last-extraction) is how the last llm/extract went: {:attempts :repaired? :problems}, where :problems lists what was wrong with each reply that did not fit, and :repaired? says whether " +
				"the one that did had to be made valid JSON first; nil before the first.",
			Example: "(llm/last-extraction) ; => nil"},
		{Name: "llm/classify", Arity: eval.Between(2, 3), Fn: llmClassify, Caps: eval.CapLLM,
			Doc:   "(llm/classify categories text [options]) asks a model which of the categories, keywords or strings, fits a text, and answers that category. A reply that names none is an error of the :kind :parse.",
			NoRun: noRun},
	}
}

// extraction is an llm/extract on its way.
type extraction struct {
	asking
	schema           *shape
	retries          int
	validates, reask bool

	attempts int
	repaired bool
	problems []string // of the replies that did not fit, one each
}

var extractOptions = append(slices.Clone(completeOptions), "validate", "reask?")

func readExtraction(who string, schema, options eval.Value) (*extraction, error) {
	x := &extraction{}
	var err error
	if x.schema, err = readShape(schema, 0); err != nil {
		return nil, err
	}
	if x.schema.fields == nil {
		return nil, eval.TypeError("a schema, a map from names to types such as {:age {:type :number}}", schema)
	}
	a, err := readAsking(who, value.String("-"), options, extractOptions, func(o *eval.Options) {
		x.retries = int(o.Int("retries", 2))
		if x.retries < 0 || x.retries > maxRetries {
			o.Bad("retries", "a number of further requests, 0 or more,")
		}
		x.validates, x.reask = o.Bool("validate", true), o.Bool("reask?", true)
	})
	if err != nil {
		return nil, err
	}
	x.asking = *a
	x.own.retries = nil // those of the attempts are others
	return x, nil
}

func llmExtract(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	texts := eval.ArgsOf(args)
	text := texts.String(1)
	if err := texts.Err(); err != nil {
		return value.Nil, err
	}
	x, err := readExtraction("llm/extract", args[0], optionsAt(args, 2))
	if err != nil {
		return value.Nil, err
	}
	x.req.Messages = []llm.Message{llm.User(x.instruction("the text below") + "\n\nText:\n" + text)}
	return x.run(t)
}

func llmExtractFromImage(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	x, err := readExtraction("llm/extract-from-image", args[0], optionsAt(args, 2))
	if err != nil {
		return value.Nil, err
	}
	data, err := imageBytes(t, args[1])
	if err != nil {
		return value.Nil, err
	}
	image, err := llm.NewImage(data, "")
	if err != nil {
		return value.Nil, &eval.Error{Kind: eval.KindEval, Message: "llm/extract-from-image: " + err.Error(), Cause: err}
	}
	x.req.Messages = []llm.Message{{Role: llm.RoleUser, Parts: []llm.Part{{Text: x.instruction("the image")}, {Image: image}}}}
	return x.run(t)
}

// imageBytes reads a bytevector, or the file that a path names.
func imageBytes(t *eval.Thread, v eval.Value) (data []byte, err error) {
	path, ok := v.AsString()
	if !ok {
		a := eval.ArgsOf([]eval.Value{value.Nil, v})
		data = a.Bytes(1)
		return data, a.Err()
	}
	err = t.Blocking(func(context.Context) error {
		info, err := os.Stat(path)
		if err == nil && info.Size() > llm.MaxImage {
			return fmt.Errorf("%s has more than 20 MiB", path)
		}
		if err == nil {
			data, err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		return nil, fileError("llm/extract-from-image", err)
	}
	return data, nil
}

func (x *extraction) instruction(source string) string {
	return "Extract what " + source + " says. Answer with a JSON object alone, of this shape:\n" + x.schema.describe()
}

// run asks until a reply fits.
func (x *extraction) run(t *eval.Thread) (eval.Value, error) {
	s := stateOf(t)
	s.extraction = x
	first := x.req.Messages
	for {
		x.attempts++
		reply, err := complete(t, x.req, x.own)
		if err != nil {
			return value.Nil, err
		}
		v, problems, err := x.read(t, reply)
		if err != nil || len(problems) == 0 {
			return v, err
		}
		x.problems = append(x.problems, strings.Join(problems, "; "))
		if x.attempts > x.retries {
			return value.Nil, x.failed(reply)
		}
		if x.reask {
			x.req.Messages = append(slices.Clip(first), reply.Message(),
				llm.User("That does not fit: "+strings.Join(problems, "; ")+". Answer again with the whole JSON object alone."))
		}
	}
}

// read finds the object in a reply, and what does not fit. The error is one that
// asking again would not cure.
func (x *extraction) read(t *eval.Thread, reply *llm.Response) (v eval.Value, problems []string, err error) {
	object, ok := llm.FindJSON(reply.Text)
	if !ok && reply.StopReason == llm.StopLength {
		e := noJSON(reply)
		e.Fields[1] = keyword("truncated")
		return value.Nil, nil, e
	}
	if x.repaired = false; !ok {
		object, ok = llm.RepairJSON(reply.Text)
		x.repaired = ok
	}
	if !ok {
		return value.Nil, []string{"the reply has no JSON object"}, nil
	}
	if v, err = valueOfJSON(object); err != nil {
		return value.Nil, []string{"the JSON cannot be read: " + err.Error()}, nil
	}
	if x.validates {
		problems, err = x.schema.check(t, v)
	}
	return v, problems, err
}

// failed is the error of an extraction whose replies never fitted.
func (x *extraction) failed(reply *llm.Response) error {
	e := eval.Errorf(eval.KindLLM, "extraction failed after %d attempts: %s", x.attempts, x.problems[len(x.problems)-1])
	e.Hint = "{:retries n} asks more often, :optional #t lets a key be missing, {:validate #f} takes what comes"
	e.Fields = []eval.Value{keyword("kind"), keyword(string(llm.KindParse)), keyword("problems"), stringList(x.problems), keyword("response"), value.String(reply.Text)}
	return e
}

func llmLastExtraction(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	x := stateOf(t).extraction
	if x == nil {
		return value.Nil, nil
	}
	return value.Map(keyword("attempts"), value.Int(int64(x.attempts)), keyword("repaired?"), value.Bool(x.repaired), keyword("problems"), stringList(x.problems)), nil
}

func llmClassify(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	a := eval.ArgsOf(args)
	categories, text := a.Elems(0), a.String(1)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	var names []string
	for _, c := range categories {
		name := plainName(c)
		if name == "" || c.IsSymbol() {
			return value.Nil, eval.TypeError("a category, a keyword or a string,", c)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return value.Nil, eval.Errorf(eval.KindEval, "llm/classify needs at least one category")
	}
	q, err := readAsking("llm/classify", value.String("-"), optionsAt(args, 2), completeOptions, nil)
	if err != nil {
		return value.Nil, err
	}
	q.req.Messages = []llm.Message{llm.User("Which of these categories fits the text below best? " + strings.Join(names, ", ") +
		"\nAnswer with the name of one category alone.\n\nText:\n" + text)}
	reply, err := complete(t, q.req, q.own)
	if err != nil {
		return value.Nil, err
	}
	if i := categoryIn(reply.Text, names); i >= 0 {
		return categories[i], nil
	}
	e := eval.Errorf(eval.KindLLM, "the model named none of the categories %s", strings.Join(names, ", "))
	e.Fields = []eval.Value{keyword("kind"), keyword(string(llm.KindParse)), keyword("response"), value.String(reply.Text)}
	return value.Nil, e
}

// categoryIn is the index of the category that a reply names: it is the reply, or
// the only one that stands in it as a word; -1 if there is none.
func categoryIn(reply string, names []string) int {
	plain := strings.ToLower(strings.Trim(reply, " \t\r\n.:\"'`*"))
	found := -1
	for i, name := range names {
		name = strings.ToLower(name)
		if plain == name {
			return i
		}
		if hasWord(plain, name) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// hasWord reports whether a word stands in a text, with nothing of another word
// around it.
func hasWord(text, word string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(word)
		if (at == 0 || !isWordByte(text[at-1])) && (end == len(text) || !isWordByte(text[end])) {
			return true
		}
		from = at + 1
	}
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c >= 0x80
}
