// Package dialect parses a script, which is written in a dialect of Python, into
// the interpreter's syntax tree, and finds everything that is wrong with its text.
//
//	found := &dialect.Problems{}
//	text := dialect.Scan(dialect.PlainText(script), found) // imports and Python-only syntax
//	if dialect.WithinLimits(text.Code, found) {
//		file, hidden := dialect.Parse(text.Code, script, found)
//	}
//
// Scan and Parse keep every line and column, so that a Problem names the place in
// the script as it was written. Parse continues after a syntax error, so that one
// report has all of them, and says what to write instead of the syntax of other
// languages. Package script checks the tree against the contract.
package dialect
