package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/query/segments"
	"ballast/script/sandbox"
)

var (
	_ segments.Runs    = (*DB)(nil)
	_ segments.Catalog = (*DB)(nil)
	_ segments.Names   = (*DB)(nil)
)

// AccountsWithResults returns the accounts that have live runs or segments.
func (db *DB) AccountsWithResults(ctx context.Context) ([]string, error) {
	ids, err := db.queries.AccountsWithResults(ctx)
	return ids, wrap(err, "list accounts with results")
}

// RunsToGather returns the runs of an account that belong into segments.
func (db *DB) RunsToGather(ctx context.Context, accountID string) ([]segments.Run, error) {
	rows, err := db.queries.RunsToGather(ctx, accountID)
	if err != nil {
		return nil, wrap(err, "list the runs to gather of account %s", accountID)
	}
	runs := make([]segments.Run, len(rows))
	for i, r := range rows {
		tables, err := decode[program.Tables](r.Tables)
		if err != nil {
			return nil, wrap(err, "read the tables of run %s", r.ID)
		}
		runs[i] = segments.Run{ID: r.ID, ModelID: r.ProgramID, Daily: (*tables)[sandbox.DailyTable].Key, Ledger: (*tables)[sandbox.LedgerTable].Key}
	}
	return runs, nil
}

// Segments returns the current segments of an account, with their generation.
func (db *DB) Segments(ctx context.Context, accountID string) (current []segments.Segment, generation int64, err error) {
	// One snapshot for both queries: a commit in between would belong to another
	// generation.
	moment := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, db.pool, moment, func(tx pgx.Tx) error {
		q := db.queries.WithTx(tx)
		if generation, err = q.SegmentGeneration(ctx, accountID); err != nil {
			return err
		}
		rows, err := q.Segments(ctx, accountID)
		if err != nil {
			return err
		}
		current = make([]segments.Segment, len(rows))
		for i, r := range rows {
			tables, err := decode[program.Tables](r.Tables)
			if err != nil {
				return err
			}
			current[i] = segments.Segment{ID: r.ID, Tables: *tables, RunIDs: r.RunIds, Purged: r.Purged}
		}
		return nil
	})
	return current, generation, wrap(err, "read the segments of account %s", accountID)
}

// CommitSegments changes an account's segments at once.
func (db *DB) CommitSegments(ctx context.Context, accountID string, base int64, added *segments.Segment, runs []segments.Run, dropped []string) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		changed, err := q.NextSegmentGeneration(ctx, dbsqlc.NextSegmentGenerationParams{AccountID: accountID, Next: base + 1})
		if err != nil {
			return err
		}
		if changed == 0 {
			return segments.ErrConflict
		}
		if err := q.DropSegments(ctx, dbsqlc.DropSegmentsParams{Ids: listOrEmpty(dropped), Now: stamp(db.now())}); err != nil {
			return err
		}
		if added == nil {
			return nil
		}
		tables, err := encode(&added.Tables)
		if err != nil {
			return err
		}
		if err := q.AddSegment(ctx, dbsqlc.AddSegmentParams{ID: added.ID, AccountID: accountID, Tables: tables, Now: stamp(db.now())}); err != nil {
			return err
		}
		p := dbsqlc.AddSegmentRunsParams{SegmentID: added.ID}
		for _, r := range runs {
			p.RunIds, p.ProgramIds = append(p.RunIds, r.ID), append(p.ProgramIds, r.ModelID)
		}
		return q.AddSegmentRuns(ctx, p)
	})
	return wrap(err, "change the segments of account %s", accountID)
}

// ForgetSegments forgets the segments that were dropped before a time.
func (db *DB) ForgetSegments(ctx context.Context, before time.Time) error {
	return wrap(db.queries.ForgetSegments(ctx, stamp(before)), "forget dropped segments")
}

// SegmentObjects returns the keys of the objects that segments name.
func (db *DB) SegmentObjects(ctx context.Context) ([]string, error) {
	keys, err := db.queries.SegmentObjects(ctx)
	return keys, wrap(err, "list the objects of segments")
}
