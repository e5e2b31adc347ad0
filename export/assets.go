package export

import (
	"context"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/catalog"
)

// recordPage is how many records are read from the database at a time.
const recordPage = 500

// assets reads the catalog, ordered by symbol.
func (s *Service) assets(q Query) batches {
	after, done := "", false
	return func(ctx context.Context) (arrow.RecordBatch, error) {
		if done {
			return nil, io.EOF
		}
		page, err := s.c.Assets.AssetsAfter(ctx, q.Assets, after, recordPage)
		if err != nil {
			return nil, err
		}
		if done = len(page) < recordPage; len(page) == 0 {
			return nil, io.EOF
		}
		after = page[len(page)-1].Symbol
		b := newBuilder(Assets.Schema())
		for _, a := range page {
			b.asset(a)
		}
		return b.record(), nil
	}
}

// asset appends a row in the order of the schema.
func (b *builder) asset(a *catalog.Asset) {
	b.text(a.ID)
	b.text(a.Symbol)
	b.text(a.Name)
	for _, s := range []string{
		a.Type, a.Exchange, a.Currency, a.Country, a.Domicile, a.Sector, a.Industry, a.AssetClass, a.Wrapper, a.LegalStructure, a.TaxForm,
	} {
		b.textOrNull(s)
	}
	evidence := a.TaxEvidence
	if evidence == "" {
		evidence = "unclassified"
	}
	b.text(evidence)
	b.number(a.Leverage)
	b.boolean(a.Inverse)
	b.boolean(a.Hedged)
	b.textOrNull(a.Issuer)
	b.text(strings.Join(a.Tags, ","))
	b.numberOrNull(a.MarketCap)
	b.numberOrNull(a.AUM)
	b.numberOrNull(a.ExpenseRatio)
	b.date(a.InceptionDate)
	b.date(a.FirstPriceDate)
	b.date(a.LastPriceDate)
	b.text(a.Coverage())
	b.boolean(a.Delisted)
	b.textOrNull(a.ISIN)
	b.textOrNull(a.Summary)
}
