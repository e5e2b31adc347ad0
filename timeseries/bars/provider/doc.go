// Package provider requests daily bars from market data services.
//
// A Provider returns the bars of one symbol, the whole history or from a date on.
// Each package below implements one: tiingo, eodhd, alphavantage, stooq, and
// folder, which reads a folder of files.
//
//	metrics := provider.NewMetrics(registry)
//	p, err := tiingo.New(provider.Config{Key: key, Metrics: metrics})
//	answer, err := p.Bars(ctx, provider.Request{Symbol: "SPY", From: timeseries.NoDate})
//
// The providers that use HTTP share Client: a rate limit, retries with growing
// random waits, a timeout for each try, a bound on the size of an answer, and a
// cache of the last answers, which are revalidated with conditional requests.
//
// Nothing that a service sends is trusted: an answer in another format than the
// documented one, with impossible prices or with days that do not ascend, is
// refused as a whole. Errors are *Error; none contains a key or a URL.
package provider
