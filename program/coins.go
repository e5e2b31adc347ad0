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

// perhapsCoins are the entries that name no asset by its symbol, and may be a
// coin by its own.
func (u *Universe) perhapsCoins() []string {
	entries := slices.Collect(maps.Keys(u.unknown))
	for e, m := range u.Models {
		if _, held := u.kept[e]; !held && m.ID != e && referenceOf(e).kind == "" {
			entries = append(entries, e)
		}
	}
	return entries
}

// readCoins takes entries that name a coin for its pair with the US dollar; those
// that are a model's, too, are either of the two. Entries that can mean several
// coins stay what they are.
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

// coinName is an entry as a coin's symbol, "" where it says that it is a model.
func coinName(entry string) string {
	r := referenceOf(entry)
	if r.kind == MemberModel {
		return ""
	}
	return strings.ToUpper(r.name)
}

// coin is the one coin's pair with the US dollar that a symbol can mean, nil
// where that is none or more than one. Of two listings of a pair the one with
// stored bars is taken.
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
