package program

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"ballast/catalog"
	"ballast/internal/nearest"
	"ballast/script"
)

// Assets finds the assets that universes name.
type Assets interface {
	// AssetsBySymbol returns those that exist, by upper-case symbol, in one query.
	AssetsBySymbol(ctx context.Context, symbols []string) (map[string]*catalog.Asset, error)
	// AssetsByID returns those that exist, by id, in one query.
	AssetsByID(ctx context.Context, ids []string) (map[string]*catalog.Asset, error)
	// NearestSymbols returns the most similar symbol in the catalog for each symbol.
	NearestSymbols(ctx context.Context, symbols []string) (map[string]string, error)
	// SearchAssets returns up to n assets that have stored bars and whose names or
	// symbols contain most of the words, best match first.
	SearchAssets(ctx context.Context, words string, n int) ([]*catalog.Asset, error)
}

// ModelFinder finds what scripts name of an account: the models of universes, with what
// those hold, and optimizers.
type ModelFinder interface {
	// Models lists an account's models, newest first, with the total before paging.
	Models(ctx context.Context, accountID string, f ModelFilter) ([]*Sheet, int, error)
	// ModelsByKey returns the account's models whose id, symbol or exact name (in
	// that order) is one of keys, by key. If several models have a name, it returns
	// the oldest with its Namesakes. Models without a live run are included. Only the
	// model and its live run are filled in.
	ModelsByKey(ctx context.Context, accountID string, keys []string) (map[string]*Sheet, error)
	// OptimizerNames returns the names of the account's optimizers.
	OptimizerNames(ctx context.Context, accountID string) ([]string, error)
	// Below reads what models hold, directly and through other models: every
	// membership that is reached, once.
	Below(ctx context.Context, modelIDs []string) ([]Membership, error)
}

// Universe is a list of entries resolved to assets and models.
type Universe struct {
	Assets  map[string]*catalog.Asset // by entry
	Models  map[string]*Sheet         // by entry
	unknown map[string]string         // entries that name nothing, with the nearest symbol or ""
	several map[string][]string       // entries that several models have as their name, with their ids
	either  map[string]candidates     // entries that could mean an asset or a model
	gone    map[string]Entry          // entries whose stored meaning no longer exists
	kept    Entries                   // meanings that were stored before
}

// candidates are the two meanings of an ambiguous entry.
type candidates struct {
	asset *catalog.Asset
	model *Sheet
}

// Resolve finds what each entry means. A stored meaning decides. Otherwise an entry
// is an asset by symbol or id, one of the account's models by id, symbol or exact
// name, or a coin, which stands for its pair with the US dollar. An entry that could
// be both an asset and a model is ambiguous, unless it says which.
func Resolve(ctx context.Context, assets Assets, store ModelFinder, accountID string, entries []string, kept Entries) (*Universe, error) {
	u, err := named(ctx, assets, store, accountID, entries, kept)
	if err != nil {
		return nil, err
	}
	if err := u.readCoins(ctx, assets, u.perhapsCoins()); err != nil || len(u.unknown) == 0 {
		return u, err
	}
	missing := make([]string, 0, len(u.unknown))
	for e := range u.unknown {
		missing = append(missing, strings.ToUpper(referenceOf(e).name))
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
		name := referenceOf(e).name
		u.unknown[e] = closest(name, symbols[strings.ToUpper(name)], own)
	}
	return u, nil
}

// ownNames returns the symbols and names of the account's newest models.
func ownNames(ctx context.Context, store ModelFinder, accountID string) ([]string, error) {
	sheets, _, err := store.Models(ctx, accountID, ModelFilter{Limit: MostModelNames})
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	names := make([]string, 0, 2*len(sheets))
	for _, m := range sheets {
		names = append(names, m.Symbol, m.Name)
	}
	return names, nil
}

// closest returns what an unknown entry may have meant: an asset, or one of the
// account's models if that is more similar.
func closest(entry, asset string, own []string) string {
	model := nearest.Match(entry, own)
	if model == "" || asset != "" && nearest.Distance(entry, asset) <= nearest.Distance(entry, model) {
		return asset
	}
	return model
}

// named is Resolve without coins and without suggestions for unknown entries.
func named(ctx context.Context, assets Assets, store ModelFinder, accountID string, entries []string, kept Entries) (*Universe, error) {
	u := &Universe{
		Assets: map[string]*catalog.Asset{}, Models: map[string]*Sheet{}, unknown: map[string]string{}, several: map[string][]string{},
		either: map[string]candidates{}, gone: map[string]Entry{}, kept: kept,
	}
	refs := make(map[string]reference, len(entries))
	var symbols, assetIDs, keys []string
	for _, e := range entries {
		r := referenceOf(e)
		if k, ok := kept[e]; ok {
			r = reference{name: k.ID, kind: k.Kind, byID: true}
		}
		refs[e] = r
		upper := strings.ToUpper(r.name)
		switch {
		case r.byID && r.kind == MemberAsset:
			assetIDs = append(assetIDs, r.name)
		case r.kind != MemberModel:
			symbols = append(symbols, upper)
		}
		if r.kind != MemberAsset {
			keys = append(keys, r.name)
			if upper != r.name && !r.byID { // symbols are the same in any case
				keys = append(keys, upper)
			}
		}
	}
	bySymbol, byID, models, err := lookUp(ctx, assets, store, accountID, symbols, assetIDs, keys)
	if err != nil {
		return nil, err
	}
	for e, r := range refs {
		upper := strings.ToUpper(r.name)
		var a *catalog.Asset
		switch {
		case r.byID && r.kind == MemberAsset:
			a = byID[r.name]
		case r.kind != MemberModel:
			a = bySymbol[upper]
		}
		var m *Sheet
		if r.kind != MemberAsset {
			if m = models[r.name]; m == nil {
				if m = models[upper]; m != nil && m.Symbol != upper {
					m = nil
				}
			}
		}
		_, held := kept[e]
		switch {
		case a != nil && m != nil:
			u.either[e] = candidates{a, m}
		case a != nil:
			u.Assets[e] = a
		case m != nil && m.Namesakes != nil:
			u.several[e] = m.Namesakes
		case m != nil:
			u.Models[e] = m
		case held:
			u.gone[e] = kept[e]
		default:
			u.unknown[e] = ""
		}
	}
	return u, nil
}

// lookUp reads assets and models, with one query for each way to name them.
func lookUp(ctx context.Context, assets Assets, store ModelFinder, accountID string, symbols, assetIDs, keys []string) (bySymbol, byID map[string]*catalog.Asset, models map[string]*Sheet, err error) {
	if len(symbols) > 0 {
		if bySymbol, err = assets.AssetsBySymbol(ctx, symbols); err != nil {
			return nil, nil, nil, fmt.Errorf("resolve assets: %w", err)
		}
	}
	if len(assetIDs) > 0 {
		if byID, err = assets.AssetsByID(ctx, assetIDs); err != nil {
			return nil, nil, nil, fmt.Errorf("resolve assets: %w", err)
		}
	}
	if len(keys) > 0 {
		if models, err = store.ModelsByKey(ctx, accountID, keys); err != nil {
			return nil, nil, nil, fmt.Errorf("resolve models: %w", err)
		}
	}
	return bySymbol, byID, models, nil
}

// Twice returns the entries that name the same thing as an earlier entry, with that
// entry. One thing under two keys would be weighted twice.
func (u *Universe) Twice(entries []string) map[string]string {
	first, again := map[string]string{}, map[string]string{}
	for _, e := range entries {
		var named string
		switch {
		case u.Assets[e] != nil:
			named = u.Assets[e].ID
		case u.Models[e] != nil:
			named = u.Models[e].ID
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

// Entries returns the meanings that were found.
func (u *Universe) Entries() Entries {
	found := make(Entries, len(u.Assets)+len(u.Models))
	for e, a := range u.Assets {
		found[e] = Entry{Kind: MemberAsset, ID: a.ID}
	}
	for e, m := range u.Models {
		found[e] = Entry{Kind: MemberModel, ID: m.ID}
	}
	return found
}

// Problem says why an entry cannot be held and what to write instead. bad is false if
// it can be held.
func (u *Universe) Problem(entry string) (p script.Unresolved, bad bool) {
	if x, ok := u.either[entry]; ok {
		asset, model := assetWord+x.asset.Symbol, modelWord+x.model.Symbol
		return script.Unresolved{
			Message: fmt.Sprintf("%q means both the asset %s (%s, %s) and your model %q (%s): write %q or %q to say which",
				entry, x.asset.Symbol, x.asset.Name, x.asset.ID, x.model.Name, x.model.ID, asset, model),
			Accepted: []string{asset, model},
		}, true
	}
	if ids := u.several[entry]; ids != nil {
		return script.Unresolved{
			Message:  fmt.Sprintf("%q is the name of several of your models (%s): name one by its symbol or id", entry, strings.Join(ids, ", ")),
			Accepted: ids,
		}, true
	}
	if x, ok := u.gone[entry]; ok {
		return script.Unresolved{Message: fmt.Sprintf("%q is the %s %s, which no longer exists", entry, x.Kind, x.ID)}, true
	}
	nearest, missing := u.unknown[entry]
	if !missing {
		return script.Unresolved{}, false
	}
	p = script.Unresolved{Message: fmt.Sprintf("%q is neither an asset nor one of your models", entry), Suggestion: nearest}
	switch r := referenceOf(entry); r.kind {
	case MemberAsset:
		p.Message = fmt.Sprintf("%q: the catalog has no asset %s", entry, r.name)
	case MemberModel:
		p.Message = fmt.Sprintf("%q: none of your models is called %s", entry, r.name)
	}
	return p, true
}

// DataVersion names a version of the bar store that a run reads.
func DataVersion(v int64) string { return "v" + strconv.FormatInt(v, 10) }

// BarsVersion returns the number in a data version, or 0 if there is none.
func BarsVersion(dataVersion string) int64 {
	v, err := strconv.ParseInt(strings.TrimPrefix(dataVersion, "v"), 10, 64)
	if err != nil {
		return 0
	}
	return v
}
