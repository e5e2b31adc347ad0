package program

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ballast/catalog"
	"ballast/internal/id"
	"ballast/internal/nearest"
	"ballast/script"
)

// universe is a list of entries resolved to assets and models.
type universe struct {
	assets  map[string]*catalog.Asset // by entry
	models  map[string]*Sheet         // by entry
	unknown map[string]string         // entries that name nothing, with the nearest symbol or ""
	several map[string][]string       // entries that are the name of several models, with their ids
}

// resolve finds what each entry names: an asset by symbol, else one of the
// account's models by id, symbol or exact name, else a coin, which is its pair
// with the US dollar. Assets come first, so that a new model never changes what
// an existing script means.
func resolve(ctx context.Context, assets Assets, store Store, accountID string, entries []string) (*universe, error) {
	u, err := named(ctx, assets, store, accountID, entries)
	if err != nil || len(u.unknown) == 0 {
		return u, err
	}
	if err := u.readCoins(ctx, assets, slices.Collect(maps.Keys(u.unknown))); err != nil || len(u.unknown) == 0 {
		return u, err
	}
	missing := make([]string, 0, len(u.unknown))
	for e := range u.unknown {
		missing = append(missing, strings.ToUpper(e))
	}
	symbols, err := assets.NearestSymbols(ctx, missing)
	if err != nil {
		return nil, fmt.Errorf("nearest symbols: %w", err)
	}
	own, err := ownNames(ctx, store, accountID)
	if err != nil {
		return nil, err
	}
	for e := range u.unknown {
		u.unknown[e] = closest(e, symbols[strings.ToUpper(e)], own)
	}
	return u, nil
}

// ownNames are the symbols and names of the account's newest models.
func ownNames(ctx context.Context, store Store, accountID string) ([]string, error) {
	sheets, _, err := store.Models(ctx, accountID, ModelFilter{Limit: libraryModels})
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	names := make([]string, 0, 2*len(sheets))
	for _, m := range sheets {
		names = append(names, m.Symbol, m.Name)
	}
	return names, nil
}

// closest is what an entry that names nothing may have meant: an asset, or one of
// the account's models where that is nearer.
func closest(entry, asset string, own []string) string {
	model := nearest.Match(entry, own)
	if model == "" || asset != "" && nearest.Distance(entry, asset) <= nearest.Distance(entry, model) {
		return asset
	}
	return model
}

// named is resolve without coins, and without looking for what unknown entries
// may have meant.
func named(ctx context.Context, assets Assets, store Store, accountID string, entries []string) (*universe, error) {
	u := &universe{assets: map[string]*catalog.Asset{}, models: map[string]*Sheet{}, unknown: map[string]string{}, several: map[string][]string{}}
	upper := make([]string, len(entries))
	for i, e := range entries {
		upper[i] = strings.ToUpper(e)
	}
	found, err := assets.AssetsBySymbol(ctx, upper)
	if err != nil {
		return nil, fmt.Errorf("resolve assets: %w", err)
	}
	keys := map[string]string{} // current form of the reference by entry
	for i, e := range entries {
		if a, ok := found[upper[i]]; ok {
			u.assets[e] = a
			continue
		}
		keys[e] = e
		if current, ok := id.Parse(id.Model, e); ok {
			keys[e] = current
		}
	}
	if len(keys) == 0 {
		return u, nil
	}
	refs := make([]string, 0, len(keys))
	for _, e := range entries {
		if ref, ok := keys[e]; ok {
			refs = append(refs, ref)
		}
	}
	models, err := store.ModelsByKey(ctx, accountID, refs)
	if err != nil {
		return nil, fmt.Errorf("resolve models: %w", err)
	}
	for e, ref := range keys {
		switch m := models[ref]; {
		case m == nil:
			u.unknown[e] = ""
		case m.Namesakes != nil:
			u.several[e] = m.Namesakes
		default:
			u.models[e] = m
		}
	}
	return u, nil
}

// twice returns the entries that name what an earlier one names already, with
// that earlier entry: one thing under two keys would be weighed twice.
func (u *universe) twice(entries []string) map[string]string {
	first, again := map[string]string{}, map[string]string{}
	for _, e := range entries {
		var named string
		switch {
		case u.assets[e] != nil:
			named = u.assets[e].ID
		case u.models[e] != nil:
			named = u.models[e].ID
		default:
			continue
		}
		if earlier, ok := first[named]; ok {
			again[e] = earlier
			continue
		}
		first[named] = e
	}
	return again
}

// ambiguous says which models have the name that an entry is.
func (u *universe) ambiguous(entry string) string {
	return fmt.Sprintf("%q is the name of several of your models (%s): name one by its symbol or id", entry, strings.Join(u.several[entry], ", "))
}

// dataVersion names the state of the bar store that a run reads.
func dataVersion(v int64) string { return "v" + strconv.FormatInt(v, 10) }

// BarsVersion is the number in a data version, 0 where there is none.
func BarsVersion(dataVersion string) int64 {
	v, err := strconv.ParseInt(strings.TrimPrefix(dataVersion, "v"), 10, 64)
	if err != nil {
		return 0
	}
	return v
}

// resolver tells the static checks of a script which members exist, and which
// would make a model hold itself.
type resolver struct {
	ctx       context.Context
	assets    Assets
	store     Store
	accountID string
	modelID   string // of the model that the script is for, "" of a new one
	err       error  // of storage, not of the script
}

// Resolve returns the entries that cannot be held.
func (r *resolver) Resolve(symbol string, entries []string) map[string]script.Unresolved {
	u, err := resolve(r.ctx, r.assets, r.store, r.accountID, entries)
	if err != nil {
		r.err = err
		return nil
	}
	unresolved := make(map[string]script.Unresolved, len(u.unknown))
	for entry, nearest := range u.unknown {
		unresolved[entry] = script.Unresolved{Suggestion: nearest}
	}
	for entry := range u.several {
		unresolved[entry] = script.Unresolved{Message: u.ambiguous(entry)}
	}
	for entry, earlier := range u.twice(entries) {
		unresolved[entry] = script.Unresolved{Message: fmt.Sprintf("%q names the same member as %q", entry, earlier)}
	}
	for entry, m := range u.models {
		if r.modelID == "" && symbol != "" && m.Symbol == symbol {
			unresolved[entry] = script.Unresolved{Message: fmt.Sprintf("%q is the model whose SYMBOL the script has: it would hold itself", entry)}
		}
	}
	circles, err := circles(r.ctx, r.store, r.modelID, u)
	if err != nil {
		r.err = err
		return nil
	}
	for entry, path := range circles {
		unresolved[entry] = script.Unresolved{Message: path}
	}
	return unresolved
}
