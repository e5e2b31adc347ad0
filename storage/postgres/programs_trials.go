package postgres

import (
	"context"
	"math"

	"ballast/program"
	"ballast/storage/postgres/internal/dbsqlc"
)

// Trials reads what was tried on a run's model when the run ended.
func (db *DB) Trials(ctx context.Context, r *program.Run) ([]float64, error) {
	until := r.CreatedAt
	if r.FinishedAt != nil {
		until = *r.FinishedAt
	}
	rows, err := db.queries.TrialSharpes(ctx, dbsqlc.TrialSharpesParams{ProgramID: r.ProgramID, Until: stamp(until)})
	if err != nil {
		return nil, wrap(err, "read the trials before run %s", r.ID)
	}
	ratios := make([]float64, len(rows))
	for i, sharpe := range rows {
		if ratios[i] = math.NaN(); sharpe != nil {
			ratios[i] = *sharpe
		}
	}
	return ratios, nil
}

// numberOrNull is null for what is not a number.
func numberOrNull(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
