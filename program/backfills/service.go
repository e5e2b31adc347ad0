package backfills

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"ballast/catalog"
	"ballast/catalog/backfill"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/program"
)

// MostSources is how many proxies a backfill may have.
const MostSources = 5

// Store stores backfills. Every method that changes one is one transaction that also
// queues refreshes of the models that use it.
type Store interface {
	// BackfillsOf returns an account's current backfills by asset id.
	BackfillsOf(ctx context.Context, accountID string, assetIDs []string) (map[string]*Backfill, error)
	// Backfills lists an account's current backfills, newest first, with the total
	// before paging.
	Backfills(ctx context.Context, accountID string, limit, offset int) ([]*Backfill, int, error)
	// CreateBackfill adds a backfill, unless check refuses the graph with the
	// backfill in it. It returns fault.SymbolTaken if the account already has one for
	// the asset, and fault.NotReady if a model that it reads has been deleted or
	// serves nothing.
	CreateBackfill(ctx context.Context, b *Backfill, check func(Graph) error) error
	// ReviseBackfill makes b the current version, with the next number;
	// fault.NotFound, and the faults of CreateBackfill.
	ReviseBackfill(ctx context.Context, b *Backfill, check func(Graph) error) error
	// DeleteBackfill ends a backfill; fault.NotFound.
	DeleteBackfill(ctx context.Context, accountID, backfillID string) error
}

// Service carries out what callers may do with backfills.
type Service struct {
	store   Store
	members program.ModelFinder
	assets  program.Assets
	splice  *Splicer
	log     *slog.Logger
	now     func() time.Time
}

// Config holds what New needs.
type Config struct {
	Store   Store
	Members program.ModelFinder
	Assets  program.Assets
	Splicer *Splicer
	Logger  *slog.Logger
	Now     func() time.Time // nil: time.Now
}

// New creates a Service.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Service{store: c.Store, members: c.Members, assets: c.Assets, splice: c.Splicer, log: c.Logger, now: c.Now}
}

// SourceRequest is a proxy as a caller names it: an asset by its symbol or id, or one
// of the caller's models.
type SourceRequest struct {
	Symbol            string
	Model             string
	Method            backfill.Method
	ExpenseAdjust     bool
	ExpenseDifference *float64
	FinancingRate     *float64
}

// everyBackfill is more than an account can have, which is one per asset.
const everyBackfill = 1 << 30

// Create creates a backfill and fits its terms on the bars that are stored now.
// fault.UnknownMember, fault.InvalidBody, fault.ReferenceCycle, fault.NotReady,
// fault.SymbolTaken.
func (s *Service) Create(ctx context.Context, accountID, symbol string, sources []SourceRequest) (*Backfill, error) {
	a, err := s.asset(ctx, symbol, "symbol")
	if err != nil {
		return nil, err
	}
	now := s.now().UTC()
	b := &Backfill{ID: id.New(id.Backfill), AccountID: accountID, AssetID: a.ID, Symbol: a.Symbol, Version: 1, CreatedAt: now, UpdatedAt: now}
	check, err := s.fit(ctx, b, a, sources)
	if err != nil {
		return nil, err
	}
	if err := s.store.CreateBackfill(ctx, b, check); err != nil {
		return nil, err
	}
	s.log.InfoContext(ctx, "backfill created", "backfill_id", b.ID, "account_id", accountID, "symbol", b.Symbol)
	return b, nil
}

// Revise fits a backfill again, with new sources if they are given, and makes a new
// version if the result differs.
func (s *Service) Revise(ctx context.Context, accountID, ref string, sources []SourceRequest) (*Backfill, error) {
	before, err := s.Backfill(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	a, err := s.asset(ctx, before.Symbol, "backfill")
	if err != nil {
		return nil, err
	}
	if sources == nil {
		sources = requestsOf(before.Sources)
	}
	b := *before
	b.UpdatedAt = s.now().UTC()
	check, err := s.fit(ctx, &b, a, sources)
	if err != nil {
		return nil, err
	}
	if unchanged, err := same(before, &b); err != nil || unchanged {
		return before, err
	}
	if err := s.store.ReviseBackfill(ctx, &b, check); err != nil {
		return nil, err
	}
	s.log.InfoContext(ctx, "backfill revised", "backfill_id", b.ID, "version", b.Version, "symbol", b.Symbol)
	return &b, nil
}

// same reports whether two versions are the same in their stored form.
func same(a, b *Backfill) (bool, error) {
	x, err := json.Marshal([]any{a.Sources, a.Spliced})
	if err != nil {
		return false, fmt.Errorf("encode backfill %s: %w", a.ID, err)
	}
	y, err := json.Marshal([]any{b.Sources, b.Spliced})
	return bytes.Equal(x, y), err
}

// Delete ends a backfill and returns its id. Runs that have read it keep it.
func (s *Service) Delete(ctx context.Context, accountID, ref string) (string, error) {
	b, err := s.Backfill(ctx, accountID, ref)
	if err != nil {
		return "", err
	}
	return b.ID, s.store.DeleteBackfill(ctx, accountID, b.ID)
}

// Backfill reads one of the account's backfills by id, or by the symbol of its asset;
// fault.NotFound.
func (s *Service) Backfill(ctx context.Context, accountID, ref string) (*Backfill, error) {
	all, _, err := s.store.Backfills(ctx, accountID, everyBackfill, 0)
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if b.ID == ref || strings.EqualFold(b.Symbol, ref) {
			return b, nil
		}
	}
	return nil, fault.Missing("backfill", ref)
}

// Backfills lists the account's backfills, newest first, with the total before
// paging.
func (s *Service) Backfills(ctx context.Context, accountID string, limit, offset int) ([]*Backfill, int, error) {
	return s.store.Backfills(ctx, accountID, limit, offset)
}

// Of returns an account's current backfills, by asset id.
func (s *Service) Of(ctx context.Context, accountID string, assetIDs []string) (map[string]*Backfill, error) {
	return s.store.BackfillsOf(ctx, accountID, assetIDs)
}

// asset finds an asset by symbol, in any case; fault.UnknownMember.
func (s *Service) asset(ctx context.Context, symbol, field string) (*catalog.Asset, error) {
	upper := strings.ToUpper(symbol)
	found, err := s.assets.AssetsBySymbol(ctx, []string{upper})
	if err != nil {
		return nil, err
	}
	if a := found[upper]; a != nil {
		return a, nil
	}
	near, err := s.assets.NearestSymbols(ctx, []string{upper})
	if err != nil {
		return nil, err
	}
	return nil, unknownMember(symbol, field, "is not an asset of the catalog", near[upper])
}

func unknownMember(name, field, message, near string) error {
	text := fmt.Sprintf("%q %s.", name, message)
	if near != "" {
		text += fmt.Sprintf(" Did you mean %s?", near)
	}
	return fault.New(fault.UnknownMember, "%s", text).With(fault.Detail{Field: field, Message: message, Suggestion: near})
}
