package classify

import (
	"slices"
	"strings"
	"testing"
)

// proper fails if a classification has a value outside the closed lists, or evidence that
// does not belong to it.
func proper(t *testing.T, l Listing, c Classification) {
	t.Helper()
	closed := func(field, v string, list []string) {
		if v != "" && !slices.Contains(list, v) {
			t.Errorf("%+v: %s %q is not among %v", l, field, v, list)
		}
	}
	closed("type", c.Type, types)
	closed("wrapper", c.Wrapper, wrappers)
	closed("legal structure", c.LegalStructure, legalStructures)
	closed("tax form", c.TaxForm, taxForms)
	closed("asset class", c.AssetClass, assetClasses)
	closed("country", c.Country, countries)
	closed("domicile", c.Domicile, Domiciles())
	if c.Type == "stock" && c.Country != "" {
		t.Errorf("%+v: a stock has the country %q", l, c.Country)
	}
	closed("tax evidence", c.TaxEvidence, []string{"stated", "derived", "unclassified"})
	if (c.TaxEvidence == "unclassified") != (c.TaxForm == "" && c.LegalStructure == "") {
		t.Errorf("%+v: tax evidence %q with form %q and structure %q", l, c.TaxEvidence, c.TaxForm, c.LegalStructure)
	}
	if c.Leverage == 0 || c.Leverage < -5 || c.Leverage > 5 || c.Inverse != (c.Leverage < 0) {
		t.Errorf("%+v: leverage %v, inverse %v", l, c.Leverage, c.Inverse)
	}
	for _, tag := range c.Tags {
		if !inVocabulary(tag) {
			t.Errorf("%+v: tag %q is not of the vocabulary", l, tag)
		}
	}
	if !slices.IsSorted(c.Tags) || len(slices.Compact(slices.Clone(c.Tags))) != len(c.Tags) {
		t.Errorf("%+v: tags %v are not sorted, each once", l, c.Tags)
	}
	grounds(t, l, c)
}

// grounds checks that every value has evidence and that all evidence has its value.
func grounds(t *testing.T, l Listing, c Classification) {
	t.Helper()
	said := map[string]string{}
	for _, e := range c.Evidence {
		if e.Field != "tags" {
			said[e.Field] = e.Value
		} else if !slices.Contains(c.Tags, e.Value) {
			t.Errorf("%+v: evidence for tag %s that is not there", l, e.Value)
		}
		if e.Source == "" {
			t.Errorf("%+v: evidence without source: %+v", l, e)
		}
	}
	v := c.values()
	for _, field := range []string{"type", "wrapper", "legal_structure", "tax_form", "asset_class", "leverage", "hedged", "issuer", "country", "domicile"} {
		if said[field] != v[field] {
			t.Errorf("%+v: %s is %q, its evidence says %q", l, field, v[field], said[field])
		}
	}
}

func inVocabulary(tag string) bool {
	dimension, value, _ := strings.Cut(tag, ":")
	for _, d := range vocabulary {
		if d.Name == dimension {
			return slices.Contains(d.Values, value)
		}
	}
	return false
}

func TestEveryLabelledListingIsProper(t *testing.T) {
	t.Parallel()
	for _, l := range labelledListings(t) {
		proper(t, l.Listing, Classify(l.Listing))
	}
}

// TestTablesSayVocabulary compares the tables themselves with the closed lists, including
// rows that no listing here matches.
func TestTablesSayVocabulary(t *testing.T) {
	t.Parallel()
	each := func(table *table, proper func(string) bool) {
		for _, values := range table.values {
			for _, v := range values {
				if !proper(v) {
					t.Errorf("value %q of a table is not of its list", v)
				}
			}
		}
	}
	each(known().tags, inVocabulary)
	each(known().countries, func(v string) bool { return v == "region" || v == "other" || slices.Contains(countries, v) })
	each(known().classes, func(v string) bool { return slices.Contains(assetClasses, v) })
	each(known().wrappers, func(v string) bool { return slices.Contains(wrappers, v) })
	each(known().sectors, func(v string) bool { return inVocabulary("sector:" + v) })
	each(known().structures, func(v string) bool {
		return slices.Contains(append([]string{"no_k1", "corp", "uit_us", "foreign"}, legalStructures...), v)
	})
	each(known().categories, func(v string) bool {
		kind, class, _ := strings.Cut(v, ":")
		return inVocabulary(v) || slices.Contains([]string{"class", "solid", "weak"}, kind) && slices.Contains(assetClasses, class)
	})
	each(known().coins, func(v string) bool {
		return inVocabulary(v) || slices.Contains(wrappers, strings.TrimPrefix(v, "wrapper:"))
	})
}

func FuzzClassify(f *testing.F) {
	for _, l := range labelledListings(f)[:60] {
		f.Add(l.Listing.Symbol, l.Listing.Name, l.Listing.Kind, l.Listing.Category, l.Listing.Family, l.Listing.Summary, l.Listing.Exchange, l.Listing.ISIN)
	}
	f.Add("X", "-", "etf", "", "", "-1x 1.5.x €", "PCX", "US0000000000")
	f.Fuzz(func(t *testing.T, symbol, name, kind, category, family, summary, exchange, isin string) {
		l := Listing{Symbol: symbol, Name: name, Kind: kind, Category: category, Family: family, Summary: summary, Exchange: exchange, ISIN: isin}
		proper(t, l, Classify(l))
	})
}
