package postgres

import (
	"context"

	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// CheckLives holds models, builds, runs and revisions to what is true of them at
// whatever moment one looks: each serves a complete run of its own build and
// current revision, holds what that run was computed on, and is in the state that
// the work in flight says; what waits will be woken, and what is in the Trash
// rests. It returns what is otherwise, none in a sound database.
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
