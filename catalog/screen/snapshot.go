package screen

import (
	"math"

	"ballast/catalog"
	"ballast/timeseries"
)

// Snapshot is the catalog at one moment. It never changes; its methods may be called from
// any goroutine.
type Snapshot struct {
	n int

	id, symbol, name, isin, summary texts
	currency, industry, wrapper     labels
	taxEvidence                     labels

	kind, exchange, sector, assetClass    *column
	legalStructure, taxForm, country      *column
	issuer, leverage, domicile, family    *column
	multiples                             []float64 // by code of leverage
	tags                                  tags
	inverse, hedged, delisted, otherPairs set
	marketCap, aum, size, expenseRatio    []float64 // NaN if unknown; size is the greater of the first two
	inception, firstPrice, lastPrice      []timeseries.Date
	byName, byAUM, byExpense, byMultiple  *order
	byFirstPrice                          *order
	lexicon                               *lexicon
	scratch                               *scratch
	all, current                          set // every row; every row that is not delisted
}

// Len returns the number of assets, including delisted ones.
func (s *Snapshot) Len() int { return s.n }

// asset copies a row into a record. What the record points to is shared.
func (s *Snapshot) asset(row uint32, a *catalog.Asset) {
	*a = catalog.Asset{
		ID: s.id.at(row), Symbol: s.symbol.at(row), Name: s.name.at(row), Type: s.kind.at(row), Exchange: s.exchange.at(row),
		Currency: s.currency.at(row), Country: s.country.at(row), Domicile: s.domicile.at(row), Sector: s.sector.at(row), Industry: s.industry.at(row),
		AssetClass: s.assetClass.at(row), Wrapper: s.wrapper.at(row), LegalStructure: s.legalStructure.at(row),
		TaxForm: s.taxForm.at(row), TaxEvidence: s.taxEvidence.at(row), Leverage: s.multiples[s.leverage.code(row)],
		Inverse: s.inverse.has(row), Hedged: s.hedged.has(row), Issuer: s.issuer.at(row), Family: s.family.at(row), Tags: s.tags.at(row),
		MarketCap: optional(s.marketCap, row), AUM: optional(s.aum, row), ExpenseRatio: optional(s.expenseRatio, row),
		InceptionDate: s.inception[row], FirstPriceDate: s.firstPrice[row], LastPriceDate: s.lastPrice[row],
		Delisted: s.delisted.has(row), ISIN: s.isin.at(row), Summary: s.summary.at(row),
	}
}

// optional returns a pointer to a row's number, or nil if it is unknown.
func optional(numbers []float64, row uint32) *float64 {
	if math.IsNaN(numbers[row]) {
		return nil
	}
	return &numbers[row]
}

// assets returns rows as records.
func (s *Snapshot) assets(rows []uint32) []*catalog.Asset {
	records, out := make([]catalog.Asset, len(rows)), make([]*catalog.Asset, len(rows))
	for i, row := range rows {
		s.asset(row, &records[i])
		out[i] = &records[i]
	}
	return out
}
