package classify

import "strings"

// Classify says what the listing is. It never fails: what the words do not say
// stays empty, and leverage is 1.
func Classify(l Listing) Classification {
	c := Classification{Leverage: 1, TaxEvidence: "unclassified"}
	switch kind := strings.ToLower(strings.TrimSpace(l.Kind)); kind {
	case "etf", "fund", "stock", "crypto":
		c.Type = kind
		c.Evidence = append(c.Evidence, Evidence{Field: "type", Value: kind, Source: "kind", Words: kind})
	}
	return c
}
