// Package series holds series from outside: factors, inflation, a riskless rate, an
// index. An account brings its own; those of the operator are for all accounts.
//
// A Series is a table of dates and columns under a name, and one column is read as
// NAME.KEY (Reference). A Post adds values to it or restates some (Merge), which makes
// the next version. A version never changes. Values are fractions, whatever unit they were given in, and a
// month's value is dated on the last day of the month.
//
//	store.Post(ctx, account, post)                    // adds or restates values
//	column, err := service.Column(ctx, account, "FF5.SMB") // current version, with its values
package series
