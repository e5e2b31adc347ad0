// Package files reads files of series: those of Kenneth French's data library, those of
// FRED, and other CSV files with a row per date and a column per key.
//
// A file is read whole, within limits, and may be compressed with gzip or be the only
// file of a zip archive. Its table begins at the first row with a date; the line before
// it names the columns, and lines above that are the publisher's text. The table ends at
// the first line that is not such a row. French's files have further tables below, such
// as annual values, which are not read; Table.Notes says so.
package files
