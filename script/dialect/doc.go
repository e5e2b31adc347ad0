// Package dialect reads the text of a script: a dialect of Python, as a syntax
// tree of the interpreter, with everything that is wrong with the text.
//
//	found := &dialect.Problems{}
//	text := dialect.Scan(dialect.PlainText(script), found) // imports and Python-only syntax
//	if dialect.WithinLimits(text.Code, found) {
//		file, hidden := dialect.Parse(text.Code, script, found)
//	}
//
// Scan and Parse keep every line and column, so that a Problem names the place in
// the script as it was written. Parse goes on after a syntax error, so that one
// report has all of them, and says what to write instead of what other languages
// have. Package script checks the tree against the contract.
package dialect
