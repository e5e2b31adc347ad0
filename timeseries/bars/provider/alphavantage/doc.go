// Package alphavantage requests daily bars from Alpha Vantage: TIME_SERIES_DAILY_ADJUSTED
// with closes, adjusted closes, dividends and splits, and DIGITAL_CURRENCY_DAILY for
// coins.
//
// The formats are those of https://www.alphavantage.co/documentation/. Every error has
// status 200, and is an object with "Error Message" (unknown symbol), "Note" or
// "Information" (too many requests, or a plan without the function).
package alphavantage
