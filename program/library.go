package program

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ballast/catalog"
	"ballast/catalog/series"
	"ballast/internal/id"
	"ballast/program/generate"
)

// MostModelNames is how many of an account's models prompts can name without quoting
// their symbol or id.
const MostModelNames = 200

// library looks up what prompts of one account can name.
type library struct {
	assets    Assets
	members   ModelFinder
	series    series.Reader
	accountID string
	modelID   string // the model that is rebuilt, which cannot hold itself; "" for a new one
}

var _ generate.Library = (*library)(nil)

// Members looks up names.
func (l *library) Members(ctx context.Context, names []string) (map[string]generate.Member, error) {
	if len(names) == 0 {
		return map[string]generate.Member{}, nil
	}
	u, err := named(ctx, l.assets, l.members, l.accountID, names, nil)
	if err != nil {
		return nil, err
	}
	var tickers []string
	for name := range u.unknown {
		if name == strings.ToUpper(name) { // "link" and "near" are words, LINK and NEAR are coins
			tickers = append(tickers, name)
		}
	}
	for _, name := range u.perhapsCoins() {
		if u.Models[name] != nil && name == strings.ToUpper(name) {
			tickers = append(tickers, name)
		}
	}
	if err := u.readCoins(ctx, l.assets, tickers); err != nil {
		return nil, err
	}
	found := make(map[string]generate.Member, len(names))
	for name, a := range u.Assets {
		m := assetMember(a)
		if _, byID := id.Parse(id.Asset, name); byID || strings.HasPrefix(name, assetWord) { // a model may have the symbol
			m.Key = assetWord + a.Symbol
		}
		found[name] = m
	}
	shared, err := l.shared(ctx, slices.Collect(maps.Values(u.Models)))
	if err != nil {
		return nil, err
	}
	for name, m := range u.Models {
		if m.ID != l.modelID {
			found[name] = modelMember(m, shared)
		}
	}
	for name, same := range u.several {
		found[name] = generate.Member{Name: name, Model: true, Namesakes: same}
	}
	for name, x := range u.either {
		if x.model.ID == l.modelID { // the model cannot hold itself, so the asset is meant
			found[name] = generate.Member{Key: assetWord + x.asset.Symbol, ID: x.asset.ID, Symbol: x.asset.Symbol, Name: x.asset.Name}
			continue
		}
		found[name] = generate.Member{Name: name, Namesakes: []string{x.asset.ID, x.model.ID}}
	}
	return found, nil
}

// Nearest returns the most similar symbols in the catalog.
func (l *library) Nearest(ctx context.Context, symbols []string) (map[string]string, error) {
	upper := make([]string, len(symbols))
	for i, s := range symbols {
		upper[i] = strings.ToUpper(s)
	}
	near, err := l.assets.NearestSymbols(ctx, upper)
	if err != nil {
		return nil, err
	}
	found := make(map[string]string, len(near))
	for i, s := range symbols {
		if n := near[upper[i]]; n != "" {
			found[s] = n
		}
	}
	return found, nil
}

// Models lists the account's models, newest first.
func (l *library) Models(ctx context.Context) ([]generate.Member, error) {
	sheets, _, err := l.members.Models(ctx, l.accountID, ModelFilter{Limit: MostModelNames})
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	shared, err := l.shared(ctx, sheets)
	if err != nil {
		return nil, err
	}
	var members []generate.Member
	for _, m := range sheets {
		if m.ID != l.modelID {
			members = append(members, modelMember(m, shared))
		}
	}
	shareNames(members)
	return members, nil
}

// shared returns the assets that have the same symbol as one of the models. In a
// script, such a symbol means the asset.
func (l *library) shared(ctx context.Context, models []*Sheet) (map[string]*catalog.Asset, error) {
	symbols := make([]string, len(models))
	for i, m := range models {
		symbols[i] = m.Symbol
	}
	if len(symbols) == 0 {
		return nil, nil
	}
	assets, err := l.assets.AssetsBySymbol(ctx, symbols)
	if err != nil {
		return nil, fmt.Errorf("find models whose symbols assets have, too: %w", err)
	}
	return assets, nil
}

// Search lists assets with stored bars that match the words best.
func (l *library) Search(ctx context.Context, words string, n int) ([]generate.Member, error) {
	assets, err := l.assets.SearchAssets(ctx, words, n)
	if err != nil {
		return nil, fmt.Errorf("search assets: %w", err)
	}
	members := make([]generate.Member, len(assets))
	for i, a := range assets {
		members[i] = assetMember(a)
	}
	return members, nil
}

// Series lists the series that the account can read, up to MostModelNames.
func (l *library) Series(ctx context.Context) ([]generate.Series, error) {
	list, _, err := l.series.Series(ctx, l.accountID, MostModelNames, 0)
	if err != nil {
		return nil, fmt.Errorf("list series: %w", err)
	}
	found := make([]generate.Series, len(list))
	for i, s := range list {
		found[i] = generate.Series{Name: s.Name, Frequency: string(s.Frequency)}
		for _, c := range s.Columns {
			found[i].Keys = append(found[i].Keys, c.Key)
		}
	}
	return found, nil
}

// shareNames adds to each model the ids of all models with its name, if there are
// several.
func shareNames(members []generate.Member) {
	ids := map[string][]string{}
	for _, m := range members {
		ids[m.Name] = append(ids[m.Name], m.ID)
	}
	for i := range members {
		if same := ids[members[i].Name]; len(same) > 1 {
			members[i].Namesakes = same
		}
	}
}

func assetMember(a *catalog.Asset) generate.Member {
	return generate.Member{Key: a.Symbol, ID: a.ID, Symbol: a.Symbol, Name: a.Name}
}

// modelMember names a model by its symbol, or by its id if an asset has the same
// symbol.
func modelMember(m *Sheet, shared map[string]*catalog.Asset) generate.Member {
	key := m.Symbol
	if shared[key] != nil {
		key = m.ID
	}
	return generate.Member{Key: key, ID: m.ID, Symbol: m.Symbol, Name: m.Name, Description: m.Description, Model: true}
}
