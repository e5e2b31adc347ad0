package postgres

import (
	"context"
	"math"

	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
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

// trialsOf returns the trials of a run's sweeps as columns.
func trialsOf(p *program.Publication) dbsqlc.RecordTrialsParams {
	rows := dbsqlc.RecordTrialsParams{EndedAt: stamp(p.FinishedAt)}
	for _, t := range p.Trials {
		sharpe := t.Sharpe
		if math.IsInf(sharpe, 0) {
			sharpe = math.NaN()
		}
		rows.ProgramIds, rows.Strategies, rows.ScriptHashes = append(rows.ProgramIds, t.ProgramID), append(rows.Strategies, t.Strategy), append(rows.ScriptHashes, t.ScriptHash)
		rows.Inputs, rows.Sharpes = append(rows.Inputs, t.Inputs), append(rows.Sharpes, sharpe)
	}
	return rows
}

// numberOrNull returns null for NaN and infinities.
func numberOrNull(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
