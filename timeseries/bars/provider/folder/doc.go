// Package folder is a provider that reads a folder of files instead of a service:
// SYMBOL.csv, SYMBOL.csv.gz or SYMBOL.parquet, in any layout that `ballast import bars`
// reads. Programs that write the files must replace them by renaming.
package folder
