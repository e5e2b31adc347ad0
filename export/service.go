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
	// AssetsAfter returns up to n assets of a filter that come after a symbol, ordered
	// by symbol.
	AssetsAfter(ctx context.Context, f catalog.Filter, symbol string, n int) ([]*catalog.Asset, error)
}

// BarPages reads pages of the bar store, in an order that new rows do not shift.
type BarPages interface {
	// BarAssetsAfter returns up to n assets with stored bars that come after a symbol,
	// ordered by symbol. If symbols is not empty, it returns only these.
	BarAssetsAfter(ctx context.Context, symbols []string, symbol string, n int) ([]BarAsset, error)
	// BarRows counts the bars of the latest version. If symbols is not empty, it counts
	// only theirs.
	BarRows(ctx context.Context, symbols []string) (int64, error)
	// ByID reads the bar manifest, as bars.Manifest does.
	ByID(ctx context.Context, assetIDs []string, at bars.Version) (bars.Snapshot, error)
}

// RunPages reads pages of runs, in an order that new rows do not shift.
type RunPages interface {
	// RunsAfter returns up to n of an account's runs, newest first: those after the
	// mark, or the first ones if it is nil.
	RunsAfter(ctx context.Context, accountID string, f RunFilter, mark *RunMark, n int) ([]*program.Run, error)
	// LiveRunsAfter returns up to n of the runs that an account's models serve, ordered
	// by program id: those after the given id.
	LiveRunsAfter(ctx context.Context, accountID, programID string, n int) ([]LiveRun, error)
	// LiveAnswersAfter is LiveRunsAfter for the programs of another kind.
	LiveAnswersAfter(ctx context.Context, accountID, kind, programID string, n int) ([]AnswerRun, error)
}

// ModelReader reads models, or programs of another kind. *program.Models is one.
type ModelReader interface {
	// Sheet reads a program. It returns fault.NotFound if the caller may not read it.
	Sheet(ctx context.Context, accountID, ref string) (*program.Sheet, error)
}

// RunReader reads runs. *program.Runs is one.
type RunReader interface {
	// Run reads a run. It returns fault.NotFound if the caller may not read it.
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
	// AssetsBySymbol returns the assets that exist, keyed by upper-case symbol.
	AssetsBySymbol(ctx context.Context, symbols []string) (map[string]*catalog.Asset, error)
	// NearestSymbols returns the most similar symbol of the catalog for each symbol.
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
	Bucket    columnar.Bucket // has the bars and the results
	// Programs reads those of other kinds than models, by kind.
	Programs map[string]ModelReader
	AtOnce   int // exports in progress at the same time; one account may have a quarter of them; 0 is no limit
}

// Service opens tables. It is safe for concurrent use.
type Service struct {
	c     Config
	slots *slots
}

// NewService creates a Service.
func NewService(c Config) *Service {
	return &Service{c: c, slots: newSlots(c.AtOnce)}
}

// Open opens a table for an account and reads its first batch. An account reads all
// assets and bars, but only those models, runs and results that it may also read one
// by one. Open returns fault.NotFound for what does not exist or belongs to another
// account, fault.NoHistory for results that do not exist yet, fault.RateLimited if
// there is no free slot, and fault.InvalidParameter or fault.UnknownTag for other
// mistakes in the query.
//
// The caller closes the rows. They end early, with ErrStalled, if their caller does
// not read while another account waits for a slot.
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
	if slices.Contains(Answers, q.Table) {
		return s.answers(ctx, accountID, q)
	}
	return nil, fmt.Errorf("export: no table %q", q.Table)
}

// inQuery adds to a fault which reference of which parameter caused it.
func inQuery(err error, parameter, ref string) error {
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Details) > 0 {
		return err
	}
	return f.With(fault.Detail{Field: "" + parameter, Message: fmt.Sprintf("%q: %s", ref, f.Type)})
}
