// Package stooq requests daily bars of the United States from Stooq, as CSV. Its closes
// are adjusted for splits and dividends; unadjusted ones are not available. No key is
// needed, but Stooq limits the number of requests per machine and day, and may answer
// with a web page instead.
//
// The format is that of https://stooq.com/q/d/l/: Date,Open,High,Low,Close,Volume, or a
// sentence such as "No data".
package stooq
