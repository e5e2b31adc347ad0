package classify

import (
	"slices"
	"strings"
)

// Classify classifies a listing. It never fails: fields that the words do not state stay
// empty, and leverage is then 1.
func Classify(l Listing) Classification {
	c := &reading{Listing: l, out: Classification{Leverage: 1, TaxEvidence: "unclassified"}}
	c.name = read("name", l.Name)
	c.summary = read("summary", l.Summary)
	c.family = read("family", l.Family)
	c.category = read("category", l.Category)
	c.group = read("category_group", l.CategoryGroup)
	c.domicile = c.isin()
	c.readSummary()
	c.readType()
	switch c.out.Type {
	case "etf", "fund":
		c.readFund()
	case "stock":
		c.readStock()
	case "crypto":
		c.readCoin()
	}
	slices.Sort(c.out.Tags)
	return c.out
}

// reading is the state of one classification.
type reading struct {
	Listing
	out                                    Classification
	name, summary, family, category, group text

	domicile string // of the ISIN: two letters, "" without one
	said     said
}

func (c *reading) readFund() {
	c.readWrapper()
	c.readIssuer()
	c.readCountry()
	c.readLeverage()
	c.readClass()
	c.readTags()
	c.readHedged()
	c.readStructure()
	c.readTax()
}

// says sets a field and records the evidence for its value.
func (c *reading) says(field, value string, t *text, h hit, derived bool) {
	c.ground(field, value, t.field, t.span(h.lo, h.hi), derived)
}

func (c *reading) ground(field, value, source, words string, derived bool) {
	c.out.Evidence = append(c.out.Evidence, Evidence{Field: field, Value: value, Source: source, Words: words, Derived: derived})
}

// tag adds a tag once.
func (c *reading) tag(tag string, t *text, h hit, derived bool) {
	if !slices.Contains(c.out.Tags, tag) {
		c.out.Tags = append(c.out.Tags, tag)
		c.says("tags", tag, t, h, derived)
	}
}

func (c *reading) has(tag string) bool { return slices.Contains(c.out.Tags, tag) }

// hasDimension reports whether there is a tag of the dimension.
func (c *reading) hasDimension(name string) bool {
	for _, tag := range c.out.Tags {
		if strings.HasPrefix(tag, name) && tag[len(name)] == ':' {
			return true
		}
	}
	return false
}

// find returns the first phrase of the table in the text.
func find(t *table, in *text) (first hit, ok bool) {
	t.scan(in, func(h hit) {
		if !ok {
			first, ok = h, true
		}
	})
	return first, ok
}
