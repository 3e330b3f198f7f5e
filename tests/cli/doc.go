// Package cli tests the command gosema from outside, as users meet it: the
// transcripts of shell sessions in testdata/*.txtar, the REPL in a real terminal
// (tmux), and signals to real processes. It has no code of its own.
//
// A transcript is the comment of a txtar archive, whose files are there when it
// runs:
//
//	# what is shown here
//	$ gosema -e '(+ 1 2)'
//	3
//	$ gosema bad.sema
//	! error: unbound variable: foo
//	[1]
//	-- bad.sema --
//	(foo)
//
// Behind a command come its output, its error output after "! ", and its exit
// code unless that is 0. A line that ends in (re) is a regular expression.
package cli
