package backfills

import (
	"context"
	"fmt"

	"ballast/catalog"
	"ballast/catalog/backfill"
	"ballast/program"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// Bars reads the daily total returns of assets at a version of the bar store. The
// series are shared and must not be changed.
type Bars interface {
	Load(ctx context.Context, assetIDs []string, version int64) (map[string]timeseries.Series, error)
}

// Returns reads the daily returns of complete runs.
type Returns interface {
	// Series reads the daily returns of a complete run, and whether it has a return
	// on every calendar day. The series is shared and must not be changed.
	Series(ctx context.Context, run *program.Run) (s timeseries.Series, sevenDay bool, err error)
}

// Reader reads what splices are made of.
type Reader interface {
	// BackfillsOf reads an account's backfills of some assets, by asset id.
	BackfillsOf(ctx context.Context, accountID string, assetIDs []string) (map[string]*Backfill, error)
	// BarsVersions returns the current versions of the bars of assets.
	BarsVersions(ctx context.Context, assetIDs []string) (map[string]int64, error)
	// Run reads a run by id; fault.NotFound.
	Run(ctx context.Context, runID string) (*program.Run, error)
}

// Splicer reads assets with what backfills put before their own bars.
type Splicer struct {
	store   Reader
	bars    Bars
	results Returns
}

// NewSplicer creates a Splicer.
func NewSplicer(store Reader, bars Bars, results Returns) *Splicer {
	return &Splicer{store: store, bars: bars, results: results}
}

// Splice implements catalog.Backfills: it returns own with an account's backfill of
// the asset before it, or own itself if the account has none.
func (s *Splicer) Splice(ctx context.Context, accountID string, a *catalog.Asset, own timeseries.Series) (timeseries.Series, []backfill.Splice, error) {
	if own.Empty() {
		return own, nil, nil
	}
	found, err := s.store.BackfillsOf(ctx, accountID, []string{a.ID})
	if err != nil || found[a.ID] == nil {
		return own, nil, err
	}
	pins, err := s.Pins(ctx, found)
	if err != nil {
		return own, nil, err
	}
	series, stretches, err := s.Before(ctx, found[a.ID], own, a.SevenDay, LatestVersion(pins))
	if err != nil {
		return own, nil, err
	}
	return series, found[a.ID].splices(stretches), nil
}

// Pins returns the current versions of the bars of all proxies of backfills.
func (s *Splicer) Pins(ctx context.Context, found map[string]*Backfill) (map[string]int64, error) {
	var ids []string
	for _, b := range found {
		for _, source := range b.Sources {
			if source.Kind == program.MemberAsset {
				ids = append(ids, source.ID)
			}
		}
	}
	if len(ids) == 0 {
		return map[string]int64{}, nil
	}
	return s.store.BarsVersions(ctx, ids)
}

// LatestVersion returns the version of the bar store at which all pinned bars are as
// they were pinned.
func LatestVersion(pins map[string]int64) int64 {
	version := int64(0)
	for _, v := range pins {
		version = max(version, v)
	}
	return version
}

// Before splices a backfill's sources before a series, with the proxies' bars at a
// version of the bar store.
func (s *Splicer) Before(ctx context.Context, b *Backfill, own timeseries.Series, sevenDay bool, version int64) (timeseries.Series, []backfill.Stretch, error) {
	proxies := make([]backfill.Proxy, len(b.Sources))
	for i, source := range b.Sources {
		series, err := s.read(ctx, &source, version)
		if err != nil {
			return own, nil, fmt.Errorf("read %s for the backfill of %s: %w", source.Symbol, b.Symbol, err)
		}
		if source.SevenDay && !sevenDay && !series.Empty() {
			series = backfill.Compound(series, sessions(series.Base, own.Base))
		}
		proxies[i] = backfill.Proxy{Series: series, Terms: backfill.Terms{Scale: source.Scale, Drag: source.Drag}}
	}
	series, stretches := backfill.Join(own, proxies)
	return series, stretches, nil
}

// Use records what a run read of the backfill.
func (b *Backfill) Use(own timeseries.Date, stretches []backfill.Stretch, pins map[string]int64) *program.BackfillUse {
	u := &program.BackfillUse{ID: b.ID, Version: b.Version, First: own, Spliced: b.splices(stretches), Bars: []program.PinnedBars{}}
	for _, source := range b.Sources {
		if source.Kind == program.MemberAsset {
			u.Bars = append(u.Bars, program.PinnedBars{ID: source.ID, BarsVersion: pins[source.ID]})
		}
	}
	return u
}

// splices names the proxies of spans.
func (b *Backfill) splices(stretches []backfill.Stretch) []backfill.Splice {
	spliced := make([]backfill.Splice, len(stretches))
	for i, p := range stretches {
		source := &b.Sources[p.Proxy]
		spliced[i] = backfill.Splice{Symbol: source.Symbol, Start: p.Start, End: p.End, Method: source.Method}
	}
	return spliced
}

// read returns a source's own series: an asset's bars, or the returns of a model's
// pinned run.
func (s *Splicer) read(ctx context.Context, source *Source, version int64) (timeseries.Series, error) {
	if source.Kind == program.MemberModel {
		run, err := s.store.Run(ctx, source.RunID)
		if err != nil {
			return timeseries.Series{}, err
		}
		series, _, err := s.results.Series(ctx, run)
		return series, err
	}
	loaded, err := s.bars.Load(ctx, []string{source.ID}, version)
	if err != nil {
		return timeseries.Series{}, err
	}
	series, ok := loaded[source.ID]
	if !ok {
		series.Base = timeseries.NoDate
	}
	return series, nil
}

// sessions returns the planned sessions of the exchange from a week before one day to
// a week after another.
func sessions(from, to timeseries.Date) []timeseries.Date {
	c := calendar.XNYS()
	first, end := c.Count(from-backfill.Reach), c.Count(to+backfill.Reach)
	out := make([]timeseries.Date, 0, max(0, end-first))
	for i := first; i < end; i++ {
		out = append(out, c.Session(i))
	}
	return out
}
