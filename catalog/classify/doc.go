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
// Each field comes with its evidence: the source field and the words of it that
// said so, and whether they state the value or it follows from what they state.
// What nothing says stays empty, which is null on the wire: a missing value is
// not a 1099, not an equity fund, not an American one.
//
// Words are found by whole words, case and accents ignored, through tables of
// phrases in the files of this package; there are no patterns a row to try in
// turn, so that a catalog of two hundred thousand listings takes seconds.
package classify
