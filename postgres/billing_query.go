package postgres

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"ballast/billing"
	"ballast/internal/id"
	"ballast/postgres/internal/dbsqlc"
	"ballast/query"
)

var _ query.Meter = (*DB)(nil)

// AdmitQuery implements query.Meter.
func (db *DB) AdmitQuery(ctx context.Context, accountID string) error {
	if !db.policy.Metered {
		return nil
	}
	s, err := db.Statement(ctx, accountID)
	if err != nil {
		return err
	}
	if least := db.policy.Prices.Cents(1); s.RemainingCents < least {
		return insufficient(dbsqlc.Balance{Spendable: s.RemainingCents, Held: s.HeldCents}, least)
	}
	by, capped := billing.SpenderOf(ctx)
	if !capped {
		return nil
	}
	spent, err := db.queries.KeySpending(ctx, dbsqlc.KeySpendingParams{KeyID: by.KeyID, Day: spendingDay(db.now())})
	if least := db.policy.Prices.Cents(1); err == nil && spent+least > by.CapCents {
		return beyondCap(by, spent, least)
	}
	return wrap(err, "read what key %s has spent", by.KeyID)
}

// ChargeQuery implements query.Meter. Nothing is held for a statement, so there is
// nothing that a crash could leave behind: a statement that dies with the service costs
// nothing.
func (db *DB) ChargeQuery(ctx context.Context, accountID string, seconds int) error {
	if !db.policy.Metered || seconds == 0 {
		return nil
	}
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		params := dbsqlc.ChargeQueryParams{
			AccountID: accountID, Cents: db.policy.Prices.Cents(seconds), Seconds: int32(seconds), //nolint:gosec // the time limit bounds it
			ChargeID: id.New(id.Charge), CapRule: billing.CapRemaining, Most: math.MaxInt64, Now: stamp(db.now()),
		}
		by, capped := billing.SpenderOf(ctx)
		day := spendingDay(db.now())
		if capped {
			b, err := q.LockBalance(ctx, accountID)
			if absent(err) {
				return nil // the account was purged
			}
			if err != nil {
				return err
			}
			if params.Most, err = keyMost(ctx, q, by, day); err != nil {
				return err
			}
			if params.Most < min(params.Cents, b.Spendable) {
				params.CapRule = billing.CapKey
			}
		}
		left, err := q.ChargeQuery(ctx, params)
		if absent(err) {
			return nil // the account was purged
		}
		if err != nil {
			return err
		}
		if capped {
			if err := q.AddKeySpending(ctx, dbsqlc.AddKeySpendingParams{KeyID: by.KeyID, Day: day, Cents: left.Charged}); err != nil {
				return err
			}
		}
		if total := left.Spendable + left.Held; total < db.policy.Prices.LowCents && total+left.Charged >= db.policy.Prices.LowCents {
			return db.low(ctx, tx, q, accountID, total, left.Listened)
		}
		return nil
	})
	return wrap(err, "charge an SQL statement of account %s", accountID)
}
