// Package eodhd requests daily bars from EODHD: closes and adjusted closes from /api/eod,
// dividends from /api/div and splits from /api/splits, for exchanges all over the world,
// and for coins.
//
// The formats are those of https://eodhd.com/financial-apis/api-for-historical-data-and-volumes
// and https://eodhd.com/financial-apis/api-splits-dividends.
package eodhd
