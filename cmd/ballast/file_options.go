package main

import (
	"github.com/spf13/pflag"

	"ballast/timeseries/bars/files"
	"ballast/timeseries/bars/importing"
)

// fileOptions describe what files of bars do not say themselves.
type fileOptions struct{ symbol, wide, dates, decimal string }

func (o *fileOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.symbol, "symbol", "", "symbol of a file that has no symbol column and is not named after the symbol")
	f.StringVar(&o.wide, "wide", "", "what the columns of a wide file contain: adj_close, close or total_return (default: adj_close, reported as doubtful)")
	f.StringVar(&o.dates, "dates", "", "order of dates such as 01/02/2024: dmy or mdy (default: as the file's dates show)")
	f.StringVar(&o.decimal, "decimal", "", "decimal sign of the numbers: . or , (default: as the file's numbers show)")
}

// options returns the import options for the files that the command names.
func (o *fileOptions) options(paths []string) (importing.Options, error) {
	if o.symbol != "" && len(paths) > 1 {
		return importing.Options{}, usage("--symbol applies to one file, but %d are named; run the command once per file", len(paths))
	}
	if err := (files.Options{Wide: files.Role(o.wide), Dates: files.Order(o.dates), Decimal: o.decimal}).Check(); err != nil {
		return importing.Options{}, usage("--%w", err)
	}
	return importing.Options{Symbol: o.symbol, Wide: files.Role(o.wide), Dates: files.Order(o.dates), Decimal: o.decimal}, nil
}
