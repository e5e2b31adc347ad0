// Package folder is a provider that reads a folder of files instead of asking a
// service: SYMBOL.csv, SYMBOL.csv.gz or SYMBOL.parquet, in any layout that
// `ballast import bars` reads. Whatever writes the files replaces them by renaming.
package folder
