package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/billing"
	"ballast/internal/id"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// BeginReport implements program.Reports. A report counts as a manual run.
func (db *DB) BeginReport(ctx context.Context, r *program.Report, dailyLimit int) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		if err := db.admit(ctx, q, r.AccountID, dailyLimit); err != nil {
			return err
		}
		if err := q.InsertReport(ctx, dbsqlc.InsertReportParams{
			ID: r.ID, AccountID: r.AccountID, RunID: r.Run.ID, ProgramID: r.Run.ProgramID, BuildID: r.Run.BuildID,
			Activity: storable("Timing report of " + r.Run.ProgramName), BeganAt: stamp(db.now()),
		}); err != nil {
			return err
		}
		if !db.policy.Metered {
			return nil
		}
		w := work{accountID: r.AccountID, runID: r.ID, source: program.SourceManual, seconds: int32(r.Seconds)}
		if err := db.hold(ctx, q, w); err != nil {
			return err
		}
		return q.HoldReport(ctx, dbsqlc.HoldReportParams{ID: r.ID, Cents: db.projection(w)})
	})
	return wrap(err, "begin the timing report of run %s", r.Run.ID)
}

// EndReport implements program.Reports.
func (db *DB) EndReport(ctx context.Context, reportID string, usage program.Usage) error {
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if usage.Units == 0 {
			return releaseReports(ctx, q, dbsqlc.ReleaseReportsParams{ID: &reportID, Now: stamp(db.now())})
		}
		ended, err := q.EndReport(ctx, reportID)
		if absent(err) {
			return nil // its account was closed, or a sweep has released it
		}
		if err != nil {
			return err
		}
		r := &ended.TimingReport
		s := db.policy.Prices.Settle(billing.Done, usage.Units, r.HoldCents)
		return db.postEnd(ctx, tx, q, s, ended.Listened, dbsqlc.SettleRunParams{
			AccountID: r.AccountID, WorkID: r.ID, RunID: r.RunID, ProgramID: r.ProgramID, BuildID: r.BuildID,
			Kind: string(billing.KindRun), Activity: r.Activity, ChargeID: id.New(id.Charge),
			Units: int32(usage.Units), Base: int32(usage.Base), Seconds: int32(usage.Seconds),
		})
	})
	return wrap(err, "end timing report %s", reportID)
}

// StaleReports is a sweeper that releases the holds of reports that began longer ago than
// any report takes: a crash has interrupted them.
type StaleReports struct {
	DB  *DB
	Age time.Duration
}

// Sweep ends the reports.
func (s StaleReports) Sweep(ctx context.Context) error {
	before := stamp(s.DB.now().Add(-s.Age))
	err := s.DB.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		return releaseReports(ctx, q, dbsqlc.ReleaseReportsParams{BeganBefore: &before, Now: stamp(s.DB.now())})
	})
	return wrap(err, "end the timing reports of dead processes")
}

// releaseReports ends reports for which nothing is charged.
func releaseReports(ctx context.Context, q *dbsqlc.Queries, p dbsqlc.ReleaseReportsParams) error {
	ended, err := q.ReleaseReports(ctx, p)
	if err != nil {
		return err
	}
	for _, r := range ended {
		if err := returnToKeys(ctx, q, r.AccountID, r.ReportID); err != nil {
			return err
		}
	}
	return nil
}
