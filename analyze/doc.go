// Package analyze explains series of returns: which factors move them, how they move
// together, how bad their tails are, and where one portfolio's advantage over another
// comes from.
//
//	regress      least squares with Newey–West errors and the usual diagnostics
//	shock        what a regression expects when factors move
//	rolling      the same loadings over each window
//	performance  return, volatility and beta over each window
//	correlate    Pearson and Spearman by pairs; cluster: their order by clusters
//	components   eigenvectors of the correlation
//	style        Sharpe's mix of indices with the least tracking variance
//	tails        value at risk and expected shortfall; pareto: the tail of a fitted distribution
//	codrawdown   the deepest drawdown of each series, and what the others did in it
//	stress       dated episodes
//	regimes      days sorted by what a market did before them
//	attribute    allocation, selection and interaction, linked over periods
//
// A Column is a name and one value per row; all columns of a call have the same rows.
// NaN stands for a value that does not exist. A function that needs complete rows leaves
// out the others and returns how many it used. A figure that the data cannot determine
// is NaN. Data that allow no answer at all are a *DataError, which names the series.
// Functions do not change their arguments.
package analyze
