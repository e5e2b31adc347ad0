// Package text writes the values of scripts as Python writes them: str, repr,
// the operator % of strings and their method format.
//
//	text.Repr(starlark.Float(1e6))                        // 1000000.0
//	text.Percent("%-6s %.2f", starlark.Tuple{name, x})    // SPY    0.25
//	text.Format("{:>6} {:.1%}", starlark.Tuple{name, x})  //    SPY 25.0%
//
// The interpreter's own forms differ from Python's: strings inside of lists have
// double quotes there, floats from a million on exponents, and the operator
// neither width nor precision. A script has to write the same as its download.
//
// Width and precision are up to MostWidth. What Python refuses is an error.
package text

// MostWidth bounds the widths and precisions that a script asks for.
const MostWidth = 1000
