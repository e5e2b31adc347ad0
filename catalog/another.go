package catalog

import (
	"slices"
	"strings"
)

// common are words that do not tell assets apart.
var common = strings.Fields("inc corp corporation ltd limited trust fund funds etf etfs group the holdings company plc co sa ag nv class ordinary shares new index and of")

// another reports whether a row describes a different asset that has taken over the
// listing's symbol: it has another type, such as a share instead of a fund, and no
// word of the name in common.
func (l *Listing) another(r *row) bool {
	name := r.texts[0]
	if name == "" || l.Name == l.Symbol || l.Type == "" || pooled(l.Type) == pooled(r.kind) {
		return false
	}
	before := Words(l.Name)
	for _, w := range Words(name) {
		if !slices.Contains(common, w) && slices.Contains(before, w) {
			return false
		}
	}
	return true
}

// pooled returns the type, with one value for ETFs and funds, which sources confuse.
func pooled(kind string) string {
	if kind == "etf" {
		return "fund"
	}
	return kind
}

// blank returns a listing with the same symbol, id and bars, and no other fields.
func (l *Listing) blank() *Listing {
	n := newListing(l.Symbol)
	n.ID, n.BarsVersion, n.Convention, n.SevenDay = l.ID, l.BarsVersion, l.Convention, l.SevenDay
	n.FirstPriceDate, n.LastPriceDate = l.FirstPriceDate, l.LastPriceDate
	return n
}
