package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/account"
	"ballast/audit"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// SetPlan moves an open account to a plan. It returns fault.NotFound if there is no
// such account.
func (db *DB) SetPlan(ctx context.Context, id string, plan account.Plan) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		before, err := q.PlanOf(ctx, id)
		if absent(err) {
			return fault.Missing("account", id)
		}
		if err != nil {
			return err
		}
		audit.Concern(ctx, id, id)
		audit.Change(ctx, "plan", before, string(plan))
		_, err = q.SetPlan(ctx, dbsqlc.SetPlanParams{ID: id, Plan: string(plan)})
		return err
	})
	return wrap(err, "set the plan of %s", id)
}

// SetRole changes the role of an open account. It returns fault.NotFound if there is no
// such account.
func (db *DB) SetRole(ctx context.Context, id string, role account.Role) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		before, err := q.RoleOf(ctx, id)
		if absent(err) {
			return fault.Missing("account", id)
		}
		if err != nil {
			return err
		}
		audit.Concern(ctx, id, id)
		audit.Change(ctx, "role", before, string(role))
		return q.SetRole(ctx, dbsqlc.SetRoleParams{ID: id, Role: string(role)})
	})
	return wrap(err, "set the role of %s", id)
}

// CloseAccount closes an account: its keys are revoked, its work is cancelled, the
// holds for that work are released, and its models move to the Trash until purgeAt.
// Its billing history stays. Closing an account again changes nothing. It returns
// fault.NotFound if there is no such account. A run that a worker is executing ends
// here too: the worker notices when it is done, and its result is deleted as unused.
func (db *DB) CloseAccount(ctx context.Context, id string, purgeAt time.Time) error {
	failure, err := encode(&program.Failure{Type: program.FailureInternal, Message: "The account was closed before the run finished."})
	if err != nil {
		return err
	}
	err = db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, id, id)
		now := stamp(db.now())
		if err := q.DeleteSessionsOf(ctx, id); err != nil {
			return err
		}
		if err := q.LockModelsOf(ctx, id); err != nil {
			return err
		}
		ended, err := q.FailRunsOf(ctx, dbsqlc.FailRunsOfParams{AccountID: id, Failure: failure, Now: &now})
		if err != nil {
			return err
		}
		if err := q.FailBuildsOf(ctx, dbsqlc.FailBuildsOfParams{AccountID: id, Failure: failure, Now: &now}); err != nil {
			return err
		}
		if err := q.TrashModelsOf(ctx, dbsqlc.TrashModelsOfParams{AccountID: id, Now: now, PurgeAt: stamp(purgeAt)}); err != nil {
			return err
		}
		if err := q.UnshareRunsOf(ctx, id); err != nil {
			return err
		}
		if err := q.PauseSharesOfAccount(ctx, id); err != nil {
			return err
		}
		if err := q.RevokeKeys(ctx, dbsqlc.RevokeKeysParams{AccountID: id, Now: now}); err != nil {
			return err
		}
		n, err := q.CloseAccount(ctx, dbsqlc.CloseAccountParams{ID: id, Now: now})
		if err != nil {
			return err
		}
		if n == 0 {
			return fault.Missing("account", id)
		}
		if err := q.ReleaseRuns(ctx, dbsqlc.ReleaseRunsParams{Ids: ended, Now: now}); err != nil {
			return err
		}
		if _, err := q.ReleaseReports(ctx, dbsqlc.ReleaseReportsParams{AccountID: &id, Now: now}); err != nil {
			return err
		}
		for _, runID := range ended {
			if err := q.NotifyRunEnded(ctx, runID); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap(err, "close account %s", id)
}
