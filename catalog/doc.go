// Package catalog holds the assets that a model can invest in: ETFs, funds, stocks and
// crypto, with the date range of their stored bars.
//
// An asset is identified by its symbol, which is unique in the catalog regardless of
// case, or by its id. Catalog files and stored bars share one record per asset:
// price_coverage reports which of them it has.
package catalog
