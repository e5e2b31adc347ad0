package program

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ballast/catalog"
	"ballast/timeseries"
)

// perhapsCoins returns the entries that may name a coin: those that name nothing
// else, and those that name a model by symbol or name.
func (u *Universe) perhapsCoins() []string {
	entries := slices.Collect(maps.Keys(u.unknown))
	for e, m := range u.Models {
		if _, held := u.kept[e]; !held && m.ID != e && referenceOf(e).kind == "" {
			entries = append(entries, e)
		}
	}
	return entries
}

// readCoins resolves entries that name a coin to the coin's pair with the US dollar.
// An entry that also names a model becomes ambiguous. An entry that could mean
// several coins stays unresolved.
func (u *Universe) readCoins(ctx context.Context, assets Assets, entries []string) error {
	var symbols []string
	for _, e := range entries {
		for _, form := range catalog.DollarPairs(coinName(e)) {
			symbols = append(symbols, form.Symbol)
		}
	}
	if len(symbols) == 0 {
		return nil
	}
	slices.Sort(symbols)
	found, err := assets.AssetsBySymbol(ctx, slices.Compact(symbols))
	if err != nil {
		return fmt.Errorf("resolve coins: %w", err)
	}
	for _, e := range entries {
		a := coin(coinName(e), found)
		switch m := u.Models[e]; {
		case a == nil:
		case m != nil:
			delete(u.Models, e)
			u.either[e] = candidates{a, m}
		default:
			delete(u.unknown, e)
			u.Assets[e] = a
		}
	}
	return nil
}

// coinName returns an entry as a coin's symbol, or "" if the entry says that it is a
// model.
func coinName(entry string) string {
	r := referenceOf(entry)
	if r.kind == MemberModel {
		return ""
	}
	return strings.ToUpper(r.name)
}

// coin returns the pair with the US dollar of the one coin that a symbol can mean, or
// nil if there is none or more than one. If a pair has two listings, the one with
// stored bars is used.
func coin(symbol string, found map[string]*catalog.Asset) *catalog.Asset {
	var pair *catalog.Asset
	var of string
	for _, form := range catalog.DollarPairs(symbol) {
		a := found[form.Symbol]
		switch {
		case a == nil || !a.DollarPair():
		case pair == nil:
			pair, of = a, form.Coin
		case of != form.Coin:
			return nil
		case pair.FirstPriceDate == timeseries.NoDate && a.FirstPriceDate != timeseries.NoDate:
			pair = a
		}
	}
	return pair
}
