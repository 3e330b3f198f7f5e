package eval

import "github.com/gosema/gosema/eval/value"

// The nodes that analysis makes and code is generated from.
type (
	node any

	constNode struct{ v Value }

	localNode struct {
		v     *variable
		check bool // may run before v has its value
		span  value.Span
	}

	globalNode struct {
		g    int
		span value.Span
	}

	setLocalNode struct {
		v    *variable
		e    node
		init bool // the variable's definition, not an assignment
		item bool // that definition, as an item of a body: it runs before the items behind it
		span value.Span
	}

	setGlobalNode struct {
		g      int
		e      node
		define bool
		span   value.Span
	}

	ifNode struct{ test, then, otherwise node }

	seqNode struct{ nodes []node }

	lambdaNode struct{ fn *function }

	letNode struct {
		vars  []*variable
		inits []node
		body  node
	}

	// bodyNode is a sequence with definitions in it: setLocalNodes with init.
	bodyNode struct {
		vars  []*variable
		items []node
	}

	// loopNode is a named let. It becomes a jump if all uses of its name are
	// calls in tail position (loop.ok), else a function.
	loopNode struct {
		loop  *loop
		inits []node
		body  node
	}

	// continueNode is a call of a loop's name.
	continueNode struct {
		loop *loop
		args []node
		span value.Span
	}

	whileNode struct{ test, body node }

	callNode struct {
		fn          node
		args        []node
		span        value.Span
		calleeFirst bool // see isMistaken
	}

	// primNode is a call of a builtin that the machine inlines.
	primNode struct {
		op   string
		args []node
		g    int // the builtin's global; -1 if it cannot be redefined
		span value.Span
	}

	tryNode struct {
		body node
		v    *variable
		h    node
	}

	andOrNode struct {
		or    bool
		nodes []node
	}
)

// variable is a local variable.
type variable struct {
	name     string
	fn       *function // set by resolve
	captured bool
	mutated  bool
	assigned bool // there is a set! of it; known earlier than mutated
	early    bool // some use may come before its value
	state    initState
	reg      int
}

// initState is how far resolve has come with a variable of a body.
type initState uint8

const (
	initDone  initState = iota // has its value
	initLater                  // its definition comes later
	initOwn                    // inside the function that it will hold
	initBatch                  // among functions that are defined together, none called yet
)

// boxed variables live on the heap: closures share them and they change.
func (v *variable) boxed() bool { return v.captured && v.mutated }

// function is a lambda.
type function struct {
	name   string
	span   value.Span // of its form: where errors are that have no better place
	params []*variable
	rest   bool
	body   node
	top    bool      // a top-level form
	self   *variable // the local variable that holds exactly this function
}

// loop is a named let while it is analysed.
type loop struct {
	name  string
	v     *variable // its name, for the case that it is a function
	vars  []*variable
	ok    bool
	outer []*loop // loops around it that are continued from inside it
	fn    *function
	span  value.Span
	head  int
}
