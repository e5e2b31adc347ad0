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

// assetOfSymbol returns the asset that has a symbol, or nil.
func assetOfSymbol(ctx context.Context, assets Assets, symbol string) (*catalog.Asset, error) {
	found, err := assets.AssetsBySymbol(ctx, []string{symbol})
	if err != nil {
		return nil, fmt.Errorf("look for an asset %s: %w", symbol, err)
	}
	return found[symbol], nil
}

// symbolOfAsset refuses to give a model the symbol of an asset, because nobody could
// tell which of the two a universe holds.
func symbolOfAsset(a *catalog.Asset) *fault.Error {
	return fault.New(fault.SymbolTaken, "The symbol %s belongs to the asset %s (%s). Give the model another symbol, or none; then one is made from its name.", a.Symbol, a.Name, a.ID)
}

// unlisted refuses a symbol that an asset has, unless it is "" or the model already
// has it.
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

// symbolCandidates is how many symbols are tried for one name.
const symbolCandidates = 1000

// SymbolReader reports which symbols are taken.
type SymbolReader interface {
	// SymbolsInUse returns which of the account's models use the symbols, as model
	// ids by symbol.
	SymbolsInUse(ctx context.Context, accountID string, symbols []string) (map[string]string, error)
}

// freeSymbol makes a symbol from a name that no asset and no other model of the
// account has. After the first try it picks among the free ones at random, because
// others may be making the same symbol at the same time.
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
		return "", fmt.Errorf("find symbols that are taken by assets: %w", err)
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
	return free[rand.IntN(len(free))], nil //nolint:gosec // it only has to differ from those of others
}

// symbolTries is how often a symbol is made again if another model took it first.
const symbolTries = 10

// withFreeSymbol calls do with a symbol made from a name, and again with another one
// if the account's other models have taken it in the meantime.
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
	return "MODEL" // the name has no letters, or gives a reserved word
}
