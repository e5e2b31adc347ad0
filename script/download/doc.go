// Package download renders a model or a simulation as one Python file that runs
// anywhere.
//
//	text, err := download.Render(program, download.Options{Model: "model_…"})
//
// The file needs only CPython 3.9 or later and its standard library. It contains the
// unchanged script, the harness, the engine, a reader of bars, the metrics and a
// command line. It gives the same returns and weights as the service; tests compare
// them. It is also a second implementation of the engine, which shares no code with
// package backtest.
//
// The Python code is in the folder runtime, one ordinary module per file. Render
// wraps each module in a function with separate globals, so that names that a script
// binds cannot affect it; see layout.go.
package download
