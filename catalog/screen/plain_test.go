package screen_test

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/timeseries"
)

// plain answers a filter by checking one asset after the other, with each rule as the
// interface states it.
func plain(assets []*catalog.Asset, f catalog.Filter) *catalog.Page {
	var found []*catalog.Asset
	for _, a := range assets {
		if fits(a, f) {
			found = append(found, a)
		}
	}
	page := &catalog.Page{Total: len(found), Facets: count(found)}
	slices.SortStableFunc(found, func(a, b *catalog.Asset) int { return before(a, b, f) })
	page.Assets = found[min(f.Offset, len(found)):min(f.Offset+f.Limit, len(found))]
	return page
}

func fits(a *catalog.Asset, f catalog.Filter) bool {
	states := func(wanted, has string) bool { return wanted == "" || strings.EqualFold(wanted, has) }
	has := func(tag string) bool { return slices.Contains(a.Tags, tag) }
	switch {
	case a.Delisted && !f.Delisted:
	case !states(f.Type, a.Type), !states(f.Exchange, a.Exchange), !states(strings.ReplaceAll(f.Sector, " ", "_"), a.Sector):
	case !states(f.TaxForm, a.TaxForm), !states(f.LegalStructure, a.LegalStructure):
	case !states(f.AssetClass, a.AssetClass), !states(f.Country, a.Country), !states(f.Domicile, a.Domicile):
	case !strings.HasPrefix(catalog.Fold(a.Issuer), catalog.Fold(strings.TrimSpace(f.Issuer))) && !strings.HasPrefix(catalog.Fold(a.Family), catalog.Fold(strings.TrimSpace(f.Issuer))):
	case len(f.Tags) > 0 && !slices.ContainsFunc(f.Tags, has):
	case slices.ContainsFunc(f.TagsAll, func(tag string) bool { return !has(tag) }):
	case slices.ContainsFunc(f.TagsNone, has):
	case f.LeverageMin != nil && a.Leverage < *f.LeverageMin:
	case f.LeverageMax != nil && a.Leverage > *f.LeverageMax:
	case f.MinMarketCap != nil && !atLeast(a.MarketCap, *f.MinMarketCap) && !atLeast(a.AUM, *f.MinMarketCap):
	case f.MaxFirstPriceDate != nil && (a.FirstPriceDate == timeseries.NoDate || a.FirstPriceDate > *f.MaxFirstPriceDate):
	case strings.TrimSpace(f.Query) != "" && rank(a, f.Query) < 0:
	default:
		return true
	}
	return false
}

func atLeast(x *float64, least float64) bool { return x != nil && *x >= least }

// rank returns how well an asset matches a query, lower is better; -1 if it does not match.
func rank(a *catalog.Asset, query string) int {
	query = strings.ToUpper(strings.TrimSpace(query))
	pair := 0
	if a.OtherPair() {
		pair = 1
	}
	switch {
	case a.Symbol == query:
		return 0
	case strings.HasPrefix(a.Symbol, query):
		return 1 + pair
	}
	words := catalog.Words(query)
	for _, w := range words {
		if !slices.ContainsFunc(catalog.Words(a.Name), func(word string) bool { return strings.HasPrefix(word, w) }) {
			return -1
		}
	}
	if len(words) == 0 {
		return -1
	}
	return 3 + pair
}

// before orders assets; those without the field of the sort come last.
func before(a, b *catalog.Asset, f catalog.Filter) int {
	sign := -1
	if f.Ascending {
		sign = 1
	}
	numbers := func(x, y *float64) int {
		switch {
		case x == nil && y == nil:
			return 0
		case x == nil:
			return 1
		case y == nil:
			return -1
		}
		return sign * cmp.Compare(*x, *y)
	}
	var by int
	switch f.Sort {
	case "":
		if strings.TrimSpace(f.Query) != "" {
			return cmp.Or(cmp.Compare(rank(a, f.Query), rank(b, f.Query)), strings.Compare(a.Symbol, b.Symbol))
		}
		return sign * strings.Compare(a.Symbol, b.Symbol)
	case "symbol":
		return sign * strings.Compare(a.Symbol, b.Symbol)
	case "name":
		by = sign * strings.Compare(catalog.Fold(a.Name), catalog.Fold(b.Name))
	case "aum":
		by = numbers(a.AUM, b.AUM)
	case "expense_ratio":
		by = numbers(a.ExpenseRatio, b.ExpenseRatio)
	case "leverage":
		by = numbers(&a.Leverage, &b.Leverage)
	case "first_price_date":
		by = numbers(day(a.FirstPriceDate), day(b.FirstPriceDate))
	}
	return cmp.Or(by, strings.Compare(a.Symbol, b.Symbol))
}

func day(d timeseries.Date) *float64 {
	if d == timeseries.NoDate {
		return nil
	}
	x := float64(d)
	return &x
}

func count(found []*catalog.Asset) *catalog.Facets {
	listed := func(values []string, of func(*catalog.Asset) string) []catalog.Count {
		out := make([]catalog.Count, len(values))
		for i, v := range values {
			out[i].Value = v
			for _, a := range found {
				if of(a) == v {
					out[i].N++
				}
			}
		}
		return out
	}
	occurring := func(of func(*catalog.Asset) string) []catalog.Count {
		seen := map[string]bool{}
		values := []string{}
		for _, a := range found {
			if v := of(a); v != "" && !seen[v] {
				seen[v] = true
				values = append(values, v)
			}
		}
		slices.SortFunc(values, func(x, y string) int {
			return cmp.Or(strings.Compare(catalog.Fold(x), catalog.Fold(y)), strings.Compare(x, y))
		})
		return listed(values, of)
	}
	f := &catalog.Facets{
		Type:           listed(catalog.Types, func(a *catalog.Asset) string { return a.Type }),
		AssetClass:     listed(classify.AssetClasses(), func(a *catalog.Asset) string { return a.AssetClass }),
		Exchange:       occurring(func(a *catalog.Asset) string { return a.Exchange }),
		Sector:         listed(classify.Sectors(), func(a *catalog.Asset) string { return a.Sector }),
		TaxForm:        listed(classify.TaxForms(), func(a *catalog.Asset) string { return a.TaxForm }),
		LegalStructure: listed(classify.LegalStructures(), func(a *catalog.Asset) string { return a.LegalStructure }),
		Country:        listed(classify.Countries(), func(a *catalog.Asset) string { return a.Country }),
		Domicile:       listed(classify.Domiciles(), func(a *catalog.Asset) string { return a.Domicile }),
		Issuer:         occurring(func(a *catalog.Asset) string { return a.Issuer }),
		Leverage:       occurring(func(a *catalog.Asset) string { return strconv.FormatFloat(a.Leverage, 'g', -1, 64) }),
	}
	slices.SortStableFunc(f.Issuer, func(a, b catalog.Count) int { return cmp.Compare(b.N, a.N) })
	f.Issuer = f.Issuer[:min(50, len(f.Issuer))]
	slices.SortFunc(f.Leverage, func(a, b catalog.Count) int {
		x, _ := strconv.ParseFloat(a.Value, 64)
		y, _ := strconv.ParseFloat(b.Value, 64)
		return cmp.Compare(x, y)
	})
	for _, d := range classify.Vocabulary() {
		counted := catalog.Dimension{Name: d.Name, Values: make([]catalog.Count, len(d.Values))}
		for i, v := range d.Values {
			counted.Values[i].Value = v
			for _, a := range found {
				if slices.Contains(a.Tags, d.Name+":"+v) {
					counted.Values[i].N++
				}
			}
		}
		f.Tags = append(f.Tags, counted)
	}
	return f
}
