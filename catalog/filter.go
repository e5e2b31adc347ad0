package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ballast/catalog/classify"
	"ballast/internal/fault"
	"ballast/internal/nearest"
	"ballast/timeseries"
)

// Filter selects the assets of a list. An asset must satisfy all given conditions; an
// unknown value satisfies none.
type Filter struct {
	Query             string           // ticker or words of the name
	Type              string           // one of Types
	Exchange          string           // code, in any case
	Sector            string           // one of classify.Sectors, or a source's spelling, in any case
	MinMarketCap      *float64         // USD, of market capitalisation or assets under management
	Delisted          bool             // include delisted assets
	TaxForm           string           // 1099, k1, pfic
	LegalStructure    string           // one of classify.LegalStructures
	AssetClass        string           // one of classify.AssetClasses
	Tags              []string         // any of them; each dimension:value
	TagsAll           []string         // all of them
	TagsNone          []string         // none of them
	LeverageMin       *float64         // signed, inclusive
	LeverageMax       *float64         // signed, inclusive
	Issuer            string           // prefix of the issuer or of the source's fund family, in any case
	MaxFirstPriceDate *timeseries.Date // of the first stored bar, inclusive
	Country           string           // one of classify.Countries; no asset has another
	Domicile          string           // one of classify.Domiciles; no asset has another

	Sort      string // symbol, name, aum, expense_ratio, leverage, first_price_date; "" by rank with a query, else by symbol
	Ascending bool   // assets without the field of Sort come last in either direction
	Limit     int
	Offset    int
	Facets    bool // also count the values of every field
}

// Sorts are the fields by which a list can be sorted.
var Sorts = []string{"symbol", "name", "aum", "expense_ratio", "leverage", "first_price_date"}

// Page is a page of a list. All of it comes from one state of the catalog.
type Page struct {
	Assets []*Asset
	Total  int     // before paging
	Facets *Facets // nil if they were not requested
}

// Count is the number of assets with a value.
type Count struct {
	Value string
	N     int
}

// Facets count the assets of a filter by the values of their fields. Closed lists are
// complete, with 0 for values that no asset has. Exchanges, issuers and multiples are
// those that at least one asset has. Unknown values are not counted.
type Facets struct {
	Type, AssetClass, Exchange, Sector []Count
	TaxForm, LegalStructure, Country   []Count
	Domicile                           []Count
	Issuer                             []Count // the 50 most frequent, the most frequent first
	Leverage                           []Count // ascending
	Tags                               []Dimension
}

// Dimension counts the tags of one dimension.
type Dimension struct {
	Name   string
	Values []Count
}

// State holds the versions of the catalog and the bars. Each change increases one of
// them.
type State struct{ Catalog, Bars int64 }

// BarRange is the first and last stored bar of an asset.
type BarRange struct {
	ID, Symbol  string
	First, Last timeseries.Date
}

// Screener answers filters.
type Screener interface {
	// Screen returns a page with its total and facets. Records are shared; callers must
	// not change them.
	Screen(ctx context.Context, f Filter) (*Page, error)
}

// Check refuses tags outside the vocabulary (fault.UnknownTag) and bounds that exclude
// each other (fault.InvalidParameter).
func (f *Filter) Check() error {
	var details []fault.Detail
	for _, p := range []struct {
		name string
		tags []string
	}{{"tags", f.Tags}, {"tags_all", f.TagsAll}, {"tags_none", f.TagsNone}} {
		for _, tag := range p.tags {
			if d := checkTag(tag); d != nil {
				d.Field = p.name
				details = append(details, *d)
			}
		}
	}
	if len(details) > 0 {
		return fault.New(fault.UnknownTag, "A tag is unknown; include=facets lists all tags.").With(details...)
	}
	if f.LeverageMin != nil && f.LeverageMax != nil && *f.LeverageMin > *f.LeverageMax {
		return fault.New(fault.InvalidParameter, "leverage_min is above leverage_max.").
			With(fault.Detail{Field: "leverage_min", Message: fmt.Sprintf("%v is above leverage_max, %v", *f.LeverageMin, *f.LeverageMax)})
	}
	return nil
}

// SectorValue returns the sector of the filter in the spelling of records.
func (f *Filter) SectorValue() string {
	if value, ok := classify.Sector(f.Sector); ok {
		return value
	}
	return f.Sector
}

// known holds the tags of the vocabulary.
var known = func() map[string]bool {
	out := map[string]bool{}
	for _, d := range classify.Vocabulary() {
		for _, v := range d.Values {
			out[d.Name+":"+v] = true
		}
	}
	return out
}()

// checkTag returns what is wrong with a tag, or returns nil if it is in the vocabulary.
func checkTag(tag string) *fault.Detail {
	if known[tag] {
		return nil
	}
	return checkAmong(tag, classify.Vocabulary())
}

// checkAmong returns what is wrong with dimension:value, or returns nil if the dimensions
// have it.
func checkAmong(tag string, among []classify.Dimension) *fault.Detail {
	name, value, found := strings.Cut(tag, ":")
	var dimensions, all, own []string
	for _, d := range among {
		dimensions = append(dimensions, d.Name)
		for _, v := range d.Values {
			all = append(all, d.Name+":"+v)
		}
		if d.Name == name {
			own = all[len(all)-len(d.Values):]
		}
	}
	if slices.Contains(all, tag) {
		return nil
	}
	near := nearest.Match(tag, all)
	for _, t := range all { // the same value under another dimension, or without one
		if _, v, _ := strings.Cut(t, ":"); near == "" && (v == value && found || v == name && !found) {
			near = t
		}
	}
	d := &fault.Detail{Message: fmt.Sprintf("%q is not a tag", tag), Suggestion: near, Accepted: dimensions}
	switch {
	case !found:
		d.Message += "; tags are written dimension:value, with one of the accepted dimensions"
	case len(own) == 0:
		d.Message += fmt.Sprintf("; there is no dimension %q", name)
	default:
		d.Message += fmt.Sprintf(" of %s", name)
		d.Accepted = slices.Clone(own)
	}
	return d
}
