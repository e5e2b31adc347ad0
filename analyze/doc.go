// Package analyze explains series of returns: which factors move them, how they move
// together, how bad their tails are, and where one portfolio's advantage over another
// comes from.
//
//	regress      least squares with Newey–West errors and the usual diagnostics
//	rolling      the same loadings over each window
//	performance  return, volatility and beta over each window
//	correlate    Pearson and Spearman by pairs, and the order by clusters
//	components   eigenvectors of the correlation
//	style        Sharpe's mix of indices with the least tracking variance
//	tails        value at risk and expected shortfall by three methods
//	attribute    allocation, selection and interaction, linked over periods
//	stress       what a series and today's weights went through in known episodes
//	regimes      days by drawdown, volatility or trend, and what series did in each
//
// A Column is a name and one value per row; all columns of a call have the same rows.
// NaN stands for a value that does not exist. A function that needs complete rows leaves
// out the others and returns how many it used. A figure that the data cannot determine
// is NaN. Data that allow no answer at all are a *DataError, which names the series.
// Functions do not change their arguments.
package analyze
