package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/account"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/operate/doctor"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// checkQuotas checks what a transaction is about to add, a number of bytes and one more of
// each of kinds, against the account's quotas. Call it after models and runs are
// locked and before the first row is written, since rows that are rolled back take
// space too until the database is vacuumed. The row that it locks makes concurrent
// checks of the account wait.
func (db *DB) checkQuotas(ctx context.Context, q *dbsqlc.Queries, accountID string, adding int, kinds ...billing.Quota) error {
	if db.policy.Unbounded() || adding <= 0 && len(kinds) == 0 {
		return nil
	}
	name, err := q.PlanNow(ctx, accountID)
	if err != nil {
		return err
	}
	plan := account.Plan(name)
	quotas := db.policy.Terms(plan).Quotas
	stored, err := db.lockStored(ctx, q, accountID)
	if err != nil {
		return err
	}
	if most := quotas.Limit(billing.StoredBytes); most > 0 && adding > 0 {
		if stored, err = db.settleStored(ctx, q, accountID, stored); err != nil {
			return err
		}
		if stored+int64(adding) > most {
			return db.policy.Over(plan, billing.StoredBytes, stored, db.now())
		}
	}
	for _, kind := range kinds {
		most := quotas.Limit(kind)
		if most == 0 {
			continue
		}
		var n int64
		if kind == billing.BuildsADay {
			n, err = db.use(ctx, q, accountID, string(kind), day(db.now()))
			n--
		} else {
			n, err = q.CountOfKind(ctx, dbsqlc.CountOfKindParams{AccountID: accountID, Kind: string(kind)})
		}
		if err != nil {
			return err
		}
		if n >= most {
			return db.policy.Over(plan, kind, n, db.now())
		}
	}
	return nil
}

// lockStored locks the row that counts an account's stored bytes, and creates it if
// necessary.
func (db *DB) lockStored(ctx context.Context, q *dbsqlc.Queries, accountID string) (int64, error) {
	bytes, err := q.LockStored(ctx, accountID)
	if !absent(err) {
		return bytes, err
	}
	if err := q.BeginStored(ctx, accountID); err != nil {
		return 0, err
	}
	return q.LockStored(ctx, accountID)
}

// mostChanges is how many changes may accumulate before they are added to the row.
const mostChanges = 100

// settleStored returns the bytes that an account stores: the row plus its changes.
func (db *DB) settleStored(ctx context.Context, q *dbsqlc.Queries, accountID string, row int64) (int64, error) {
	changes, err := q.StoredChanges(ctx, accountID)
	if err == nil && changes.Changes > mostChanges {
		err = q.FoldStored(ctx, accountID)
	}
	return row + changes.Bytes, err
}

// rowBytes is the approximate size of a row without its texts.
const rowBytes = 1024

// buildBytes estimates the bytes that a build and its run add.
func buildBytes(b *program.Build) int {
	return 4*rowBytes + len(b.Script) + len(b.Prompt) + len(b.InputsSchema) + len(b.Validation)
}

// changed counts a caller's change towards the day's quota. It must be the last
// statement of its transaction.
func (db *DB) changed(ctx context.Context, q *dbsqlc.Queries, accountID string) error {
	if db.policy.Unbounded() {
		return nil
	}
	n, err := db.use(ctx, q, accountID, string(billing.ChangesADay), day(db.now()))
	if err != nil {
		return err
	}
	plan, err := q.PlanNow(ctx, accountID)
	if err != nil {
		return err
	}
	if most := db.policy.Terms(account.Plan(plan)).Limit(billing.ChangesADay); most > 0 && n > most {
		return db.policy.Over(account.Plan(plan), billing.ChangesADay, most, db.now())
	}
	return nil
}

func (db *DB) use(ctx context.Context, q *dbsqlc.Queries, accountID, kind string, starts time.Time) (int64, error) {
	n, err := q.CountUse(ctx, dbsqlc.CountUseParams{AccountID: accountID, Kind: kind, Starts: starts})
	return int64(n), err
}

// send counts a delivery that a caller has requested; a limited number is accepted per
// minute.
func (db *DB) send(ctx context.Context, q *dbsqlc.Queries, accountID string, most int) error {
	now := db.now().UTC()
	minute := now.Truncate(time.Minute)
	n, err := db.use(ctx, q, accountID, "deliveries_a_minute", minute)
	if err != nil {
		return err
	}
	if n > int64(most) {
		return fault.New(fault.RateLimited, "The account has requested %d test events and repeated deliveries within a minute, the most that it may. Wait for the seconds in Retry-After.", most).
			After(minute.Add(time.Minute).Sub(now))
	}
	return nil
}

func day(now time.Time) time.Time { return now.UTC().Truncate(24 * time.Hour) }

// Quotas returns how much of each quota an account has used.
func (db *DB) Quotas(ctx context.Context, accountID string) ([]billing.Use, error) {
	var uses []billing.Use
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		plan, err := q.PlanNow(ctx, accountID)
		if absent(err) {
			return fault.Missing("account", accountID)
		}
		if err != nil {
			return err
		}
		kept, err := q.CountKept(ctx, accountID)
		if err != nil {
			return err
		}
		used := map[billing.Quota]int64{
			billing.Models: kept.Models, billing.Drafts: kept.Drafts, billing.Keys: kept.Keys, billing.Webhooks: kept.Webhooks,
			billing.Backfills: kept.Backfills, billing.StoredBytes: kept.StoredBytes,
		}
		today, err := q.Uses(ctx, dbsqlc.UsesParams{AccountID: accountID, Starts: day(db.now())})
		if err != nil {
			return err
		}
		for _, u := range today {
			used[billing.Quota(u.Kind)] = int64(u.Used)
		}
		quotas := db.policy.Terms(account.Plan(plan)).Quotas
		uses = uses[:0]
		for _, quota := range billing.AllQuotas {
			uses = append(uses, billing.Use{Quota: quota, Used: used[quota], Limit: quotas.Limit(quota)})
		}
		return nil
	})
	return uses, wrap(err, "read the quotas of %s", accountID)
}

// examineStored compares each account's recorded storage with its rows.
func (db *DB) examineStored(ctx context.Context) ([]doctor.Finding, error) {
	rows, err := db.queries.StoredFaults(ctx)
	if err != nil {
		return nil, wrap(err, "compare the storage of accounts with their rows")
	}
	findings := make([]doctor.Finding, len(rows))
	for i, r := range rows {
		findings[i] = doctor.Finding{
			Subject: r.AccountID, Message: fmt.Sprintf("has a recorded storage of %d bytes, but its rows add up to %d", r.Counted, r.Kept),
			Advice: "--fix counts them again",
		}
	}
	return findings, nil
}

// RecountStored recounts the storage of every account from its rows.
func (db *DB) RecountStored(ctx context.Context) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		for _, step := range []func(context.Context) error{q.LockStoredTables, q.DropStored, q.DropStoredChanges, q.CountStored} {
			if err := step(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap(err, "recount the storage of accounts")
}
