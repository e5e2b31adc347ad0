package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"ballast/billing"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/timeseries"
)

// A key's spending on a day is one row. It is changed only by transactions that have
// locked the account's balance before, so it adds no order of locks.

// spendingDay is the day, in UTC, against whose cap work counts.
func spendingDay(now time.Time) pgtype.Date { return toDate(timeseries.FromTime(now.UTC())) }

// spend counts a hold against the cap of the key in whose name the work starts, if it has
// one. Call it in the transaction that has taken the hold.
func (db *DB) spend(ctx context.Context, q *dbsqlc.Queries, cents int64) error {
	s, capped := billing.SpenderOf(ctx)
	if !capped {
		return nil
	}
	day := spendingDay(db.now())
	n, err := q.SpendWithKey(ctx, dbsqlc.SpendWithKeyParams{KeyID: s.KeyID, Day: day, Cents: cents, CapCents: s.CapCents})
	if err != nil || n > 0 {
		return err
	}
	spent, err := q.KeySpending(ctx, dbsqlc.KeySpendingParams{KeyID: s.KeyID, Day: day})
	if err != nil {
		return err
	}
	return beyondCap(s, spent, cents)
}

// beyondCap describes the cap, what is left of it and what to do.
func beyondCap(s billing.Spender, spent, needed int64) error {
	return fault.New(fault.InsufficientFunds,
		"The key has a daily cap of %d cents, of which %d cents are spent or held today, and the work needs %d cents, so nothing was started. Wait until midnight UTC, or use a key with a higher cap.",
		s.CapCents, spent, needed).
		With(fault.Detail{Of: "key", Field: "daily_cap_cents", Message: "leaves less than the work needs"})
}

// returnToKeys takes what the ends of work have released off the days of the keys that
// started it. Call it in the transaction that has posted these ends.
func returnToKeys(ctx context.Context, q *dbsqlc.Queries, accountID string, workIDs ...string) error {
	holds := make([]string, len(workIDs))
	for i, id := range workIDs {
		holds[i] = "hold:" + id
	}
	return q.ReturnToKeys(ctx, dbsqlc.ReturnToKeysParams{AccountID: accountID, Holds: holds})
}

// keyMost is the most that a statement may cost under the cap of its key, and the key's
// spending of the day is locked until the transaction ends.
func keyMost(ctx context.Context, q *dbsqlc.Queries, s billing.Spender, day pgtype.Date) (int64, error) {
	spent, err := q.LockKeySpending(ctx, dbsqlc.LockKeySpendingParams{KeyID: s.KeyID, Day: day})
	return max(0, s.CapCents-spent), err
}
