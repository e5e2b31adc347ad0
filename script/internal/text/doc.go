// Package text formats the values of scripts as Python does: str, repr, the
// operator % of strings and their method format.
//
//	text.Repr(starlark.Float(1e6))                        // 1000000.0
//	text.Percent("%-6s %.2f", starlark.Tuple{name, x})    // SPY    0.25
//	text.Format("{:>6} {:.1%}", starlark.Tuple{name, x})  //    SPY 25.0%
//
// The interpreter's own formats differ from Python's: strings in lists have double
// quotes, floats of a million and more have exponents, and the operator % supports
// neither width nor precision. A script must write the same text as its download.
//
// Width and precision are at most MostWidth. What Python refuses is an error.
package text

// MostWidth is the maximum width and precision that a script can ask for, in
// characters.
const MostWidth = 1000
