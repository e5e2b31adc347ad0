package program

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ballast/catalog"
	"ballast/timeseries"
)

// readCoins takes those of the unknown entries that name a coin for its pair
// with the US dollar. Entries that can mean several coins stay unknown.
func (u *universe) readCoins(ctx context.Context, assets Assets, entries []string) error {
	var symbols []string
	for _, e := range entries {
		for _, form := range catalog.DollarPairs(strings.ToUpper(e)) {
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
		if a := coin(strings.ToUpper(e), found); a != nil {
			delete(u.unknown, e)
			u.assets[e] = a
		}
	}
	return nil
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
