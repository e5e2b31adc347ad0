// Package stooq asks Stooq for daily bars of the United States, as CSV. Its
// closes are adjusted for splits and dividends; it gives no others. No key is
// needed, but Stooq lets a machine ask only so often a day, and may answer with
// a page for browsers instead.
//
// The format is that of https://stooq.com/q/d/l/: Date,Open,High,Low,Close,Volume,
// or a sentence such as "No data".
package stooq
