package eval

// isForeign reports whether a global is an unbound word of another Lisp. A call of
// one looks its callee up before its arguments, which often are unbound too: the
// hint about the callee is the one that helps.
func (in *Interp) isForeign(g int) bool {
	name, _ := in.machine.GlobalName(g).SymbolName()
	return foreignNames[name] != "" && in.machine.GlobalValue(g).IsUndefined()
}

// foreignNames are words of other Lisps for what this language calls otherwise.
var foreignNames = map[string]string{
	"setq": "set! (or define)", "setf": "set!", "conj": "cons, or append", "def-": "define", "defvar": "define", "defparameter": "define",
	"funcall": "nothing: write (f x)", "mapcan": "flat-map", "mapcat": "flat-map", "loop": "a named let", "recur": "the name of a named let",
	"string->number": "string/to-number", "number->string": "number/to-string", "string->symbol": "string/to-symbol",
	"symbol->string": "symbol/to-string", "string-split": "string/split", "string-join": "string/join", "string-trim": "string/trim",
	"string-upcase": "string/upper", "string-downcase": "string/lower", "str/join": "string/join", "hash-table-ref": "get",
	"hash-ref": "get", "hash-set": "assoc", "make-hash-table": "hashmap/new", "list-ref": "nth", "seq": "list",
	"display-line": "println", "displayln": "println", "printf": "format with print", "princ": "display", "prn": "println",
	"call/cc": "not available: use try and throw", "call-with-current-continuation": "not available: use try and throw",
	"handler-case": "try", "condition-case": "try", "ignore-errors": "try", "ex-info": "a map with throw", "ex-message": "(:message e)",
	"assert": "error, with unless", "inc": "(+ x 1)", "dec": "(- x 1)", "else": "only allowed as the last clause of cond and case",
	"defstruct": "define-record-type", "defclass": "define-record-type", "atom": "a variable with set!", "swap!": "set!", "reset!": "set!",
	"slurp": "file/read", "spit": "file/write", "getenv": "env", "sprintf": "format", "vec": "list->vector", "foldLeft": "foldl",
	"unquote": "only allowed inside quasiquote (`)", "unquote-splicing": "only allowed inside quasiquote (`)",
}
