package program

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"ballast/catalog"
	"ballast/internal/fault"
	"ballast/script"
)

// assetOfSymbol is the asset that has a symbol, nil where none has.
func assetOfSymbol(ctx context.Context, assets Assets, symbol string) (*catalog.Asset, error) {
	found, err := assets.AssetsBySymbol(ctx, []string{symbol})
	if err != nil {
		return nil, fmt.Errorf("look for an asset %s: %w", symbol, err)
	}
	return found[symbol], nil
}

// symbolOfAsset refuses a model the symbol of an asset: nobody could tell which of
// the two a universe holds.
func symbolOfAsset(a *catalog.Asset) *fault.Error {
	return fault.New(fault.SymbolTaken, "The symbol %s is that of the asset %s (%s). Give the model another symbol, or none: one is made from its name then.", a.Symbol, a.Name, a.ID)
}

// unlisted refuses a symbol that an asset has; "" and the one that a model has
// already are as they are.
func unlisted(ctx context.Context, assets Assets, symbol, already string) error {
	if symbol == "" || symbol == already {
		return nil
	}
	a, err := assetOfSymbol(ctx, assets, symbol)
	if err != nil || a == nil {
		return err
	}
	return symbolOfAsset(a)
}

// symbolCandidates is how many symbols are made from one name.
const symbolCandidates = 1000

// SymbolReader tells which symbols are taken.
type SymbolReader interface {
	// SymbolsInUse returns which models of the account have those of symbols that are used, by symbol.
	SymbolsInUse(ctx context.Context, accountID string, symbols []string) (map[string]string, error)
}

// freeSymbol makes a symbol from a name that no model of the account has but the
// one given, and no asset, with which it would be confused. After a first try,
// which others may have made at the same moment, it is any of the free ones.
func freeSymbol(ctx context.Context, assets Assets, store SymbolReader, accountID, modelID, name string, try int) (string, error) {
	base := symbolFrom(name)
	candidates := []string{base}
	for n := 2; n <= symbolCandidates; n++ {
		candidates = append(candidates, fmt.Sprintf("%s%d", base, n))
	}
	used, err := store.SymbolsInUse(ctx, accountID, candidates)
	if err != nil {
		return "", err
	}
	listed, err := assets.AssetsBySymbol(ctx, candidates)
	if err != nil {
		return "", fmt.Errorf("symbols that assets have: %w", err)
	}
	var free []string
	for _, c := range candidates {
		if owner, taken := used[c]; (!taken || owner == modelID) && listed[c] == nil {
			if free = append(free, c); len(free) == 1<<try {
				break
			}
		}
	}
	if len(free) == 0 {
		return "", fault.New(fault.SymbolTaken, "No free symbol could be made from the name %q. Set SYMBOL in the script.", name)
	}
	return free[rand.IntN(len(free))], nil //nolint:gosec // it only has to differ from that of others
}

// symbolTries is how often a symbol is made again that another model got first.
const symbolTries = 10

// withFreeSymbol does what needs a symbol made from a name, again with another
// where the account's other models have taken it meanwhile.
func withFreeSymbol(ctx context.Context, assets Assets, store SymbolReader, accountID, modelID, name string, do func(symbol string) error) error {
	for try := 0; ; try++ {
		symbol, err := freeSymbol(ctx, assets, store, accountID, modelID, name, try)
		if err != nil {
			return err
		}
		err = do(symbol)
		var f *fault.Error
		if !errors.As(err, &f) || f.Type != fault.SymbolTaken || try == symbolTries {
			return err
		}
	}
}

// symbolFrom makes a symbol of at most eight letters and digits from a name.
func symbolFrom(name string) string {
	var b strings.Builder
	for _, c := range strings.ToUpper(name) {
		switch {
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9' && b.Len() > 0:
			b.WriteRune(c)
		}
		if b.Len() == 8 {
			break
		}
	}
	if symbol := b.String(); script.ValidSymbol(symbol) {
		return symbol
	}
	return "MODEL" // of no letters, or of a word that no model has
}
