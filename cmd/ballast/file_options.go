package main

import (
	"github.com/spf13/pflag"

	"ballast/timeseries/bars/files"
	"ballast/timeseries/bars/importing"
)

// fileOptions say of files of bars what these leave open.
type fileOptions struct{ symbol, wide, dates, decimal string }

func (o *fileOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.symbol, "symbol", "", "symbol of a file that has no column for it and is not named after it")
	f.StringVar(&o.wide, "wide", "", "what the columns of a wide file hold: adj_close, close or total_return (without: adj_close, with a doubt)")
	f.StringVar(&o.dates, "dates", "", "order of dates such as 01/02/2024: dmy or mdy (without: what the file's dates tell)")
	f.StringVar(&o.decimal, "decimal", "", "decimal sign of the numbers: . or , (without: what the file's numbers tell)")
}

// options are those of an import of the files that the command names.
func (o *fileOptions) options(paths []string) (importing.Options, error) {
	if o.symbol != "" && len(paths) > 1 {
		return importing.Options{}, usage("--symbol is of one file, and %d are named; run the command once per file", len(paths))
	}
	if err := (files.Options{Wide: files.Role(o.wide), Dates: files.Order(o.dates), Decimal: o.decimal}).Check(); err != nil {
		return importing.Options{}, usage("--%w", err)
	}
	return importing.Options{Symbol: o.symbol, Wide: files.Role(o.wide), Dates: files.Order(o.dates), Decimal: o.decimal}, nil
}
