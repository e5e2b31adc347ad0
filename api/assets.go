package api

import (
	"context"
	"net/http"
	"slices"

	"ballast/api/transport"
	"ballast/catalog"
	"ballast/internal/fault"
	"ballast/program/backfills"
)

// AssetParameter names an asset.
type AssetParameter struct {
	Asset string `path:"asset" minLength:"1" doc:"Symbol in any case, or id in its current or legacy form" example:"SPY"`
}

type assetsOutput struct{ Body *assetPageBody }

type assetOutput struct{ Body *assetRecordBody }

type assetHistoryInput struct {
	AssetParameter
	Include   []string `query:"include" enum:"metrics" doc:"Statistics over the returned slice"`
	Backfill  bool     `query:"backfill" default:"true" doc:"Put the caller's backfill, if there is one, before the asset's first bar"`
	StartDate string   `query:"start_date" format:"date" doc:"First bar, inclusive"`
	EndDate   string   `query:"end_date" format:"date" doc:"Last bar, inclusive"`
	RiskFree  string   `query:"risk_free" format:"riskless" default:"0" doc:"Annual risk-free rate as a fraction, or a column of a series, NAME.KEY, for metrics"`
	Benchmark string   `query:"benchmark" minLength:"1" doc:"Symbol of an asset to compare with, for metrics"`
}

type assetHistoryOutput struct {
	Status     int
	RetryAfter string `header:"Retry-After" doc:"With 202: seconds to wait before asking again"`
	Body       *assetHistoryBody
}

func (s *Server) registerAssets() {
	register(s, route{
		method: http.MethodGet, path: "/v1/assets", id: "list-assets", tag: tagAssets, status: http.StatusOK,
		summary: "List and screen assets",
		description: "Returns the assets that pass every given filter; filters apply before paging. An asset without a field passes no filter on that field. " +
			"The order is by symbol, by `sort`, or by how well assets match `q`: an exact ticker, then tickers that begin with it, then names; " +
			"of a coin's pairs, the one with the US dollar comes first. Each response shows one version of the catalog.",
		faults: []fault.Type{fault.UnknownTag},
	}, s.listAssets)
	register(s, route{
		method: http.MethodGet, path: "/v1/assets/{asset}", id: "get-asset", tag: tagAssets, status: http.StatusOK,
		summary: "Read an asset", description: "Returns the catalog record, with the words that its classification rests on.", faults: []fault.Type{fault.NotFound},
	}, s.getAsset)
	register(s, route{
		method: http.MethodGet, path: "/v1/assets/{asset}/history", id: "get-asset-history", tag: tagAssets, status: http.StatusOK,
		also:    map[int]string{http.StatusAccepted: "No bar of the window is stored yet, and a load is in progress: ask again"},
		summary: "Read an asset's history", description: "Returns daily total returns within the given dates, with the caller's backfill before the first bar. The first bar has no return. If the window goes past the last stored bar and the exchange has had a session since, the configured providers are asked first, for a few seconds. If a load is still in progress and the window is empty, the response is 202 with status fetching.",
		faults: []fault.Type{fault.UnknownMember, fault.NotFound, fault.NoHistory}, others: transport.Tables,
	}, s.getAssetHistory)
}

func (s *Server) listAssets(ctx context.Context, in *assetsInput) (*assetsOutput, error) {
	page, err := s.Catalog.Assets(ctx, in.filter())
	if err != nil {
		return nil, err
	}
	rules, err := s.rules(ctx, page.Assets...)
	if err != nil {
		return nil, err
	}
	return &assetsOutput{&assetPageBody{source: page, backfills: rules}}, nil
}

func (s *Server) getAsset(ctx context.Context, in *AssetParameter) (*assetOutput, error) {
	a, err := s.Catalog.Asset(ctx, in.Asset)
	if err != nil {
		return nil, err
	}
	evidence, err := s.Catalog.Evidence(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	rules, err := s.rules(ctx, a)
	if err != nil {
		return nil, err
	}
	return &assetOutput{&assetRecordBody{source: a, evidence: evidence, backfill: rules[a.ID]}}, nil
}

// rules returns the caller's backfills of the assets, by asset id.
func (s *Server) rules(ctx context.Context, assets ...*catalog.Asset) (map[string]*backfills.Backfill, error) {
	if len(assets) == 0 || !exchangeOf(ctx).identity.Backfills {
		return nil, nil
	}
	ids := make([]string, len(assets))
	for i, a := range assets {
		ids[i] = a.ID
	}
	return s.BackfilledAssets.Of(ctx, accountOf(ctx), ids)
}

// fetchingRetry is how long a load of bars usually takes, in seconds.
const fetchingRetry = "2"

func (s *Server) getAssetHistory(ctx context.Context, in *assetHistoryInput) (*assetHistoryOutput, error) {
	riskFree, err := s.riskless(ctx, in.RiskFree)
	if err != nil {
		return nil, err
	}
	q := catalog.HistoryQuery{
		Start: dateOf(in.StartDate), End: dateOf(in.EndDate), Metrics: slices.Contains(in.Include, "metrics"),
		RiskFree: riskFree, Benchmark: in.Benchmark,
	}
	if in.Backfill && exchangeOf(ctx).identity.Backfills {
		q.Account = accountOf(ctx)
	}
	if err := ordered(q.Start, q.End); err != nil {
		return nil, err
	}
	h, err := s.Catalog.AssetHistory(ctx, in.Asset, q)
	if err != nil {
		return nil, err
	}
	out := &assetHistoryOutput{Status: http.StatusOK, Body: &assetHistoryBody{source: h}}
	if h.Fetching {
		out.Status, out.RetryAfter = http.StatusAccepted, fetchingRetry
	}
	return out, nil
}
