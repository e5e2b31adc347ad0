// Package tiingo requests daily bars from Tiingo: closes, adjusted closes, dividends and
// splits of stocks, ETFs and funds of the United States, and closes of coins.
//
// The formats are those of https://www.tiingo.com/documentation/end-of-day and
// https://www.tiingo.com/documentation/crypto.
package tiingo
