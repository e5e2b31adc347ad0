package catalog

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"ballast/catalog/classify"
	"ballast/timeseries"
)

// Listing is an asset with the values from its sources that are not part of the record.
// The record's classification is derived from both.
type Listing struct {
	Asset
	Category      string
	CategoryGroup string
	LegalType     string
	HomeCountry   string // of the company, as the source writes it
	Evidence      []classify.Evidence
}

// Sources of evidence that are not fields of a listing. A value that a file states stays
// until another file states a different one.
const (
	statedByFile = "file"
	sizeBand     = "market_cap"
)

// newListing returns a listing with only its symbol known.
func newListing(symbol string) *Listing {
	return &Listing{Asset: Asset{
		Symbol: symbol, TaxEvidence: "unclassified", Leverage: 1, Tags: []string{},
		InceptionDate: timeseries.NoDate, FirstPriceDate: timeseries.NoDate, LastPriceDate: timeseries.NoDate,
	}}
}

// Same reports whether two listings are equal apart from their stored bars.
func (l *Listing) Same(o *Listing) bool {
	x, y := *l, *o
	for _, z := range []*Listing{&x, &y} {
		z.ID, z.BarsVersion, z.Convention, z.SevenDay = "", 0, "", false
		z.FirstPriceDate, z.LastPriceDate = timeseries.NoDate, timeseries.NoDate
		if len(z.Tags) == 0 {
			z.Tags = nil
		}
		if len(z.Evidence) == 0 {
			z.Evidence = nil
		}
	}
	return reflect.DeepEqual(&x, &y)
}

// take copies a row's values into the listing. Blank fields do not change.
func (l *Listing) take(r *row) {
	for i, text := range r.texts {
		if text != "" {
			*textFields[i].place(l) = text
		}
	}
	if l.Name == "" {
		l.Name = l.Symbol
	}
	if r.kind != "" {
		l.Type = r.kind
	}
	for _, n := range []struct{ to, from **float64 }{
		{&l.AUM, &r.aum}, {&l.MarketCap, &r.marketCap}, {&l.ExpenseRatio, &r.expenseRatio},
	} {
		if *n.from != nil {
			*n.to = *n.from
		}
	}
	if r.inception != timeseries.NoDate {
		l.InceptionDate = r.inception
	}
	if r.delisted != nil {
		l.Delisted = *r.delisted
	}
	l.Evidence = slices.Clone(l.Evidence)
	for _, s := range r.stated {
		l.Evidence = slices.DeleteFunc(l.Evidence, func(e classify.Evidence) bool { return e.Source == s.Source && e.Field == s.Field })
		l.Evidence = append(l.Evidence, s)
	}
}

// classify classifies the listing again, but keeps what a file has stated.
func (l *Listing) classify() {
	c := classify.Classify(classify.Listing{
		Symbol: l.Symbol, Name: l.Name, Kind: l.Type, Category: l.Category, CategoryGroup: l.CategoryGroup,
		Family: l.Family, Summary: l.Summary, Exchange: l.Exchange, Currency: l.Currency, Country: l.HomeCountry,
		Sector: l.Sector, Industry: l.Industry, LegalType: l.LegalType, ISIN: l.ISIN,
	})
	stated := slices.DeleteFunc(slices.Clone(l.Evidence), func(e classify.Evidence) bool {
		return e.Source != statedByFile && e.Source != sizeBand
	})
	slices.SortStableFunc(stated, func(a, b classify.Evidence) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Source, b.Source))
	})
	if c.Type != "" {
		l.Type = c.Type
	}
	l.Wrapper, l.LegalStructure, l.AssetClass, l.Issuer = c.Wrapper, c.LegalStructure, c.AssetClass, c.Issuer
	l.Country, l.Domicile = c.Country, c.Domicile
	l.TaxForm, l.TaxEvidence = c.TaxForm, c.TaxEvidence
	l.Leverage, l.Inverse, l.Hedged, l.Tags = c.Leverage, c.Inverse, c.Hedged, c.Tags
	for _, s := range stated {
		l.apply(s)
	}
	if l.Tags == nil {
		l.Tags = []string{}
	}
	l.Evidence = stated
	for _, e := range c.Evidence {
		if !slices.ContainsFunc(stated, func(s classify.Evidence) bool { return s.Source == statedByFile && s.Field == e.Field }) {
			l.Evidence = append(l.Evidence, e)
		}
	}
}

// apply sets a field to the value that a file states.
func (l *Listing) apply(s classify.Evidence) {
	switch s.Field {
	case "asset_class":
		l.AssetClass = s.Value
	case "wrapper":
		l.Wrapper = s.Value
	case "legal_structure":
		l.LegalStructure = s.Value
	case "tax_form":
		l.TaxForm, l.TaxEvidence = s.Value, "stated"
	case "country":
		l.Country = s.Value
	case "hedged":
		l.Hedged = s.Value == "true"
	case "leverage":
		if x := number(s.Value); x != nil {
			l.Leverage, l.Inverse = *x, *x < 0
		}
	case "tags":
		if s.Source == statedByFile {
			l.Tags = strings.Split(s.Value, ",")
			return
		}
		if !slices.ContainsFunc(l.Tags, func(t string) bool { return strings.HasPrefix(t, "size:") }) {
			l.Tags = append(slices.Clone(l.Tags), s.Value)
			slices.Sort(l.Tags)
		}
	}
}
