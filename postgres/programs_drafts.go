package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"ballast/billing"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// Draft reads the saved edits of a model's draft, and what the model serves.
func (db *DB) Draft(ctx context.Context, modelID string) (*program.SavedDraft, *program.Strategy, error) {
	var saved *program.SavedDraft
	var strategy *program.Strategy
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		saved, strategy, err = draftOf(ctx, q, modelID)
		return err
	})
	return saved, strategy, wrap(err, "read the draft of model %s", modelID)
}

func draftOf(ctx context.Context, q *dbsqlc.Queries, modelID string) (*program.SavedDraft, *program.Strategy, error) {
	s, err := q.Strategy(ctx, modelID)
	if absent(err) {
		if _, err := q.Program(ctx, modelID); absent(err) {
			return nil, nil, fault.Missing("model", modelID)
		}
		return nil, nil, fault.New(fault.NotReady, "The model has no result yet, so there is nothing to edit. Wait for its build, or rebuild it.")
	}
	if err != nil {
		return nil, nil, err
	}
	strategy := &program.Strategy{Hash: s.ScriptHash, Script: s.Script, Prompt: s.Prompt}
	d, err := q.Draft(ctx, modelID)
	if absent(err) {
		return nil, strategy, nil
	}
	return &program.SavedDraft{
		ModelID: d.ModelID, Version: int(d.Version), BaseHash: d.BaseHash, Script: d.Script, Prompt: d.Prompt, UpdatedAt: d.UpdatedAt.UTC(),
	}, strategy, err
}

// SaveDraft changes a draft, one caller at a time.
func (db *DB) SaveDraft(ctx context.Context, e program.DraftEdit) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		m, err := lockProgram(ctx, q, e.ModelID)
		if absent(err) {
			return fault.Missing("model", e.ModelID)
		}
		if err != nil {
			return err
		}
		saved, strategy, err := draftOf(ctx, q, e.ModelID)
		if err != nil {
			return err
		}
		next, err := e.Apply(saved, strategy, stamp(db.now()))
		if err != nil {
			return err
		}
		kinds := []billing.Quota{billing.Drafts}
		adding := rowBytes + len(orEmpty(next.Script)) + len(orEmpty(next.Prompt))
		if saved != nil { // a draft that exists already is not counted again
			kinds, adding = nil, adding-rowBytes-len(orEmpty(saved.Script))-len(orEmpty(saved.Prompt))
		}
		if err := db.checkQuotas(ctx, q, m.AccountID, adding, kinds...); err != nil {
			return err
		}
		return q.SaveDraft(ctx, dbsqlc.SaveDraftParams{
			ModelID: next.ModelID, AccountID: m.AccountID, Version: int32(next.Version), BaseHash: next.BaseHash,
			Script: next.Script, Prompt: next.Prompt, UpdatedAt: next.UpdatedAt,
		})
	})
	return wrap(err, "save the draft of model %s", e.ModelID)
}
