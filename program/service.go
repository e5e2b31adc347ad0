package program

import (
	"context"
	"log/slog"
	"time"

	"ballast/catalog"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/program/generate"
	"ballast/timeseries"
)

// Assets finds the assets that universes name.
type Assets interface {
	// AssetsBySymbol returns those that exist, by upper-case symbol, in one query.
	AssetsBySymbol(ctx context.Context, symbols []string) (map[string]*catalog.Asset, error)
	// AssetsByID returns those that exist, by id, in one query.
	AssetsByID(ctx context.Context, ids []string) (map[string]*catalog.Asset, error)
	// NearestSymbols returns the most similar symbol of the catalog for each.
	NearestSymbols(ctx context.Context, symbols []string) (map[string]string, error)
	// SearchAssets returns up to n assets that have stored bars and whose names or
	// symbols have most of the words, the best first.
	SearchAssets(ctx context.Context, words string, n int) ([]*catalog.Asset, error)
}

// Bars reads the daily total returns of assets as they were at a version of the
// bar store. The series are shared: callers do not write to them.
type Bars interface {
	Load(ctx context.Context, assetIDs []string, version int64) (map[string]timeseries.Series, error)
}

// Service carries out what callers may do with programs.
type Service struct {
	store         Store
	assets        Assets
	sessions      Sessions
	grammar       generate.Generator
	languageModel bool
	dailyCap      int
	wait          time.Duration
	log           *slog.Logger
	now           func() time.Time
}

// ServiceConfig is what a Service is made of.
type ServiceConfig struct {
	Store         Store
	Assets        Assets
	Sessions      Sessions
	Grammar       generate.Generator // writes scripts of prompts while the caller waits
	LanguageModel bool               // the workers have one, for what the grammar does not understand
	DailyRunLimit int                // manual runs an account a day
	Wait          time.Duration      // the longest that Wait waits
	Logger        *slog.Logger
	Now           func() time.Time // time.Now where nil
}

// NewService makes a Service.
func NewService(c ServiceConfig) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Service{
		store: c.Store, assets: c.Assets, sessions: c.Sessions, grammar: c.Grammar, languageModel: c.LanguageModel,
		dailyCap: c.DailyRunLimit, wait: c.Wait, log: c.Logger, now: c.Now,
	}
}

// Sheet reads a model by any reference that the caller may use: id, slug,
// symbol or exact name for the owner, the slug of a public model for others.
func (s *Service) Sheet(ctx context.Context, accountID, ref string) (*Sheet, error) {
	modelID, err := s.store.ModelID(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	m, err := s.sheet(ctx, modelID)
	if err != nil {
		return nil, err
	}
	return Reader{s.store, accountID}.seesSheet(ctx, m)
}

// sheet reads a model by id, as its owner sees it.
func (s *Service) sheet(ctx context.Context, modelID string) (*Sheet, error) {
	m, err := s.store.Sheet(ctx, modelID)
	if err != nil {
		return nil, err
	}
	return s.whole(ctx, m)
}

// whole adds to a sheet what its result and its members tell.
func (s *Service) whole(ctx context.Context, m *Sheet) (_ *Sheet, err error) {
	if m.Live == nil {
		return m, nil
	}
	if m.View, err = s.view(ctx, m); err != nil {
		return nil, err
	}
	if m.Lags, err = s.lags(ctx, m); err != nil {
		return nil, err
	}
	return m, nil
}

// Served reads what Sheet does of a model and the run that it serves alone, which
// is what reads of its results need.
func (s *Service) Served(ctx context.Context, accountID, ref string) (*Sheet, error) {
	modelID, err := s.store.ModelID(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	m, err := s.store.Served(ctx, modelID)
	if err != nil {
		return nil, err
	}
	m.Live, err = Reader{s.store, accountID}.seesOne(ctx, m.Live)
	return m, err
}

// Models lists the caller's models, the newest first, with the total before paging.
func (s *Service) Models(ctx context.Context, accountID string, f ModelFilter) ([]*Sheet, int, error) {
	return s.store.Models(ctx, accountID, f)
}

// Runs lists the runs of one of the caller's models.
func (s *Service) Runs(ctx context.Context, accountID, ref string, f RunFilter) ([]*Run, int, error) {
	m, err := s.own(ctx, accountID, ref)
	if err != nil {
		return nil, 0, err
	}
	return s.store.Runs(ctx, m.ID, f)
}

// Builds lists the builds of one of the caller's models, without scripts.
func (s *Service) Builds(ctx context.Context, accountID, ref string, limit, offset int) ([]*Build, int, error) {
	m, err := s.own(ctx, accountID, ref)
	if err != nil {
		return nil, 0, err
	}
	return s.store.Builds(ctx, m.ID, limit, offset)
}

// Build reads one of the caller's builds, by a current or legacy id.
func (s *Service) Build(ctx context.Context, accountID, ref string) (*Build, error) {
	buildID, ok := id.Parse(id.Build, ref)
	if !ok {
		return nil, fault.Missing("build", ref)
	}
	b, err := s.store.Build(ctx, buildID)
	if err != nil {
		return nil, fault.AsMissing(err, "build", ref)
	}
	if b.AccountID != accountID {
		return nil, fault.Missing("build", ref)
	}
	return b, nil
}

// Run reads a run that the caller owns or that its owner shares.
func (s *Service) Run(ctx context.Context, accountID, ref string) (*Run, error) {
	runID, ok := id.Parse(id.Run, ref)
	if !ok {
		return nil, fault.Missing("run", ref)
	}
	r, err := s.store.Run(ctx, runID)
	if err != nil {
		return nil, fault.AsMissing(err, "run", ref)
	}
	if r.AccountID != accountID && !r.Shared {
		return nil, fault.Missing("run", ref)
	}
	return Reader{s.store, accountID}.seesOne(ctx, r)
}

// Wait returns the run once it has ended, or as it is after the longest wait.
func (s *Service) Wait(ctx context.Context, accountID, runID string) (*Run, error) {
	waiting, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	// Listen first, look second: an end in between is then seen by the look.
	finished, err := s.store.Finished(waiting, runID)
	if err != nil {
		return nil, err
	}
	r, err := s.Run(ctx, accountID, runID)
	if err != nil || r.Status.Ended() {
		return r, err
	}
	<-finished
	return s.Run(ctx, accountID, runID)
}

// own reads a model that belongs to the caller; another's public model is not
// found, as a private one is not.
func (s *Service) own(ctx context.Context, accountID, ref string) (*Sheet, error) {
	m, err := s.Sheet(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if m.AccountID != accountID {
		return nil, fault.Missing("model", ref)
	}
	return m, nil
}
