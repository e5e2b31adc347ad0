package catalog

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"ballast/catalog/classify"
	"ballast/timeseries"
)

// textFields are the fields that are stored as written, with the names of their columns,
// the preferred first.
var textFields = []struct {
	name    string
	columns []string
	place   func(*Listing) *string
}{
	{"name", []string{"name", "long_name", "short_name"}, func(l *Listing) *string { return &l.Name }},
	{"exchange", []string{"exchange"}, func(l *Listing) *string { return &l.Exchange }},
	{"currency", []string{"currency"}, func(l *Listing) *string { return &l.Currency }},
	{"sector", []string{"sector"}, func(l *Listing) *string { return &l.Sector }},
	{"industry", []string{"industry"}, func(l *Listing) *string { return &l.Industry }},
	{"isin", []string{"isin"}, func(l *Listing) *string { return &l.ISIN }},
	{"summary", []string{"summary", "description"}, func(l *Listing) *string { return &l.Summary }},
	{"category", []string{"category"}, func(l *Listing) *string { return &l.Category }},
	{"category_group", []string{"category_group"}, func(l *Listing) *string { return &l.CategoryGroup }},
	{"issuer", []string{"issuer", "family", "fund_family"}, func(l *Listing) *string { return &l.Family }},
	{"legal_type", []string{"legal_type"}, func(l *Listing) *string { return &l.LegalType }},
	{"country", []string{"country"}, func(l *Listing) *string { return &l.HomeCountry }},
}

// otherFields are the fields that are parsed, with the names of their columns, the
// preferred first.
var otherFields = []struct {
	name    string
	columns []string
}{
	{"symbol", []string{"symbol", "ticker"}},
	{"type", []string{"type", "quote_type", "asset_type"}},
	{"aum", []string{"aum", "total_assets_usd", "total_assets"}},
	{"market_cap", []string{"market_cap"}},
	{"expense_ratio", []string{"expense_ratio"}},
	{"expense_ratio_pct", []string{"expense_ratio_pct"}},
	{"inception_date", []string{"inception_date"}},
	{"delisted", []string{"delisted"}},
	{"asset_class", []string{"asset_class"}},
	{"wrapper", []string{"wrapper"}},
	{"legal_structure", []string{"legal_structure"}},
	{"tax_form", []string{"tax_form"}},
	{"leverage", []string{"leverage"}},
	{"hedged", []string{"hedged"}},
	{"tags", []string{"tags"}},
}

// fieldNames returns all fields that a file may give, for mappings and their errors.
func fieldNames() []string {
	var names []string
	for _, f := range otherFields {
		names = append(names, f.name)
	}
	for _, f := range textFields {
		names = append(names, f.name)
	}
	return names
}

// typeNames are the spellings of a type in files.
var typeNames = map[string]string{
	"etf": "etf", "fund": "fund", "mutualfund": "fund", "mutual_fund": "fund",
	"stock": "stock", "equity": "stock", "crypto": "crypto", "cryptocurrency": "crypto",
}

// bands maps the bands in which files give market capitalisations to size tags.
var bands = map[string]string{
	"mega cap": "size:mega", "large cap": "size:large", "mid cap": "size:mid", "small cap": "size:small", "micro cap": "size:micro",
}

// row holds the values of one line of a file. Values that the line does not give are
// blank, nil or NoDate.
type row struct {
	symbol       string
	kind         string // one of Types
	texts        []string
	aum          *float64
	marketCap    *float64
	expenseRatio *float64 // annual fraction
	inception    timeseries.Date
	delisted     *bool
	stated       []classify.Evidence // of Source statedByFile or sizeBand
}

// closedFields are the fields with closed lists that a file may state, with their values.
var closedFields = []struct {
	name   string
	values []string
}{
	{"asset_class", classify.AssetClasses()},
	{"wrapper", classify.Wrappers()},
	{"legal_structure", classify.LegalStructures()},
	{"tax_form", classify.TaxForms()},
}

// number parses a finite number, and returns nil for anything else.
func number(s string) *float64 {
	v, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > 1e18 {
		return nil
	}
	return &v
}

// truth parses a boolean, and returns nil for anything else.
func truth(s string) *bool {
	for i, words := range [][]string{{"false", "0", "no", "n"}, {"true", "1", "yes", "y"}} {
		if slices.Contains(words, strings.ToLower(s)) {
			is := i == 1
			return &is
		}
	}
	return nil
}
