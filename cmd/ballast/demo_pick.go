package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// demoPick describes which assets the models hold.
type demoPick struct {
	growth   string   // the longest history
	stable   string   // the least volatile of the long histories; "" if there is no second asset
	extra    string   // held together with the two models
	universe []string // universe of the momentum model
}

// samplePick is what the models hold in the sample market.
var samplePick = demoPick{
	growth: "SYN-WORLD", stable: "SYN-BOND", extra: "SYN-GOLD",
	universe: []string{"SYN-LARGE", "SYN-SMALL", "SYN-EUROPE", "SYN-ASIA", "SYN-EMERG", "SYN-LONG", "SYN-GOLD", "SYN-REAL", "SYN-COMMO", "SYN-BOND"},
}

// pickAssets chooses what the models hold from the imported assets: the longest
// history, the least volatile of the long ones, one more, and up to ten for momentum.
func pickAssets(ctx context.Context, c *client) (demoPick, error) {
	type asset struct {
		Symbol        string
		PriceCoverage string `json:"price_coverage"`
		First         string `json:"first_price_date"`
		volatility    float64
	}
	var stored []asset
	for offset := 0; ; offset += 200 {
		var page struct {
			Data  []asset
			Total int
		}
		if err := c.do(ctx, "GET", fmt.Sprintf("/v1/assets?limit=200&offset=%d", offset), nil, &page); err != nil {
			return demoPick{}, err
		}
		for _, a := range page.Data {
			if a.PriceCoverage == "stored" {
				stored = append(stored, a)
			}
		}
		if offset+200 >= page.Total {
			break
		}
	}
	if len(stored) == 0 {
		return demoPick{}, errors.New("no bars were imported, so there is nothing to build models over")
	}
	sort.SliceStable(stored, func(i, j int) bool { return stored[i].First < stored[j].First })
	long := slices.Clone(stored[:min(12, len(stored))])
	for i := range long {
		var h struct {
			Metrics struct {
				Volatility *float64 `json:"annual_volatility"`
			}
		}
		if err := c.do(ctx, "GET", "/v1/assets/"+long[i].Symbol+"/history?include=metrics", nil, &h); err != nil {
			return demoPick{}, err
		}
		long[i].volatility = math.Inf(1)
		if v := h.Metrics.Volatility; v != nil {
			long[i].volatility = *v
		}
	}
	p := demoPick{growth: long[0].Symbol, extra: long[len(long)-1].Symbol}
	rest := slices.Clone(long[1:])
	sort.SliceStable(rest, func(i, j int) bool { return rest[i].volatility < rest[j].volatility })
	if len(rest) > 0 {
		p.stable = rest[0].Symbol
	}
	for _, a := range long[:min(10, len(long))] {
		p.universe = append(p.universe, a.Symbol)
	}
	return p, nil
}
