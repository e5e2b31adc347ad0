package classify

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Labelled is a listing with its correct classification, as decided by hand.
type Labelled struct {
	File    string // the catalog that it comes from
	HeldOut bool   // labelled after the rules were written, so the rules are not fitted to it
	Listing Listing
	Want    map[string]string // field to value; "?" where it cannot be known
	Tags    []string          // correct tags that must be found
	Maybe   []string          // correct tags that need not be found
}

// Accuracy counts one field over labelled listings.
type Accuracy struct {
	Field  string
	Right  int // given and correct
	Wrong  int // given and incorrect
	Missed int // not given, or given with another value
}

// Precision returns the share of given values that are correct, or 1 if none was
// given.
func (a Accuracy) Precision() float64 { return share(a.Right, a.Right+a.Wrong) }

// Recall returns the share of correct values that were given.
func (a Accuracy) Recall() float64 { return share(a.Right, a.Right+a.Missed) }

func share(part, all int) float64 {
	if all == 0 {
		return 1
	}
	return float64(part) / float64(all)
}

// MeasuredFields returns the fields that Measure counts, in its order: the
// single-valued ones, all tags, and the tags of each dimension.
func MeasuredFields() []string { return slices.Clone(fields) }

var fields = []string{
	"type", "wrapper", "legal_structure", "tax_form", "asset_class", "leverage", "hedged", "issuer", "country", "domicile",
	"tags", "tags sector", "tags commodity", "tags theme", "tags region", "tags size", "tags bond",
}

// singles is the number of fields with a single value; the rest are tags.
const singles = 10

// Measure classifies the listings and counts each field. Leverage and hedged count only
// if they differ from the defaults 1 and false, which most listings have.
func Measure(labelled []Labelled, classify func(Listing) Classification) []Accuracy {
	out := make([]Accuracy, len(fields))
	for i, f := range fields {
		out[i].Field = f
	}
	for _, l := range labelled {
		c := classify(l.Listing)
		got := c.values()
		for i := range out[:singles] {
			want := l.Want[fields[i]]
			if want != "?" {
				out[i].count(got[fields[i]], want)
			}
		}
		for i := range out[singles:] {
			_, dimension, _ := strings.Cut(fields[singles+i], " ")
			out[singles+i].countTags(dimension, c.Tags, l)
		}
	}
	return out
}

func (a *Accuracy) count(got, want string) {
	switch {
	case got == want && want != "":
		a.Right++
	case got == want:
	default:
		if got != "" {
			a.Wrong++
		}
		if want != "" {
			a.Missed++
		}
	}
}

func (a *Accuracy) countTags(dimension string, got []string, l Labelled) {
	in := func(tag string) bool { return dimension == "" || strings.HasPrefix(tag, dimension+":") }
	for _, tag := range got {
		switch {
		case !in(tag), slices.Contains(l.Maybe, tag):
		case slices.Contains(l.Tags, tag):
			a.Right++
		default:
			a.Wrong++
		}
	}
	for _, tag := range l.Tags {
		if in(tag) && !slices.Contains(got, tag) {
			a.Missed++
		}
	}
}

// values returns the single-valued fields as text, with "" for null and for defaults.
func (c Classification) values() map[string]string {
	v := map[string]string{
		"type": c.Type, "wrapper": c.Wrapper, "legal_structure": c.LegalStructure, "tax_form": c.TaxForm,
		"asset_class": c.AssetClass, "issuer": c.Issuer, "country": c.Country, "domicile": c.Domicile,
	}
	if c.Leverage != 1 {
		v["leverage"] = strconv.FormatFloat(c.Leverage, 'g', -1, 64)
	}
	if c.Hedged {
		v["hedged"] = "true"
	}
	return v
}

// ReadLabelled reads labelled listings from CSV with a header. The columns are those of a
// listing, named as in evidence, and want_ columns.
func ReadLabelled(r io.Reader) ([]Labelled, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("labelled listings: %w", err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("labelled listings: no header")
	}
	out := make([]Labelled, 0, len(rows)-1)
	for _, row := range rows[1:] {
		v := make(map[string]string, len(row))
		for i, name := range rows[0] {
			v[name] = row[i]
		}
		out = append(out, labelled(v))
	}
	return out, nil
}

func labelled(v map[string]string) Labelled {
	l := Labelled{
		File: v["file"], HeldOut: v["held_out"] == "true", Want: map[string]string{},
		Tags: strings.Fields(v["want_tags"]), Maybe: strings.Fields(v["want_optional_tags"]),
		Listing: Listing{
			Symbol: v["symbol"], Name: v["name"], Kind: v["kind"], Category: v["category"], CategoryGroup: v["category_group"],
			Family: v["family"], Summary: v["summary"], Exchange: v["exchange"], Currency: v["currency"], Country: v["country"],
			Sector: v["sector"], Industry: v["industry"], LegalType: v["legal_type"], ISIN: v["isin"],
		},
	}
	for _, f := range fields[:singles] {
		l.Want[f] = v["want_"+f]
	}
	if l.Want["leverage"] == "1" {
		l.Want["leverage"] = ""
	}
	if l.Want["hedged"] == "false" {
		l.Want["hedged"] = ""
	}
	return l
}
