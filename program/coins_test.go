package program

import (
	"context"
	"strings"
	"testing"

	"ballast/catalog"
	"ballast/timeseries"
)

// exchange lists coins and a stock.
type exchange struct{ noSearch }

func (exchange) AssetsBySymbol(_ context.Context, symbols []string) (map[string]*catalog.Asset, error) {
	all := map[string]*catalog.Asset{}
	for symbol, kind := range map[string]string{
		"BTCUSD": "", "ETH-USD": "crypto", "ETH": "etf", "SOL-USD": "crypto", "SOLUSD": "", "T-USD": "crypto",
		"FEI-USD": "crypto", "FEIUSD-USD": "crypto", "ADA-EUR": "crypto", "GLDUSD": "etf", "OLDUSD": "", "XRP-USD": "crypto", "XRPUSD": "",
	} {
		all[symbol] = &catalog.Asset{ID: "asset_" + symbol, Symbol: symbol, Type: kind, SevenDay: kind == "" && symbol != "OLDUSD", FirstPriceDate: timeseries.NoDate}
	}
	all["SOLUSD"].FirstPriceDate = 1
	found := map[string]*catalog.Asset{}
	for _, s := range symbols {
		if all[s] != nil {
			found[s] = all[s]
		}
	}
	return found, nil
}

func (exchange) AssetsByID(context.Context, []string) (map[string]*catalog.Asset, error) {
	return map[string]*catalog.Asset{}, nil // the tests use symbols only
}

func (exchange) NearestSymbols(context.Context, []string) (map[string]string, error) {
	return map[string]string{}, nil
}

// nobody has only one model, called XRP.
type nobody struct{}

func (nobody) Models(context.Context, string, ModelFilter) ([]*Sheet, int, error) { return nil, 0, nil }

func (nobody) Below(context.Context, []string) ([]Membership, error) { return nil, nil }

func (nobody) ModelsByKey(_ context.Context, _ string, keys []string) (map[string]*Sheet, error) {
	found := map[string]*Sheet{}
	for _, k := range keys {
		if k == "XRP" {
			found[k] = &Sheet{Model: Model{ID: "model_xrp"}}
		}
	}
	return found, nil
}

func TestCoinsInUniverses(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		"BTC":     "asset_BTCUSD",
		"btc":     "asset_BTCUSD",
		"BTC-USD": "asset_BTCUSD",
		"BTCUSD":  "asset_BTCUSD",
		"ETH":     "asset_ETH", // a listed asset with that symbol
		"ETHUSD":  "asset_ETH-USD",
		"SOL":     "asset_SOLUSD", // of two listings, the one with bars
		"SOL-USD": "asset_SOL-USD",
		"TUSD":    "", // a coin itself, not a pair of T
		"T":       "asset_T-USD",
		"FEIUSD":  "", // FEI in dollars, or FEIUSD in dollars
		"ADA":     "", // only against the euro
		"GLD":     "", // GLDUSD is not a coin
		"OLD":     "", // nothing says that OLDUSD is one
		"USD":     "",
		"-USD":    "",
		"":        "",
	} {
		u, err := Resolve(t.Context(), exchange{}, nobody{}, "alice", []string{entry}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.Entries()[entry].ID; got != want {
			t.Errorf("%q means %q, want %q", entry, got, want)
		}
		if _, unknown := u.unknown[entry]; unknown != (want == "") {
			t.Errorf("%q: unknown is %v", entry, unknown)
		}
	}
	either, err := Resolve(t.Context(), exchange{}, nobody{}, "alice", []string{"XRP", "asset:XRP", "model:XRP"}, nil)
	if err != nil || either.either["XRP"].model == nil || either.either["XRP"].asset.Symbol != "XRP-USD" ||
		either.Entries()["asset:XRP"].ID != "asset_XRP-USD" || either.Entries()["model:XRP"].ID != "model_xrp" {
		t.Errorf("a coin and a model of one name: %+v, %v", either, err)
	}
	u, err := Resolve(t.Context(), exchange{}, nobody{}, "alice", []string{"BTC", "BTC-USD"}, nil)
	if err != nil || u.Twice([]string{"BTC", "BTC-USD"})["BTC-USD"] != "BTC" {
		t.Errorf("one pair under two names: %v, %v", u, err)
	}
}

func TestCoinsInPrompts(t *testing.T) {
	t.Parallel()
	l := &library{assets: exchange{}, members: nobody{}, accountID: "alice"}
	found, err := l.Members(t.Context(), []string{"BTC", "btc", "T", "t", "ETH"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"BTC": "BTCUSD", "btc": "", "T": "T-USD", "t": "", "ETH": "ETH"} {
		if got := found[name].Key; got != want {
			t.Errorf("%s: %q, want %q", name, got, strings.ToUpper(want))
		}
	}
}

func (nobody) OptimizerNames(context.Context, string) ([]string, error) { return nil, nil }
