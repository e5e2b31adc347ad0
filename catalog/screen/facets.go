package screen

import (
	"cmp"
	"slices"

	"ballast/catalog"
	"ballast/catalog/classify"
)

// mostIssuers is the number of issuers that the facets list.
const mostIssuers = 50

// mostListed is the most rows that are listed and counted one by one.
const mostListed = 1 << 15

// facets counts the rows of a set by every field.
func (s *Snapshot) facets(rows set, total int) *catalog.Facets {
	var list []uint32
	if total <= mostListed {
		list = rows.appendRows(make([]uint32, 0, total))
	}
	return &catalog.Facets{
		Type:           s.kind.listed(catalog.Types, rows, list),
		AssetClass:     s.assetClass.listed(classes, rows, list),
		Exchange:       s.exchange.found(rows, list),
		Sector:         s.sector.listed(sectors, rows, list),
		TaxForm:        s.taxForm.listed(taxForms, rows, list),
		LegalStructure: s.legalStructure.listed(structures, rows, list),
		Country:        s.country.listed(countries, rows, list),
		Domicile:       s.domicile.listed(domiciles, rows, list),
		Issuer:         top(s.issuer.found(rows, list), mostIssuers),
		Leverage:       s.leverage.found(rows, list),
		Tags:           s.tags.dimensions(rows, list),
	}
}

// The closed lists that the facets count.
var (
	classes, taxForms     = classify.AssetClasses(), classify.TaxForms()
	structures, countries = classify.LegalStructures(), classify.Countries()
	sectors, domiciles    = classify.Sectors(), classify.Domiciles()
)

// listed counts the values of a closed list, in its order.
func (c *column) listed(values []string, rows set, list []uint32) []catalog.Count {
	counts := c.count(rows, list)
	out := make([]catalog.Count, len(values))
	for i, v := range values {
		out[i].Value = v
		if low, high := c.equal(v); low < high {
			out[i].N = int(counts[low])
		}
	}
	return out
}

// found counts the values that occur in the set, in the order of their keys.
func (c *column) found(rows set, list []uint32) []catalog.Count {
	out := []catalog.Count{}
	for code, n := range c.count(rows, list) {
		if n > 0 && c.values[code] != "" {
			out = append(out, catalog.Count{Value: c.values[code], N: int(n)})
		}
	}
	return out
}

// top returns the n most frequent, the most frequent first.
func top(counts []catalog.Count, n int) []catalog.Count {
	slices.SortStableFunc(counts, func(a, b catalog.Count) int { return cmp.Compare(b.N, a.N) })
	return counts[:min(n, len(counts))]
}

// dimensions counts every tag of the vocabulary.
func (t *tags) dimensions(rows set, list []uint32) []catalog.Dimension {
	counts := t.count(rows, list)
	out := make([]catalog.Dimension, len(closed.dimensions))
	code := 0
	for i, d := range closed.dimensions {
		out[i] = catalog.Dimension{Name: d.Name, Values: make([]catalog.Count, len(d.Values))}
		for j, v := range d.Values {
			out[i].Values[j] = catalog.Count{Value: v, N: int(counts[code])}
			code++
		}
	}
	return out
}
