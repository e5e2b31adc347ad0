package sample

import (
	"math/rand/v2"
	"strings"

	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/timeseries"
)

// Filter returns a filter with about three conditions on values that the assets have, or
// nearly have, and with a sort and a page of its own.
func Filter(random *rand.Rand, assets []*catalog.Asset) catalog.Filter {
	f := catalog.Filter{Delisted: random.IntN(2) == 0, Facets: true, Ascending: random.IntN(2) == 0}
	a := pick(random, assets)
	conditions := []func(){
		func() { f.Type = a.Type },
		func() { f.Exchange = strings.ToLower(a.Exchange) },
		func() {
			f.Sector = strings.ToUpper(strings.ReplaceAll(a.Sector, "_", pick(random, []string{"_", " "})))
		},
		func() { f.MinMarketCap = size(random) },
		func() { f.TaxForm = a.TaxForm },
		func() { f.LegalStructure = a.LegalStructure },
		func() { f.AssetClass = a.AssetClass },
		func() { f.Country = pick(random, []string{a.Country, a.Country, "atlantis", "united_states"}) },
		func() { f.Domicile = pick(random, []string{a.Domicile, a.Domicile, "atlantis"}) },
		func() { f.Tags = someTags(random, a) },
		func() { f.TagsAll = someTags(random, a) },
		func() { f.TagsNone = someTags(random, a) },
		func() { least := pick(random, multiples); f.LeverageMin = &least },
		func() { most := pick(random, multiples); f.LeverageMax = &most },
		func() { f.Issuer = strings.ToUpper(prefix(random, ascii(a.Issuer))) },
		func() { f.Issuer = strings.ToUpper(prefix(random, ascii(a.Family))) },
		func() {
			if a.FirstPriceDate != timeseries.NoDate {
				f.MaxFirstPriceDate = &a.FirstPriceDate
			}
		},
		func() { f.Query = Query(random, a) },
		func() { f.Query = Query(random, a) },
	}
	for range random.IntN(4) {
		pick(random, conditions)()
	}
	f.Sort = pick(random, append([]string{""}, catalog.Sorts...))
	f.Limit, f.Offset = 1+random.IntN(60), random.IntN(2)*random.IntN(len(assets)/4+1)
	return f
}

// Query returns a query that somebody looking for the asset might type.
func Query(random *rand.Rand, a *catalog.Asset) string {
	words := strings.Fields(a.Name)
	switch random.IntN(5) {
	case 0:
		return strings.ToLower(a.Symbol)
	case 1:
		return prefix(random, a.Symbol)
	case 2:
		return " " + pick(random, []string{"&|!", "ETF", "e", "zz zz", "bond'"}) + " "
	case 3:
		return prefix(random, pick(random, words)) + " " + strings.ToUpper(prefix(random, pick(random, words)))
	}
	return strings.ToLower(catalog.Fold(a.Name))
}

// prefix returns a prefix of s, of at least one letter unless s is empty.
func prefix(random *rand.Rand, s string) string {
	runes := []rune(s)
	if len(runes) == 0 {
		return ""
	}
	return string(runes[:1+random.IntN(len(runes))])
}

// ascii returns s up to its first letter that is not ASCII.
func ascii(s string) string {
	for i, r := range s {
		if r > 0x7f {
			return s[:i]
		}
	}
	return s
}

// someTags returns tags of the asset and of the vocabulary.
func someTags(random *rand.Rand, a *catalog.Asset) []string {
	var out []string
	for range 1 + random.IntN(2) {
		if len(a.Tags) > 0 && random.IntN(3) > 0 {
			out = append(out, pick(random, a.Tags))
			continue
		}
		d := pick(random, classify.Vocabulary())
		out = append(out, d.Name+":"+pick(random, d.Values))
	}
	return out
}
