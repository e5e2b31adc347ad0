package postgres

import (
	"context"

	"ballast/program"
	"ballast/storage/postgres/internal/dbsqlc"
)

// Trials counts what was tried on a run's model until the run was made.
func (db *DB) Trials(ctx context.Context, r *program.Run) (int, error) {
	n, err := db.queries.CountTrials(ctx, dbsqlc.CountTrialsParams{ProgramID: r.ProgramID, Until: stamp(r.CreatedAt)})
	return int(n), wrap(err, "count the trials before run %s", r.ID)
}
