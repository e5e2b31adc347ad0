package postgres

import (
	"context"

	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// CheckLives checks the invariants of models, builds, runs and revisions that hold at
// any moment: a model serves a complete run of its current build and revision, its
// members are those that the run was computed on, and its state agrees with the work
// in progress; a waiting model will be woken, and a model in the Trash has no work. It
// returns the violations; a sound database gives none.
func (db *DB) CheckLives(ctx context.Context) ([]program.Finding, error) {
	findings := []program.Finding{}
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		rows, err := q.LifeFaults(ctx)
		for _, r := range rows {
			findings = append(findings, program.Finding{ID: r.ID, Message: r.Message})
		}
		return err
	})
	return findings, wrap(err, "check the lives of models")
}
