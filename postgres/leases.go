package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"ballast/postgres/internal/dbsqlc"
	"ballast/program/jobs"
)

// Renew extends the worker's lease, by the database's clock.
func (db *DB) Renew(ctx context.Context, worker string, slots jobs.Slots) error {
	err := db.queries.RenewWorker(ctx, dbsqlc.RenewWorkerParams{
		ID: worker, RunSlots: int32(min(slots.Runs, mostSlots)), GenerationSlots: int32(min(slots.Generations, mostSlots)),
	})
	return wrap(err, "renew lease of %s", worker)
}

// mostSlots is more than a process can have.
const mostSlots = 1 << 16

// rescue makes jobs available whose last worker has no lease. The table belongs to
// River; the last entry of attempted_by is the worker of the last attempt.
const rescue = `update river_job j set state = 'available', scheduled_at = now()
where j.state = 'running' and not exists (
	select from workers w where w.id = j.attempted_by[array_upper(j.attempted_by, 1)])`

// Rescue makes the running jobs of workers without a fresh lease available again.
func (db *DB) Rescue(ctx context.Context, olderThan time.Duration) (int, error) {
	var rescued int64
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if err := q.DeleteDeadWorkers(ctx, olderThan.Seconds()); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, rescue)
		rescued = tag.RowsAffected()
		return err
	})
	return int(rescued), wrap(err, "rescue jobs of dead workers")
}
