// Package eodhd asks EODHD for daily bars: closes and adjusted closes of /api/eod,
// dividends of /api/div and splits of /api/splits, of the exchanges of the world,
// and coins.
//
// The formats are those of https://eodhd.com/financial-apis/api-for-historical-data-and-volumes
// and https://eodhd.com/financial-apis/api-splits-dividends.
package eodhd
