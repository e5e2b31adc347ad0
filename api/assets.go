package api

import (
	"context"
	"net/http"
	"slices"

	"ballast/catalog"
	"ballast/internal/fault"
)

// AssetParameter names an asset.
type AssetParameter struct {
	Asset string `path:"asset" minLength:"1" doc:"Symbol in any case, or id in its current or legacy form" example:"SPY"`
}

type assetsInput struct {
	PageParameters
	Query    string `query:"q" maxLength:"200" doc:"Ticker or words of the name: an exact ticker first, then tickers that begin so, then names that have every word"`
	Type     string `query:"type" enum:"etf,fund,stock,crypto" doc:"Only assets of this type"`
	Delisted bool   `query:"delisted" default:"false" doc:"Include delisted assets"`
}

type assetsOutput struct{ Body pageBody[*assetBody] }

type assetOutput struct{ Body *assetBody }

type assetHistoryInput struct {
	AssetParameter
	Include   []string `query:"include" enum:"metrics" doc:"Statistics over the returned slice"`
	Backfill  bool     `query:"backfill" default:"true" doc:"Splice in the caller's backfill rule, where there is one"`
	StartDate string   `query:"start_date" format:"date" doc:"First bar, inclusive"`
	EndDate   string   `query:"end_date" format:"date" doc:"Last bar, inclusive"`
	RiskFree  float64  `query:"risk_free" exclusiveMinimum:"-1" default:"0" doc:"Annual fraction, for metrics"`
	Benchmark string   `query:"benchmark" doc:"Symbol of an asset to compare with in metrics"`
}

type assetHistoryOutput struct{ Body *assetHistoryBody }

func (s *Server) registerAssets() {
	register(s, route{
		method: http.MethodGet, path: "/v1/assets", id: "list-assets", tag: tagAssets, status: http.StatusOK,
		summary: "List assets", description: "By symbol, or by how well they match q. Filters apply before paging.",
	}, s.listAssets)
	register(s, route{
		method: http.MethodGet, path: "/v1/assets/{asset}", id: "get-asset", tag: tagAssets, status: http.StatusOK,
		summary: "Read an asset", description: "The catalog record.", faults: []fault.Type{fault.NotFound},
	}, s.getAsset)
	register(s, route{
		method: http.MethodGet, path: "/v1/assets/{asset}/history", id: "get-asset-history", tag: tagAssets, status: http.StatusOK,
		summary: "Read an asset's history", description: "Daily total returns, cut to the dates; the first bar has no return.",
		faults: []fault.Type{fault.NotFound, fault.NoHistory}, others: tables,
	}, s.getAssetHistory)
}

func (s *Server) listAssets(ctx context.Context, in *assetsInput) (*assetsOutput, error) {
	assets, total, err := s.Catalog.Assets(ctx, catalog.Filter{
		Query: in.Query, Type: in.Type, Delisted: in.Delisted, Ascending: true, Limit: in.Limit, Offset: in.Offset,
	})
	if err != nil {
		return nil, err
	}
	return &assetsOutput{pageOf(assets, total, assetBodyOf)}, nil
}

func (s *Server) getAsset(ctx context.Context, in *AssetParameter) (*assetOutput, error) {
	a, err := s.Catalog.Asset(ctx, in.Asset)
	if err != nil {
		return nil, err
	}
	return &assetOutput{assetBodyOf(a)}, nil
}

func (s *Server) getAssetHistory(ctx context.Context, in *assetHistoryInput) (*assetHistoryOutput, error) {
	q := catalog.HistoryQuery{
		Start: dateOf(in.StartDate), End: dateOf(in.EndDate), Metrics: slices.Contains(in.Include, "metrics"),
		RiskFree: in.RiskFree, Benchmark: in.Benchmark,
	}
	if err := ordered(q.Start, q.End); err != nil {
		return nil, err
	}
	h, err := s.Catalog.AssetHistory(ctx, in.Asset, q)
	if err != nil {
		return nil, err
	}
	return &assetHistoryOutput{&assetHistoryBody{source: h}}, nil
}
