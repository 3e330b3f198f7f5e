package eval

// isMistaken reports whether the head of a call is unbound and likely to be a word
// of another Lisp, or a special form misspelt: (lamda (x) x). Such a call looks its
// callee up before its arguments, which often are unbound too: the hint about the
// callee is the one that helps.
func (c *compiler) isMistaken(fn node, elems []syntax) bool {
	gl, ok := fn.(*globalNode)
	if !ok || !c.in.machine.GlobalValue(gl.g).IsUndefined() {
		return false
	}
	name, _ := elems[0].v.SymbolName()
	if foreignNames[name] != "" {
		return true
	}
	return len(elems) > 1 && elems[1].v.IsSeq() && len(name) > 2 && Nearest(name, formNames()) != ""
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
