package export

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ballast/catalog"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
	"ballast/storage/columnar"
	"ballast/timeseries/bars"
)

// AssetPages reads pages of assets, in an order that new rows do not shift.
type AssetPages interface {
	// AssetsAfter returns up to n assets of a filter by symbol, those after one.
	AssetsAfter(ctx context.Context, f catalog.Filter, symbol string, n int) ([]*catalog.Asset, error)
}

// BarPages reads pages of the bar store, in an order that new rows do not shift.
type BarPages interface {
	// BarAssetsAfter returns up to n assets with stored bars by symbol, those after
	// one, of symbols alone where there are any.
	BarAssetsAfter(ctx context.Context, symbols []string, symbol string, n int) ([]BarAsset, error)
	// BarRows counts the bars of the latest version, of symbols alone where there are any.
	BarRows(ctx context.Context, symbols []string) (int64, error)
	// ByID reads the bar manifest, as bars.Manifest does.
	ByID(ctx context.Context, assetIDs []string, at bars.Version) (bars.Snapshot, error)
}

// RunPages reads pages of runs, in an order that new rows do not shift.
type RunPages interface {
	// RunsAfter returns up to n of an account's runs, the newest first, those after
	// a mark where there is one.
	RunsAfter(ctx context.Context, accountID string, f RunFilter, mark *RunMark, n int) ([]*program.Run, error)
	// LiveRunsAfter returns up to n of the runs that an account's models serve, by
	// program id, those after one.
	LiveRunsAfter(ctx context.Context, accountID, programID string, n int) ([]LiveRun, error)
}

// ModelReader reads models. *program.Models is one.
type ModelReader interface {
	// Sheet reads a model that the caller may read; fault.NotFound.
	Sheet(ctx context.Context, accountID, ref string) (*program.Sheet, error)
}

// RunReader reads runs. *program.Runs is one.
type RunReader interface {
	// Run reads a run that the caller may read; fault.NotFound.
	Run(ctx context.Context, accountID, ref string) (*program.Run, error)
}

// Histories reads the results of runs. history.Service is one.
type Histories interface {
	// History reads the live run of a model that the caller may read.
	History(ctx context.Context, accountID, ref string, q history.Query) (*history.History, error)
	// RunHistory reads a run that the caller may read.
	RunHistory(ctx context.Context, accountID, ref string, q history.Query) (*history.History, error)
}

// Symbols finds assets by symbol. catalog.Store is one.
type Symbols interface {
	// AssetsBySymbol returns the assets that exist, by upper-case symbol.
	AssetsBySymbol(ctx context.Context, symbols []string) (map[string]*catalog.Asset, error)
	// NearestSymbols returns the most similar symbol of the catalog for each.
	NearestSymbols(ctx context.Context, symbols []string) (map[string]string, error)
}

// Config is what a Service is made of.
type Config struct {
	Assets    AssetPages
	Bars      BarPages
	RunPages  RunPages
	Models    ModelReader
	Runs      RunReader
	Histories Histories
	Symbols   Symbols
	Bucket    columnar.Bucket // of the bars
	AtOnce    int             // exports under way at a time, of one account a quarter of them; 0 for no bound
}

// Service opens tables. It is safe for concurrent use.
type Service struct {
	c     Config
	slots *slots
}

// NewService makes a Service.
func NewService(c Config) *Service {
	return &Service{c: c, slots: newSlots(c.AtOnce)}
}

// Open begins to read a table for an account, which sees everybody's assets and
// bars, and of models, runs and results those that it may read one by one. It
// answers faults: fault.NotFound for what is not there or not the account's,
// fault.NoHistory for results that are not there yet, fault.InvalidParameter,
// fault.UnknownTag,
// fault.RateLimited.
// The rows read until ctx ends or they are closed, which the caller does, or
// until a caller that waits for a slot takes that of one who does not read.
func (s *Service) Open(ctx context.Context, accountID string, q Query) (*Rows, error) {
	if q.Start != noDate && q.End != noDate && q.End < q.Start {
		return nil, fault.New(fault.InvalidParameter, "The window ends before it starts.").
			With(fault.Detail{Field: "end_date", Message: "is before start_date"})
	}
	if err := q.Assets.Check(); err != nil {
		return nil, err
	}
	ctx, slot, err := s.slots.take(ctx, accountID)
	if err != nil {
		return nil, err
	}
	rows, err := s.open(ctx, accountID, q)
	if err != nil {
		s.slots.release(slot)
		return nil, err
	}
	rows.ctx, rows.slot = ctx, slot
	rows.release = append(rows.release, func() { s.slots.release(slot) })
	return rows, nil
}

func (s *Service) open(ctx context.Context, accountID string, q Query) (*Rows, error) {
	switch q.Table {
	case Assets:
		return newRows(ctx, q.Table, s.assets(q), nil)
	case Bars:
		return s.bars(ctx, q)
	case Runs:
		return s.runs(ctx, accountID, q)
	}
	if slices.Contains(Results, q.Table) {
		return s.results(ctx, accountID, q)
	}
	return nil, fmt.Errorf("export: no table %q", q.Table)
}

// inQuery says which parameter a fault of a reference came from.
func inQuery(err error, parameter, ref string) error {
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Details) > 0 {
		return err
	}
	return f.With(fault.Detail{Field: "" + parameter, Message: fmt.Sprintf("%q: %s", ref, f.Type)})
}
