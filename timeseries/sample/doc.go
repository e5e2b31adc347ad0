// Package sample is a market that does not exist: twenty-two assets of many
// classes over twenty-five years, invented by a random process, for
// demonstrations, tests and first steps. Its symbols begin with SYN- and its
// names end in "(synthetic)"; no real market has them, and nothing about real
// assets can be learnt from their returns.
//
// The market looks like one nevertheless: the planned sessions of New York,
// common factors with fat tails and clustering volatility, four crises in which
// correlations rise, staggered starts, monthly and quarterly dividends, splits,
// a leveraged fund, and two coins that trade seven days a week.
//
// It is generated, not stored, and is the same to the last byte on every
// machine: the random numbers come from a seeded PCG, and the arithmetic is
// addition, multiplication, division and square root, each rounded on its own.
//
//	err := sample.WriteCatalog(catalogFile) // symbol,name,type,exchange,currency,asset_class
//	err = sample.WriteBars(barsFile)        // symbol,date,close,adj_close,dividend,split
package sample
