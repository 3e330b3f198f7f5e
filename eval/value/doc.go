// Package value holds the data that gosema programs compute with: numbers,
// strings, symbols, lists, vectors, maps, records, and the opaque handles of
// the virtual machine. It knows nothing of evaluation.
//
// A [Value] is 16 bytes, a pointer and a word:
//
//	        ref                     bits
//	int     nil                     the int64
//	float   &floatTag               the float64's bits (NaN is canonical)
//	nil #f  &miscTag                0, 1, 2, ...
//	char    &charTag                the code point
//	list    newest element's slot   0xFFFD | index in block (16) | length (32)
//	string  first byte              0xFFFE | flags (16)          | length (32)
//	object  the object              0xFFFC | kind
//
// so that the commonest questions ("are both ints?", "is this a list?") cost
// one compare and no memory load, and ints, floats, booleans and characters
// never allocate. The representation is private: use constructors and
// accessors. (The virtual machine alone looks inside, through machine.go.)
//
// Numbers are integers of 64 bits or any size, exact ratios, floats, and complex
// numbers of two of those; arithmetic keeps exact what is exact, never wraps,
// and refuses with a [*LimitError] what would be too large.
//
// Values are immutable as far as a reader can tell, so they may be read from
// any goroutine. Two optimisations write to shared memory behind the scenes,
// [Heap.Cons] and [Heap.Append]; both belong to an interpreter and run only
// under its lock, and never touch what an existing value can see.
//
// Every walk over nested data (equality, order, hash, printing, conversion) is
// bounded by [MaxDepth] and panics with a [*DepthError] beyond it, since Go
// cannot recover from an exhausted stack. The interpreter turns that panic
// into an error which a script can catch.
package value
