// Package classify classifies a listing by its source's texts: name, category, family,
// summary, legal type, ISIN and exchange. It reads no files and calls no service; the
// same listing always gets the same classification.
//
//	c := classify.Classify(classify.Listing{
//		Symbol: "SQQQ", Name: "ProShares UltraPro Short QQQ", Kind: "etf",
//		Category: "Trading--Inverse Equity", LegalType: "Exchange Traded Fund",
//		Exchange: "NGM", Currency: "USD",
//	})
//	// c.Leverage is -3, c.Inverse is true, c.Issuer is "ProShares"
//
// Each field comes with its evidence: the source field, the words in it that gave the
// value, and whether they state the value or imply it. A field without evidence stays
// empty, which is null on the wire: a missing value does not mean a 1099, an equity fund
// or an American fund.
//
// Phrases are matched on whole words, ignoring case and accents, with lookup tables in
// the files of this package. No list of patterns is tried row by row, so a catalog of two
// hundred thousand listings takes seconds.
package classify
