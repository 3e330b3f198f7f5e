package sys

import (
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gosema/gosema/eval"
	"github.com/gosema/gosema/eval/value"
)

func envBuiltins() []eval.Builtin {
	return []eval.Builtin{
		{Name: "env", Arity: eval.Between(1, 2), Fn: env, Caps: eval.CapEnvRead,
			Doc: "(env name [default]) is an environment variable; default, nil, if it is not set.", Example: `(env "NO_SUCH_VARIABLE") ; => nil` + "\n" + `(env "NO_SUCH_VARIABLE" "x") ; => "x"`},
		{Name: "sys/env-all", Arity: eval.Exactly(0), Fn: sysEnvAll, Caps: eval.CapEnvRead, NoRun: "depends on the machine",
			Doc: "(sys/env-all) maps the names of all environment variables, as keywords, to their values.", Example: `(sys/env-all) ; => {:HOME "/home/ada"}`},
		{Name: "sys/set-env", Arity: eval.Exactly(2), Fn: sysSetEnv, Caps: eval.CapEnvWrite,
			Doc: "(sys/set-env name s) sets an environment variable for this program.", Example: `(begin (sys/set-env "KEY" "value") (env "KEY")) ; => "value"`},
	}
}

type envKey struct{}

// changes are the variables that a program has set, guarded by the
// interpreter's lock.
func changes(in *eval.Interp) map[string]string {
	return in.State(envKey{}, func() any { return map[string]string{} }).(map[string]string)
}

func env(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	name := a.String(0)
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	s, ok := changes(eval.InterpOf(t))[name]
	if !ok {
		s, ok = os.LookupEnv(name)
	}
	if !ok {
		return a.Value(1), nil
	}
	return value.String(s), nil
}

// Environ is the environment that the program on t sees, as os.Environ is.
func Environ(t *eval.Thread) []string {
	vars := variables(t)
	out := make([]string, 0, len(vars))
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		out = append(out, name+"="+vars[name])
	}
	return out
}

func variables(t *eval.Thread) map[string]string {
	vars := map[string]string{}
	for _, pair := range os.Environ() {
		name, s, _ := strings.Cut(pair, "=")
		vars[name] = s
	}
	maps.Copy(vars, changes(eval.InterpOf(t)))
	return vars
}

func sysEnvAll(t *eval.Thread, args []Value) (Value, error) {
	vars := variables(t)
	m := value.NewMapBuilder(value.KindMap, len(vars))
	for name, s := range vars {
		m.Set(value.Keyword(name), value.String(s))
	}
	return m.Map(), nil
}

func sysSetEnv(t *eval.Thread, args []Value) (Value, error) {
	a := eval.ArgsOf(args)
	name, s := a.String(0), a.String(1)
	if a.Err() == nil && (name == "" || strings.ContainsAny(name, "=\x00")) {
		a.Bad(0, "a name without = in it")
	}
	if strings.Contains(s, "\x00") {
		a.Bad(1, "a text without NUL characters")
	}
	if err := a.Err(); err != nil {
		return value.Nil, err
	}
	changes(eval.InterpOf(t))[strings.Clone(name)] = strings.Clone(s)
	return value.Nil, nil
}
