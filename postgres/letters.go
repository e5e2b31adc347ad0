package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"ballast/letter"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program/jobs"
)

// write queues a letter about the run that a model has come to serve, where
// letters are sent at all and its owner wants them.
func (db *DB) write(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, accountID, modelID, formerRunID, runID string) error {
	if !db.letters {
		return nil
	}
	written, err := q.WriteLetter(ctx, dbsqlc.WriteLetterParams{ModelID: modelID, RunID: runID, FormerRunID: formerRunID, Now: stamp(db.now())})
	if err != nil || len(written) == 0 {
		return err
	}
	_, err = db.queue.InsertManyTx(ctx, tx, []river.InsertManyParams{{Args: jobs.LetterArgs{RunID: runID, AccountID: accountID}}})
	return err
}

// Letter reads a pending mail.
func (db *DB) Letter(ctx context.Context, runID string) (*letter.Letter, error) {
	r, err := db.queries.Letter(ctx, runID)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap(err, "read the letter about run %s", runID)
	}
	return &letter.Letter{
		RunID: r.Letter.RunID, FormerRunID: r.Letter.FormerRunID, AccountID: r.Letter.AccountID, To: r.Email,
		ModelName: r.Name, ModelSymbol: r.Symbol, Slug: r.Slug, Wanted: r.Wanted, Attempts: int(r.Letter.Attempts), CreatedAt: r.Letter.CreatedAt.UTC(),
	}, nil
}

// EndLetter records how the delivery of a mail ended.
func (db *DB) EndLetter(ctx context.Context, runID string, how letter.Ending, why string, at time.Time) error {
	now := stamp(at)
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		if how == letter.Sent {
			if err := q.Notified(ctx, dbsqlc.NotifiedParams{RunID: runID, Now: now}); err != nil {
				return err
			}
		}
		return q.EndLetter(ctx, dbsqlc.EndLetterParams{RunID: runID, Status: string(how), LastError: storable(why), Now: &now})
	})
	return wrap(err, "end the letter about run %s", runID)
}

// RetryLetter records a failed attempt.
func (db *DB) RetryLetter(ctx context.Context, runID, why string) error {
	return wrap(db.queries.RetryLetter(ctx, dbsqlc.RetryLetterParams{RunID: runID, LastError: storable(why)}), "note a failed letter about run %s", runID)
}
