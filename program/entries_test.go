package program

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
	"ballast/catalog/series"
)

var (
	goldAsset = "asset_" + strings.Repeat("0", 31) + "1"
	goldModel = "model_" + strings.Repeat("0", 31) + "2"
	coreModel = "model_" + strings.Repeat("0", 31) + "3"
)

// market has the asset GOLD, and an account with the models GOLD and CORE.
type market struct{ noSearch }

func (market) gold() *catalog.Asset {
	return &catalog.Asset{ID: goldAsset, Symbol: "GOLD", Name: "Gold miners"}
}

func (m market) AssetsBySymbol(_ context.Context, symbols []string) (map[string]*catalog.Asset, error) {
	found := map[string]*catalog.Asset{}
	for _, s := range symbols {
		if s == "GOLD" {
			found[s] = m.gold()
		}
	}
	return found, nil
}

func (m market) AssetsByID(_ context.Context, ids []string) (map[string]*catalog.Asset, error) {
	found := map[string]*catalog.Asset{}
	for _, id := range ids {
		if id == goldAsset {
			found[id] = m.gold()
		}
	}
	return found, nil
}

func (market) NearestSymbols(context.Context, []string) (map[string]string, error) {
	return map[string]string{}, nil
}

func (market) Below(context.Context, []string) ([]Membership, error) { return nil, nil }

func (market) Models(context.Context, string, ModelFilter) ([]*Sheet, int, error) { return nil, 0, nil }

func (market) ModelsByKey(_ context.Context, _ string, keys []string) (map[string]*Sheet, error) {
	found := map[string]*Sheet{}
	for _, m := range []*Sheet{
		{Model: Model{ID: goldModel, Symbol: "GOLD", Name: "All gold"}}, {Model: Model{ID: coreModel, Symbol: "CORE", Name: "The core"}},
	} {
		for _, k := range keys {
			if k == m.ID || k == m.Symbol || k == m.Name {
				found[k] = m
			}
		}
	}
	return found, nil
}

func TestWhatAnEntryMeans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, entry string
		kept        Entries
		want        Entry
		problem     string // a part of it
		accepted    []string
	}{
		{"both", "GOLD", nil, Entry{}, "means both the asset GOLD (Gold miners, " + goldAsset + `) and your model "All gold" (` + goldModel + ")", []string{"asset:GOLD", "model:GOLD"}},
		{"both, in another case", "gold", nil, Entry{}, `"gold" means both`, []string{"asset:GOLD", "model:GOLD"}},
		{"the asset", "asset:GOLD", nil, Entry{MemberAsset, goldAsset}, "", nil},
		{"the asset, in another case", "asset:gold", nil, Entry{MemberAsset, goldAsset}, "", nil},
		{"the asset by id", goldAsset, nil, Entry{MemberAsset, goldAsset}, "", nil},
		{"the asset by its id of old", "a-" + strings.TrimPrefix(goldAsset, "asset_"), nil, Entry{MemberAsset, goldAsset}, "", nil},
		{"the asset by word and id", "asset:" + goldAsset, nil, Entry{MemberAsset, goldAsset}, "", nil},
		{"the model", "model:GOLD", nil, Entry{MemberModel, goldModel}, "", nil},
		{"the model by name", "model:All gold", nil, Entry{MemberModel, goldModel}, "", nil},
		{"the model by id", goldModel, nil, Entry{MemberModel, goldModel}, "", nil},
		{"a model that nothing else is called", "CORE", nil, Entry{MemberModel, coreModel}, "", nil},
		{"a model's symbol in another case", "core", nil, Entry{MemberModel, coreModel}, "", nil},
		{"a model's name in another case", "the core", nil, Entry{}, "neither an asset nor one of your models", nil},
		{"no such asset", "asset:CORE", nil, Entry{}, "the catalog has no asset CORE", nil},
		{"no such model", "model:SILVER", nil, Entry{}, "none of your models is called SILVER", nil},
		{"an asset's id where a model has to be", "model:" + goldAsset, nil, Entry{}, "none of your models", nil},
		{"kept as the asset", "GOLD", Entries{"GOLD": {MemberAsset, goldAsset}}, Entry{MemberAsset, goldAsset}, "", nil},
		{"kept as the model", "GOLD", Entries{"GOLD": {MemberModel, goldModel}}, Entry{MemberModel, goldModel}, "", nil},
		{"kept under a former symbol", "OLD", Entries{"OLD": {MemberModel, coreModel}}, Entry{MemberModel, coreModel}, "", nil},
		{"kept, and gone", "OLD", Entries{"OLD": {MemberModel, "model_x"}}, Entry{}, `"OLD" is the model model_x, which no longer exists`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			u, err := Resolve(t.Context(), market{}, market{}, "alice", []string{c.entry}, c.kept)
			if err != nil {
				t.Fatal(err)
			}
			if got := u.Entries()[c.entry]; got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			p, bad := u.Problem(c.entry)
			if bad != (c.problem != "") || !strings.Contains(p.Message, c.problem) {
				t.Errorf("problem %q, want %q", p.Message, c.problem)
			}
			if diff := cmp.Diff(c.accepted, p.Accepted); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// anySeries is for scripts that read none.
var anySeries = series.Finder{}

// A script's SYMBOL may not be an asset's symbol, unless its model already has it.
func TestSymbolsOfAssets(t *testing.T) {
	t.Parallel()
	const text = "NAME = \"Gold\"\nSYMBOL = \"GOLD\"\nSCHEDULE = \"monthly\"\nUNIVERSE = [\"asset:GOLD\"]\n\n\ndef decide(ctx):\n    return {\"asset:GOLD\": 1}\n"
	c, err := check(t.Context(), ModelKind.scripts(), names{market{}, market{}, anySeries}, subject{accountID: "alice"}, text)
	if err != nil || c.Valid || len(c.Errors) != 1 || c.Errors[0].Rule != "symbol" || c.Errors[0].Line != 2 ||
		c.taken == nil || !strings.Contains(c.taken.Error(), goldAsset) {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = check(t.Context(), ModelKind.scripts(), names{market{}, market{}, anySeries}, subject{accountID: "alice", model: &Model{ID: "model_9", Symbol: "GOLD"}}, text)
	if err != nil || !c.Valid {
		t.Errorf("of the model that has it: %+v, %v", c, err)
	}
}

func (market) OptimizerNames(context.Context, string) ([]string, error) { return nil, nil }
