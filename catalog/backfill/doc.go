// Package backfill puts the returns of proxies before the first bar of an asset
// that is younger than what it follows.
//
//	overlap := backfill.Common(own, proxy)
//	scale, basis, err := backfill.Scale(backfill.Beta, overlap, 1)
//	terms := backfill.NewTerms(scale, backfill.Costs{Financing: 0.03, Expense: 0.0095}, 252)
//	series, stretches := backfill.Join(own, []backfill.Proxy{{Series: proxy, Terms: terms}})
//
// A splice joins returns, never prices, so it has no jump, and the asset's own bars do
// not change. Terms are fitted once, on the days that both series have, and stored: new
// bars do not change a spliced past.
package backfill
