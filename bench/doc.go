// Package bench measures what Ballast promises. Each row measures one promise and
// compares it with its bar, the limit that it must meet.
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
// Compare runs the same strategies in bt, in vectorbt and over the interface, and
// checks that the numbers agree within Tolerance.
//
// Figures are medians or percentiles of many samples. Other work on the machine affects
// them; docs/performance.md says how to read them.
package bench
