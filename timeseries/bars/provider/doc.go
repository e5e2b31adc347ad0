// Package provider asks services of the market for daily bars.
//
// A Provider gives the bars of one symbol, the whole history or what came since
// a date. The packages below speak to one service each: tiingo, eodhd,
// alphavantage, stooq, and folder, which is a folder of files.
//
//	metrics := provider.NewMetrics(registry)
//	p, err := tiingo.New(provider.Config{Key: key, Metrics: metrics})
//	answer, err := p.Bars(ctx, provider.Request{Symbol: "SPY", From: timeseries.NoDate})
//
// Client is what those that speak HTTP share: a rate, retries with growing and
// random waits, a deadline for each try, a bound on what is read, and the last
// answers, which are asked for again on condition only.
//
// Nothing that a service says is taken on trust: an answer in another format
// than the documented one, with prices that are none or with days that do not
// ascend, is refused whole. Errors are *Error; none names a key or an address.
package provider
