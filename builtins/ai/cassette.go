package ai

import (
	"context"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
	"github.com/gosema/gosema/llm"
)

type tapeKey struct{} // *llm.Tape

func cassetteBuiltins() []eval.Builtin {
	const caps, noRun = eval.CapLLM | eval.CapFSRead | eval.CapFSWrite, "writes a file"
	return []eval.Builtin{
		{Name: "llm/with-cassette", Arity: eval.Between(2, 3), Fn: llmWithCassette, Caps: caps,
			Doc: "(llm/with-cassette path [{:mode :auto}] thunk) calls thunk; its llm/* calls are replayed from the tape at path. :auto makes calls that are not on it and records them, " +
				":record makes and records all, :replay makes none and raises \"cassette miss\". A replay needs no provider, and costs what was recorded. The cache is off inside.",
			NoRun: noRun},
		{Name: "llm/cassette-load", Arity: eval.Between(1, 2), Fn: llmCassetteLoad, Caps: caps,
			Doc: "(llm/cassette-load path [{:mode :auto}]) puts a tape in force for all calls from now on, outside of any llm/with-cassette.", NoRun: noRun},
		{Name: "llm/cassette-save", Arity: eval.Exactly(0), Fn: llmCassetteSave, Caps: caps,
			Doc: "(llm/cassette-save) makes sure that the tape in force is on disk. It answers whether there is one.", Example: "(llm/cassette-save) ; => #f"},
		{Name: "llm/cassette-eject", Arity: eval.Exactly(0), Fn: llmCassetteEject, Caps: caps,
			Doc: "(llm/cassette-eject) saves the tape that llm/cassette-load put in force, and takes it out. It answers whether there was one.", Example: "(llm/cassette-eject) ; => #f"},
	}
}

func llmWithCassette(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	thunk, options := args[len(args)-1], value.Nil
	if len(args) == 3 {
		options = args[1]
	}
	tape, err := openTape(t, "llm/with-cassette", args[0], options)
	if err != nil {
		return value.Nil, err
	}
	result, err := within(t, thunk, tapeKey{}, tape)
	if unsaved := saveTape(t, tape); err == nil && unsaved != nil {
		return value.Nil, unsaved
	}
	return result, err
}

func openTape(t *eval.Thread, who string, path, options eval.Value) (tape *llm.Tape, err error) {
	name, ok := path.AsString()
	if !ok || name == "" {
		return nil, eval.TypeError("the path of a tape, such as \"tapes/greeting.jsonl\"", path)
	}
	o := eval.OptionsOf(who, options, "mode")
	mode := llm.TapeAuto
	if v, given := o.Get("mode"); given {
		switch mode = llm.TapeMode(plainName(v)); mode {
		case llm.TapeAuto, llm.TapeRecord, llm.TapeReplay:
		default:
			o.Bad("mode", ":auto, :record or :replay")
		}
	}
	if err := o.Err(); err != nil {
		return nil, err
	}
	err = t.Blocking(func(context.Context) (err error) {
		tape, err = llm.OpenTape(name, mode)
		return err
	})
	if err != nil {
		return nil, fileError(who, err)
	}
	return tape, nil
}

func saveTape(t *eval.Thread, tape *llm.Tape) error {
	if err := t.Blocking(func(context.Context) error { return tape.Save() }); err != nil {
		return fileError("the tape "+tape.Path()+" could not be written", err)
	}
	return nil
}

// fileError is an error of the file system, unless the program was interrupted.
func fileError(who string, err error) error {
	if e, ok := err.(*eval.Error); ok {
		return e
	}
	return &eval.Error{Kind: eval.KindIO, Message: who + ": " + err.Error(), Cause: err}
}

// tapeOf is the tape in force, nil if there is none.
func tapeOf(t *eval.Thread, s *state) (*llm.Tape, error) {
	if tape, ok := t.Scope().Get(tapeKey{}).(*llm.Tape); ok {
		return tape, nil
	}
	if !s.tapeChosen {
		if err := s.chooseTape(t); err != nil {
			return nil, err
		}
	}
	return s.tape, nil
}

// chooseTape honours SEMA_LLM_CASSETTE and SEMA_LLM_CASSETTE_MODE. They do not
// count in a sandbox without files.
func (s *state) chooseTape(t *eval.Thread) error {
	path, mode := s.getenv("SEMA_LLM_CASSETTE"), s.getenv("SEMA_LLM_CASSETTE_MODE")
	if path == "" || s.config.NoFiles {
		s.tapeChosen = true
		return nil
	}
	options := value.Nil
	if mode != "" {
		options = value.Map(keyword("mode"), keyword(mode))
	}
	tape, err := openTape(t, "SEMA_LLM_CASSETTE", value.String(path), options)
	if err == nil {
		s.tapeChosen, s.tape = true, tape
	}
	return err
}

func llmCassetteLoad(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	options := value.Nil
	if len(args) == 2 {
		options = args[1]
	}
	tape, err := openTape(t, "llm/cassette-load", args[0], options)
	if err != nil {
		return value.Nil, err
	}
	s := stateOf(t)
	s.tapeChosen, s.tape = true, tape
	return value.Nil, nil
}

func llmCassetteSave(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	tape, err := tapeOf(t, stateOf(t))
	if err != nil || tape == nil {
		return value.False, err
	}
	return value.True, saveTape(t, tape)
}

func llmCassetteEject(t *eval.Thread, args []eval.Value) (eval.Value, error) {
	s := stateOf(t)
	tape := s.tape
	if s.tapeChosen, s.tape = true, nil; tape == nil {
		return value.False, nil
	}
	return value.True, saveTape(t, tape)
}
