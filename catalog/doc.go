// Package catalog holds what can be invested in: ETFs, funds, stocks and crypto,
// with the date range of the bars that are stored of each.
//
// An asset is named by its symbol, unique in the catalog whatever the case, or
// by its id. A catalog seed and stored bars make the same record: price_coverage
// tells which of them it has.
package catalog
