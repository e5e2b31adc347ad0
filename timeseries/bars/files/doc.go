// Package files reads files of daily bars, of whatever make, as a stream of rows
// with typed columns.
//
// Open looks into a file: what it is packed in, how its cells are separated,
// which columns hold what, how it writes dates and numbers. Where that cannot be
// known (is 01/02/2024 a day in January or in February?) it asks instead of
// guessing: the error names what was seen, and the option that answers.
//
//	f, err := files.Open(ctx, "prices.csv.gz", files.Options{})
//	defer f.Close()
//	records := f.Records(ctx) // Arrow record batches of Schema
//
// Cells that cannot be read do not end the stream: Problems lists them when it
// has ended. docs/bars.md describes every form that is read.
package files
