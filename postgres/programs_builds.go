package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// Rebuild adds a build and its run to a model and queues the run.
func (db *DB) Rebuild(ctx context.Context, b *program.Build, r *program.Run, symbol string) (*program.Sheet, error) {
	build, err := buildRow(b)
	if err != nil {
		return nil, err
	}
	var rebuilt *program.Sheet
	err = db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, b.AccountID, b.ProgramID, r.ID)
		m, err := lockProgram(ctx, q, b.ProgramID)
		if absent(err) || (err == nil && m.AccountID != b.AccountID) {
			return fault.Missing("model", b.ProgramID)
		}
		if err != nil {
			return err
		}
		building, err := q.HasBuildInFlight(ctx, m.ID)
		if err != nil {
			return err
		}
		if building {
			return fault.New(fault.RebuildConflict, "A build of the model is in progress. Wait until the model's run is null, then rebuild it.")
		}
		if err := symbolFree(ctx, q, m, symbol); err != nil {
			return err
		}
		w := work{accountID: r.AccountID, runID: r.ID, source: r.Source, seconds: m.RunSeconds}
		if err := db.admitBuild(ctx, q, w, b, 0); err != nil {
			return err
		}
		if err := q.InsertBuild(ctx, build); err != nil {
			return err
		}
		if err := insertRun(ctx, q, r); err != nil {
			return err
		}
		if err := q.BuildAgain(ctx, dbsqlc.BuildAgainParams{ID: m.ID, BuildID: b.ID, Now: stamp(db.now())}); err != nil {
			return err
		}
		if rebuilt, err = sheetOf(ctx, q, m.ID); err != nil {
			return err
		}
		if err := db.hold(ctx, q, w); err != nil {
			return err
		}
		return db.enqueueBuild(ctx, tx, b, r.ID)
	})
	if err != nil {
		return nil, wrap(err, "rebuild model %s", b.ProgramID)
	}
	return rebuilt, nil
}

// KeepEntries saves what the entries of a build's universe refer to.
func (db *DB) KeepEntries(ctx context.Context, buildID string, e program.Entries) error {
	entries, err := entriesRow(e)
	if err != nil {
		return err
	}
	return wrap(db.queries.KeepEntries(ctx, dbsqlc.KeepEntriesParams{ID: buildID, Entries: entries}), "save the universe of build %s", buildID)
}

// KeepScript saves the script that was generated for a build.
func (db *DB) KeepScript(ctx context.Context, g *program.GeneratedScript) error {
	usage, uerr := encode(&g.Usage)
	entries, eerr := entriesRow(g.Entries)
	if err := errors.Join(uerr, eerr); err != nil {
		return err
	}
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		modelID, err := q.KeepScript(ctx, dbsqlc.KeepScriptParams{
			ID: g.BuildID, Script: g.Script, ScriptHash: g.ScriptHash, InputsSchema: g.InputsSchema,
			Validation: g.Validation, Entries: entries, Generator: g.Generator, Usage: usage,
		})
		if absent(err) {
			return nil // the build already has its script, or has ended
		}
		if err != nil {
			return err
		}
		if err := q.SetRunScript(ctx, dbsqlc.SetRunScriptParams{BuildID: g.BuildID, Inputs: g.Inputs, ScriptHash: g.ScriptHash}); err != nil {
			return err
		}
		return q.NameBuilding(ctx, dbsqlc.NameBuildingParams{
			ID: modelID, BuildID: g.BuildID, Name: storable(g.Model.Name), Symbol: g.Model.Symbol,
			Description: storable(g.Model.Description), StartRule: g.Model.StartRule, Now: stamp(db.now()),
		})
	})
	if violates(err, symbolIndex) {
		return symbolTaken(g.Model.Symbol, err)
	}
	return wrap(err, "save the script of build %s", g.BuildID)
}
