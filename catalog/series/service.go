package series

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"ballast/internal/fault"
	"ballast/internal/id"
)

// Reader reads series. accountID is the caller's; "" reads the operator's only.
type Reader interface {
	// Series lists the account's own series and the operator's by name, with the
	// total before paging.
	Series(ctx context.Context, accountID string, limit, offset int) ([]*Series, int, error)
	// SeriesByName returns the series of some names, in any case, by upper-case name:
	// the account's own before the operator's.
	SeriesByName(ctx context.Context, accountID string, names []string) (map[string]*Series, error)
	// SeriesVersion returns any version, of a deleted series too; fault.NotFound.
	SeriesVersion(ctx context.Context, seriesID string, version int) (*Series, error)
	// SeriesTable returns the values of a version.
	SeriesTable(ctx context.Context, seriesID string, version int) (*Table, error)
}

// Writer changes series. Each method is one transaction.
type Writer interface {
	// PutSeries makes the next version of an account's series. make gets the current
	// version with its values, or nil, and returns the next one; nil changes nothing.
	PutSeries(ctx context.Context, accountID, name string, make func(*Series, *Table) (*Series, *Table, error)) (*Series, error)
	// DeleteSeries ends a series; fault.NotFound.
	DeleteSeries(ctx context.Context, accountID, seriesID string) error
}

// Service carries out what callers may do with series.
type Service struct {
	Finder
	store Writer
	log   *slog.Logger
	now   func() time.Time
}

// Store is everything that a Service needs.
type Store interface {
	Reader
	Writer
}

// New creates a Service. now is nil for the clock.
func New(store Store, log *slog.Logger, now func() time.Time) *Service {
	if now == nil {
		now = time.Now
	}
	return &Service{Finder: Finder{store}, store: store, log: log, now: now}
}

// Put adds a series, or adds values to one and restates others. It reports whether the
// series is new. A post that says nothing new makes no version. fault.InvalidBody,
// fault.SymbolTaken.
func (s *Service) Put(ctx context.Context, accountID string, p Post) (put *Series, created bool, err error) {
	changed := false
	put, err = s.store.PutSeries(ctx, accountID, p.Name, func(before *Series, stored *Table) (*Series, *Table, error) {
		created = before == nil
		after, table, news, err := p.next(before, stored)
		if changed = news; err != nil || !news {
			return before, nil, err
		}
		after.UpdatedAt = s.now().UTC()
		if created {
			after.ID, after.AccountID, after.CreatedAt = id.New(id.Series), accountID, after.UpdatedAt
		}
		return after, table, nil
	})
	if err != nil {
		return nil, false, err
	}
	if changed {
		s.log.InfoContext(ctx, "series stored", "series_id", put.ID, "account_id", accountID, "version", put.Version, "added", put.Added, "restated", put.Restated)
	}
	return put, created, nil
}

// Find returns a series that the account may read, by its name in any case or its id;
// fault.NotFound.
func (s *Service) Find(ctx context.Context, accountID, ref string) (*Series, error) {
	if _, ok := id.Parse(id.Series, ref); ok {
		all, _, err := s.Series(ctx, accountID, everySeries, 0)
		if err != nil {
			return nil, err
		}
		for _, one := range all {
			if one.ID == ref {
				return one, nil
			}
		}
		return nil, fault.Missing("series", ref)
	}
	upper := Fold(ref)
	found, err := s.SeriesByName(ctx, accountID, []string{upper})
	if err != nil {
		return nil, err
	}
	if found[upper] == nil {
		return nil, fault.Missing("series", ref)
	}
	return found[upper], nil
}

// everySeries is more than an account can read.
const everySeries = 1 << 30

// Delete ends a series and returns its id. fault.NotFound, also for the operator's, and
// fault.SeriesInUse.
func (s *Service) Delete(ctx context.Context, accountID, ref string) (string, error) {
	found, err := s.Find(ctx, accountID, ref)
	if err != nil {
		return "", err
	}
	if found.AccountID != accountID {
		return "", fault.New(fault.Forbidden, "%s is the operator's series, which all accounts read. Only the operator can delete it.", found.Name)
	}
	return found.ID, s.store.DeleteSeries(ctx, accountID, found.ID)
}

func unknown(reference, format, near string, args ...any) error {
	return fault.New(fault.UnknownMember, format, args...).
		With(fault.Detail{Message: reference + " is not a series that you may read", Suggestion: near})
}

func didYouMean(near string) string {
	return map[bool]string{false: fmt.Sprintf(" Did you mean %s?", near)}[near == ""]
}

// listed joins keys for a message; many are cut short.
func listed(keys []string) string {
	const most = 20
	text := strings.Join(keys[:min(len(keys), most)], ", ")
	if n := len(keys) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
