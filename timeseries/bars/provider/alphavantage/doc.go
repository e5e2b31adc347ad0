// Package alphavantage asks Alpha Vantage for daily bars: TIME_SERIES_DAILY_ADJUSTED
// with closes, adjusted closes, dividends and splits, and DIGITAL_CURRENCY_DAILY
// for coins.
//
// The formats are those of https://www.alphavantage.co/documentation/. Whatever
// goes wrong comes with status 200, as an object with "Error Message" (no such
// symbol), "Note" or "Information" (too many requests, or a plan without the
// function).
package alphavantage
