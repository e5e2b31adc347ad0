// Package download writes a model as one Python file that runs anywhere.
//
//	text, err := download.Render(program, download.Options{Model: "model_…"})
//
// The file needs CPython 3.9 or later and the standard library alone. It holds
// the script as it was written, the harness, the engine, a reader of bars, the
// metrics and a command line; it gives the returns and weights of the service,
// which a test holds to 1e-9. That makes it a second engine as well: it shares
// no code with package backtest.
//
// The Python is in the folder runtime, an ordinary module a file. Render puts
// each into a function of its own, run with globals of its own, so that nothing
// that a script binds can reach it: see layout.go.
package download
