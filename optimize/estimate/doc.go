// Package estimate estimates what optimisers need from returns: covariances and expected
// returns, per bar. The returns of n members over T bars are n columns of T values,
// oldest first.
//
//	c, err := estimate.Covariance(columns, estimate.LedoitWolf, 0)
//	m := estimate.Mean(columns)
package estimate
