package postgres

import (
	"context"

	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// StudiesOf returns up to most simulations and analyses of an account that have read a
// model, the latest result first.
func (db *DB) StudiesOf(ctx context.Context, accountID, modelID string, most int) ([]program.Study, error) {
	rows, err := db.queries.Readers(ctx, dbsqlc.ReadersParams{MemberID: modelID, AccountID: accountID, Most: int32(most)}) //nolint:gosec // a page's limit
	if err != nil {
		return nil, wrap(err, "read the studies of model %s", modelID)
	}
	studies := make([]program.Study, len(rows))
	for i, r := range rows {
		studies[i] = program.Study{ID: r.ID, Kind: r.Kind, Name: r.Name, RunID: r.RunID, Shared: r.Shared}
	}
	return studies, nil
}
