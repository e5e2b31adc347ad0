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

// Store keeps backfills. Every method that changes one is one
// transaction, with the refreshes of the models that use it.
type Store interface {
	// BackfillsOf returns an account's active backfills by asset id.
	BackfillsOf(ctx context.Context, accountID string, assetIDs []string) (map[string]*Backfill, error)
	// Backfills lists what an account has in force, the newest first, with the
	// total before paging.
	Backfills(ctx context.Context, accountID string, limit, offset int) ([]*Backfill, int, error)
	// CreateBackfill adds one. check sees the graph that it becomes a part of.
	// fault.SymbolTaken where the account has one of the asset, fault.NotReady
	// where a model that it reads has gone or serves nothing.
	CreateBackfill(ctx context.Context, b *Backfill, check func(Graph) error) error
	// ReviseBackfill makes b the version in force, numbered after the one that is;
	// fault.NotFound, and as of CreateBackfill.
	ReviseBackfill(ctx context.Context, b *Backfill, check func(Graph) error) error
	// DeleteBackfill takes one out of force; fault.NotFound.
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

// Config is what a Service is made of.
type Config struct {
	Store   Store
	Members program.ModelFinder
	Assets  program.Assets
	Splicer *Splicer
	Logger  *slog.Logger
	Now     func() time.Time // time.Now where nil
}

// New makes a Service.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Service{store: c.Store, members: c.Members, assets: c.Assets, splice: c.Splicer, log: c.Logger, now: c.Now}
}

// SourceRequest is a proxy as a caller names it: an asset's symbol or id, or one
// of the caller's models.
type SourceRequest struct {
	Symbol            string
	Model             string
	Method            backfill.Method
	ExpenseAdjust     bool
	ExpenseDifference *float64
	FinancingRate     *float64
}

// everyBackfill is more than an account has: one an asset at most.
const everyBackfill = 1 << 30

// Create makes a backfill and fits its terms on the bars that are stored now.
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

// Revise fits a backfill again, with other sources where they are given, and makes
// a new version where anything has come out differently.
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

// same reports whether two versions hold the same, in the form in which they are kept.
func same(a, b *Backfill) (bool, error) {
	x, err := json.Marshal([]any{a.Sources, a.Spliced})
	if err != nil {
		return false, fmt.Errorf("encode backfill %s: %w", a.ID, err)
	}
	y, err := json.Marshal([]any{b.Sources, b.Spliced})
	return bytes.Equal(x, y), err
}

// Delete takes a backfill out of force; what has read it keeps it. It returns the id.
func (s *Service) Delete(ctx context.Context, accountID, ref string) (string, error) {
	b, err := s.Backfill(ctx, accountID, ref)
	if err != nil {
		return "", err
	}
	return b.ID, s.store.DeleteBackfill(ctx, accountID, b.ID)
}

// Backfill reads one of the account's by id, or by the symbol of its asset;
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

// Backfills lists the account's, the newest first, with the total before paging.
func (s *Service) Backfills(ctx context.Context, accountID string, limit, offset int) ([]*Backfill, int, error) {
	return s.store.Backfills(ctx, accountID, limit, offset)
}

// Of returns what an account has in force, by asset id.
func (s *Service) Of(ctx context.Context, accountID string, assetIDs []string) (map[string]*Backfill, error) {
	return s.store.BackfillsOf(ctx, accountID, assetIDs)
}

// asset finds one by symbol, in any case; fault.UnknownMember.
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
