package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"ballast/notify/mail"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program/jobs"
)

// notify queues a mail about the run that a model now serves, if mails are enabled and
// the owner wants them.
func (db *DB) notify(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, accountID, modelID, formerRunID, runID string) error {
	if !db.mails {
		return nil
	}
	written, err := q.AddNotice(ctx, dbsqlc.AddNoticeParams{ModelID: modelID, RunID: runID, FormerRunID: formerRunID, Now: stamp(db.now())})
	if err != nil || len(written) == 0 {
		return err
	}
	_, err = db.queue.InsertManyTx(ctx, tx, []river.InsertManyParams{{Args: jobs.MailArgs{RunID: runID, AccountID: accountID}}})
	return err
}

// Notice reads a pending mail.
func (db *DB) Notice(ctx context.Context, runID string) (*mail.Notice, error) {
	r, err := db.queries.Notice(ctx, runID)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap(err, "read the notice of run %s", runID)
	}
	return &mail.Notice{
		RunID: r.Letter.RunID, FormerRunID: r.Letter.FormerRunID, AccountID: r.Letter.AccountID, To: r.Email,
		ModelName: r.Name, ModelSymbol: r.Symbol, Slug: r.Slug, Wanted: r.Wanted, Attempts: int(r.Letter.Attempts), CreatedAt: r.Letter.CreatedAt.UTC(),
	}, nil
}

// EndNotice records how the delivery of a mail ended.
func (db *DB) EndNotice(ctx context.Context, runID string, how mail.Ending, why string, at time.Time) error {
	now := stamp(at)
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		if how == mail.Sent {
			if err := q.Notified(ctx, dbsqlc.NotifiedParams{RunID: runID, Now: now}); err != nil {
				return err
			}
		}
		return q.EndNotice(ctx, dbsqlc.EndNoticeParams{RunID: runID, Status: string(how), LastError: storable(why), Now: &now})
	})
	return wrap(err, "end the notice of run %s", runID)
}

// RetryNotice records a failed attempt.
func (db *DB) RetryNotice(ctx context.Context, runID, why string) error {
	return wrap(db.queries.RetryNotice(ctx, dbsqlc.RetryNoticeParams{RunID: runID, LastError: storable(why)}), "note the failed notice of run %s", runID)
}
