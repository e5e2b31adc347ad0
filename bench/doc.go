// Package bench measures what Ballast promises: a row a promise, each held to
// its bar.
//
//	env := &bench.Env{Binary: "bin/ballast", Manifest: openManifest}
//	defer env.Close()
//	report, err := bench.Run(ctx, bench.Rows(env), bench.Options{Progress: os.Stderr})
//	report.Print(os.Stdout)
//
// Rows of the engine, the interpreter, the metrics and the bar store run in this
// process. Rows of the interface run against the real binary, started as a
// child on a temporary data folder with seeded bars (see market), called over
// HTTP as any caller would.
//
// Compare runs the same strategies in bt, in vectorbt and over the interface,
// and holds the numbers together to Tolerance.
//
// Figures are medians or percentiles of many samples. A machine that does
// something else meanwhile shows in them: docs/performance.md says how to read
// them.
package bench
