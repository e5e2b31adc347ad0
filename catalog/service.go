package catalog

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"ballast/catalog/backfill"
	"ballast/catalog/classify"
	"ballast/internal/fault"
	"ballast/metrics"
	"ballast/timeseries"
)

// Bars reads the daily total returns of assets as they were at a version of the bar
// store. The series are shared; callers must not change them.
type Bars interface {
	Load(ctx context.Context, assetIDs []string, version int64) (map[string]timeseries.Series, error)
}

// Service reads the catalog and the histories of its assets.
type Service struct {
	store    Store
	bars     Bars
	screener Screener
	loads    Loads
	before   Backfills
}

// Backfills joins accounts' backfills before assets' own bars.
type Backfills interface {
	// Splice returns own with an account's backfill of the asset joined before it, and
	// the stretches from the backfill. It returns own itself if the account has no
	// backfill.
	Splice(ctx context.Context, accountID string, a *Asset, own timeseries.Series) (timeseries.Series, []backfill.Splice, error)
}

// NewService returns a Service. loads is nil if no provider is configured, before if
// there are no backfills.
func NewService(store Store, bars Bars, screener Screener, loads Loads, before Backfills) *Service {
	return &Service{store: store, bars: bars, screener: screener, loads: loads, before: before}
}

// Asset returns an asset by id, legacy id or symbol in any case. The error fault.NotFound
// names the nearest symbol, if there is one.
func (s *Service) Asset(ctx context.Context, ref string) (*Asset, error) {
	a, err := s.store.Asset(ctx, ref)
	if err == nil || fault.TypeOf(err) != fault.NotFound {
		return a, err
	}
	near, lookupErr := s.nearest(ctx, ref)
	if lookupErr != nil {
		return nil, lookupErr
	}
	if near == "" {
		return nil, err
	}
	return nil, fault.New(fault.NotFound, "There is no asset %q. Did you mean %s?", ref, near).
		With(fault.Detail{Field: "asset", Message: "is not in the catalog", Suggestion: near})
}

// Evidence returns the evidence for an asset's classification, field by field.
func (s *Service) Evidence(ctx context.Context, assetID string) ([]classify.Evidence, error) {
	return s.store.AssetEvidence(ctx, assetID)
}

// nearest returns the catalog's symbol most similar to ref, or "" if none is similar.
func (s *Service) nearest(ctx context.Context, ref string) (string, error) {
	symbol := strings.ToUpper(ref)
	near, err := s.store.NearestSymbols(ctx, []string{symbol})
	return near[symbol], err
}

// Assets returns a page with its total and facets. Errors are fault.UnknownTag and
// fault.InvalidParameter. Records are shared; callers must not change them.
func (s *Service) Assets(ctx context.Context, f Filter) (*Page, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	return s.screener.Screen(ctx, f)
}

func (s *Service) series(ctx context.Context, a *Asset) (timeseries.Series, error) {
	loaded, err := s.bars.Load(ctx, []string{a.ID}, a.BarsVersion)
	if err != nil {
		return timeseries.Series{}, fmt.Errorf("load the bars of %s: %w", a.Symbol, err)
	}
	series, ok := loaded[a.ID]
	if !ok {
		series.Base = timeseries.NoDate
	}
	return series, nil
}

// cut returns the returns of s between two dates, inclusive, and shares s's memory. The
// base is the session before the first of them.
func cut(s timeseries.Series, start, end timeseries.Date) timeseries.Series {
	from, to := 0, len(s.Dates)
	if start != timeseries.NoDate {
		from = sort.Search(len(s.Dates), func(i int) bool { return s.Dates[i] >= start })
	}
	if end != timeseries.NoDate {
		to = max(from, sort.Search(len(s.Dates), func(i int) bool { return s.Dates[i] > end }))
	}
	base := s.Base
	if from > 0 {
		base = s.Dates[from-1]
	}
	return timeseries.Series{Base: base, Dates: s.Dates[from:to], Returns: s.Returns[from:to]}
}

func barsPerYear(a *Asset) int {
	if a.SevenDay {
		return 365
	}
	return metrics.DefaultBarsPerYear
}
