package ai

import (
	"net/http"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/llm"
)

// Config is what llm/* takes from its surroundings.
type Config struct {
	HTTPClient    *http.Client        // nil: one of its own
	Getenv        func(string) string // nil: no environment
	NoEnvironment bool                // do not configure providers from the environment
	Env           llm.Env             // clock and chance; Block is ours
	// CacheDir is where llm/with-cache keeps answers; "" keeps them in memory.
	CacheDir string
	// PublicOnly keeps requests from private addresses, unless HTTPClient is set.
	PublicOnly bool
	// NoFiles says that programs may not read and write files, so that no variable
	// of the environment makes them.
	NoFiles bool
	// Columns is the width of the terminal that a stream writes to, 0 if it is
	// none; nil: there is no terminal.
	Columns func(stream any) int
}

// Builtins is the table of this package.
func Builtins() []eval.Builtin {
	var all []eval.Builtin
	for _, table := range [][]eval.Builtin{completionBuiltins(), chatBuiltins(), extractBuiltins(), messageBuiltins(), promptBuiltins(), streamBuiltins(), providerBuiltins(), scopeBuiltins(), breakerBuiltins(),
		budgetBuiltins(), usageBuiltins(), cacheBuiltins(), cassetteBuiltins(), traceBuiltins(), serverBuiltins(), retryBuiltins(),
		batchBuiltins(), clientBuiltins()} {
		all = append(all, table...)
	}
	return all
}

type stateKey struct{}

// state is what an interpreter knows of LLMs. It is used under its lock.
type state struct {
	interp     *eval.Interp
	config     Config
	configured bool // the environment was looked at
	providers  map[string]*provider
	order      []string
	current    string

	// Of the last call, and of all.
	trace   []llm.Attempt
	usage   *bill
	session session
	// extraction is the last llm/extract.
	extraction *extraction

	prices      llm.Prices
	warned      map[string]bool // models whose price was missed
	budget      *llm.Budget     // of llm/set-budget
	cache       *llm.Cache
	tape        *llm.Tape // of llm/cassette-load or the environment
	tapeChosen  bool      // the environment was looked at
	circuits    llm.Circuits
	retryBudget *llm.RetryBudget // nil does not bound
	retriesSet  bool             // retryBudget was set, or made at the first call
}

// Setup tells the interpreter's llm/* its surroundings. It must come before the
// first of them runs.
func Setup(in *eval.Interp, c Config) {
	in.State(stateKey{}, func() any { return newState(in, c) })
}

func newState(in *eval.Interp, c Config) *state {
	if c.Getenv == nil {
		c.NoEnvironment = true
	}
	return &state{interp: in, config: c, providers: map[string]*provider{}}
}

func stateOf(t *eval.Thread) *state {
	in := eval.InterpOf(t)
	return in.State(stateKey{}, func() any { return newState(in, Config{}) }).(*state)
}
