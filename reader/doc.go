// Package reader turns text into values with positions.
//
//	text --ReadAll--> Unit{Forms, Places}
//
//	(area 3 [4])      Forms[0].Value   the list
//	^1:1  ^1:7 ^1:9   Forms[0].Span    1:1 to 1:13
//	                  Places.Of(list)  its span and one for each element
//
// Values are plain data: what is known of their place is in the side table
// [value.Places], where every list, vector and map that the reader made is
// registered. Sugar is expanded here, so that evaluation knows lists only:
//
//	'x `x ,x ,@x @x     (quote x) (quasiquote x) (unquote x) (unquote-splicing x) (deref x)
//	f"a ${x} b"         (str "a " x " b")
//	#(+ % %2)           (lambda (%1 %2) (+ %1 %2))
//	#"\d+"              "\\d+"
//	(a . b)             the list of a, the symbol . and b
//
// A text is read as a whole before any of it is run. It is one pass over the
// bytes, linear in the text's length, and forms are read by recursive descent
// that [MaxDepth] bounds. No text makes the reader panic.
//
// Every failure is an [*Error], which points at the token that could not be
// read, says what was expected there and where the form around it was opened.
// [Incomplete] tells a REPL that the text may go on in another line.
//
// What [value.Write] prints reads back equal, except for what has no literal:
// inf, -inf and NaN, hash maps (which read as sorted maps), names with
// characters that symbols cannot have, records, functions and other objects.
//
// # Decisions
//
// The text must be UTF-8; a byte order mark at its start is skipped. All Unicode
// white space separates forms. A NUL is allowed inside strings only. Line breaks
// are \n; a \r before it is white space, but stays part of a string it stands in.
//
// A number ends where it cannot go on, and what follows is a form of its own, as
// the language defines: 12abc is 12 and abc. Only a point after a number is an
// error, since (5. 3) would otherwise be a dotted pair. A sign before digits
// belongs to the number if it is a minus: +5 is a symbol. An integer may have a
// million digits.
//
// Inside ${...} of an f-string the whole syntax holds, so a comment to the end
// of the line hides a closing brace, and a brace in a string does not close.
package reader
