package postgres

import (
	"context"
	"math"
)

// Trials returns the statistic of each trial of a model.
func (db *DB) Trials(ctx context.Context, modelID string) ([]float64, error) {
	rows, err := db.queries.TrialSharpes(ctx, modelID)
	if err != nil {
		return nil, wrap(err, "read the trials of model %s", modelID)
	}
	ratios := make([]float64, len(rows))
	for i, sharpe := range rows {
		if ratios[i] = math.NaN(); sharpe != nil {
			ratios[i] = *sharpe
		}
	}
	return ratios, nil
}

// numberOrNull returns null for NaN and infinities.
func numberOrNull(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
