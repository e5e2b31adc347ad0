package catalog

import (
	"slices"
	"strings"
)

// common are words of names that tell no two assets apart.
var common = strings.Fields("inc corp corporation ltd limited trust fund funds etf etfs group the holdings company plc co sa ag nv class ordinary shares new index and of")

// another reports whether a row is of another asset than the listing, one that
// has taken over its symbol: a share where there was a fund or a coin, and so on,
// with no word of its name in common.
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

// pooled is the type, the same for ETFs and funds, which sources mix up.
func pooled(kind string) string {
	if kind == "etf" {
		return "fund"
	}
	return kind
}

// anew is a listing of the same symbol, id and bars of which nothing else is known.
func (l *Listing) anew() *Listing {
	n := newListing(l.Symbol)
	n.ID, n.BarsVersion, n.Convention, n.SevenDay = l.ID, l.BarsVersion, l.Convention, l.SevenDay
	n.FirstPriceDate, n.LastPriceDate = l.FirstPriceDate, l.LastPriceDate
	return n
}
