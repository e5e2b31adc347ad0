package postgres

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program/shares"
)

// CreateShare adds a share.
func (db *DB) CreateShare(ctx context.Context, s *shares.Share, hash []byte) error {
	s.CreatedAt = stamp(s.CreatedAt)
	s.UpdatedAt = s.CreatedAt
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, s.AccountID, s.ID, s.ProgramID)
		// The locks of the program keep it from going to the Trash meanwhile.
		if m, err := lockProgram(ctx, q, s.ProgramID); absent(err) || err == nil && m.AccountID != s.AccountID {
			return fault.Missing("model", s.ProgramID)
		} else if err != nil {
			return err
		}
		if err := q.LockSharesOf(ctx, s.AccountID); err != nil {
			return err
		}
		n, err := q.CountShares(ctx, dbsqlc.CountSharesParams{AccountID: s.AccountID})
		if err != nil {
			return err
		}
		if n >= shares.MostShares {
			return fault.New(fault.InvalidBody, "The account has %d shares, the most that are allowed. Delete one first.", n)
		}
		var runID *string
		if s.RunID != "" {
			runID = &s.RunID
		}
		err = q.InsertShare(ctx, dbsqlc.InsertShareParams{
			ID: s.ID, AccountID: s.AccountID, ProgramID: s.ProgramID, RunID: runID, Name: storable(s.Name), Hash: hash, Panels: panelsOf(s),
			ShowScript: s.ShowScript, ShowAmounts: s.ShowAmounts, Paused: s.Paused, ExpiresAt: s.ExpiresAt, Now: s.CreatedAt,
		})
		if violates(err, "shares_run_id_fkey") {
			return fault.Missing("run", s.RunID)
		}
		return err
	})
	return wrap(err, "create share %s", s.ID)
}

// Shares lists an account's shares, newest first.
func (db *DB) Shares(ctx context.Context, f shares.Filter) ([]*shares.Share, int, error) {
	out, total := []*shares.Share{}, int64(0)
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		rows, err := q.Shares(ctx, dbsqlc.SharesParams{AccountID: f.AccountID, ProgramID: f.ProgramID, RunID: f.RunID, Most: skip(f.Limit), Skip: skip(f.Offset)})
		if err != nil {
			return err
		}
		for _, r := range rows {
			out = append(out, shareOf(r.Share, r.ProgramName, r.Kind))
		}
		total, err = q.CountShares(ctx, dbsqlc.CountSharesParams{AccountID: f.AccountID, ProgramID: f.ProgramID, RunID: f.RunID})
		return err
	})
	return out, int(total), wrap(err, "list shares of %s", f.AccountID)
}

// Share reads an account's share.
func (db *DB) Share(ctx context.Context, accountID, shareID string) (*shares.Share, error) {
	r, err := db.queries.Share(ctx, dbsqlc.ShareParams{ID: shareID, AccountID: accountID})
	if absent(err) {
		return nil, fault.Missing("share", shareID)
	}
	if err != nil {
		return nil, wrap(err, "read share %s", shareID)
	}
	return shareOf(r.Share, r.ProgramName, r.Kind), nil
}

// PatchShare changes an account's share.
func (db *DB) PatchShare(ctx context.Context, accountID, shareID string, change func(*shares.Share) error) (*shares.Share, error) {
	var s *shares.Share
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, accountID, shareID)
		if _, err := q.LockShare(ctx, dbsqlc.LockShareParams{ID: shareID, AccountID: accountID}); absent(err) {
			return fault.Missing("share", shareID)
		} else if err != nil {
			return err
		}
		r, err := q.Share(ctx, dbsqlc.ShareParams{ID: shareID, AccountID: accountID})
		if err != nil {
			return err
		}
		s = shareOf(r.Share, r.ProgramName, r.Kind)
		if err := change(s); err != nil {
			return err
		}
		if r.Trashed && !s.Paused {
			return fault.New(fault.NotReady, "What this shares is in the Trash. Restore it first, then resume the share. Nothing has changed.")
		}
		s.UpdatedAt = stamp(s.UpdatedAt)
		return q.UpdateShare(ctx, dbsqlc.UpdateShareParams{
			ID: s.ID, Name: storable(s.Name), Panels: panelsOf(s), ShowScript: s.ShowScript, ShowAmounts: s.ShowAmounts,
			Paused: s.Paused, ExpiresAt: s.ExpiresAt, Now: s.UpdatedAt,
		})
	})
	return s, wrap(err, "change share %s", shareID)
}

// DeleteShare removes an account's share.
func (db *DB) DeleteShare(ctx context.Context, accountID, shareID string) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, accountID, shareID)
		n, err := q.DeleteShare(ctx, dbsqlc.DeleteShareParams{ID: shareID, AccountID: accountID})
		if err == nil && n == 0 {
			return fault.Missing("share", shareID)
		}
		return err
	})
	return wrap(err, "delete share %s", shareID)
}

// OpenShare reads a share by the hash of its token, if it may be viewed now.
func (db *DB) OpenShare(ctx context.Context, hash []byte, now time.Time) (*shares.Share, error) {
	r, err := db.queries.OpenShare(ctx, dbsqlc.OpenShareParams{Hash: hash, Now: now})
	if absent(err) {
		return nil, fault.Missing("share", "")
	}
	if err != nil {
		return nil, wrap(err, "open a share")
	}
	return shareOf(r.Share, r.ProgramName, r.Kind), nil
}

// CountViews adds views by share id.
func (db *DB) CountViews(ctx context.Context, views map[string]int64, now time.Time) error {
	ids := slices.Sorted(maps.Keys(views))
	counts := make([]int64, len(ids))
	for i, shareID := range ids {
		counts[i] = views[shareID]
	}
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		return q.CountViews(ctx, dbsqlc.CountViewsParams{Ids: ids, Views: counts, Now: stamp(now)})
	})
	return wrap(err, "count views of %d shares", len(ids))
}

// panelsOf is never null.
func panelsOf(s *shares.Share) []string { return append([]string{}, s.Panels...) }

func shareOf(r dbsqlc.Share, programName, kind string) *shares.Share {
	s := &shares.Share{
		ID: r.ID, AccountID: r.AccountID, ProgramID: r.ProgramID, ProgramName: programName, Kind: kind, Name: r.Name, Panels: r.Panels,
		ShowScript: r.ShowScript, ShowAmounts: r.ShowAmounts, Paused: r.Paused, ExpiresAt: utc(r.ExpiresAt), Views: r.Views, LastViewed: utc(r.LastViewedAt),
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	if r.RunID != nil {
		s.RunID = *r.RunID
	}
	return s
}
