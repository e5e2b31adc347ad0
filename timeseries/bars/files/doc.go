// Package files reads files of daily bars in many formats, as a stream of rows with
// typed columns.
//
// Open inspects a file: how it is packed, how its cells are separated, which columns
// hold what, and how it writes dates and numbers. If something is ambiguous (is
// 01/02/2024 in January or in February?), Open does not guess: its error says what it
// found, and which option decides.
//
//	f, err := files.Open(ctx, "prices.csv.gz", files.Options{})
//	defer f.Close()
//	records := f.Records(ctx) // Arrow record batches of Schema
//
// Unreadable cells do not end the stream. Problems lists them at the end.
// docs/bars.md describes every supported format.
package files
