package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/program/jobs"
)

// enqueueBuild adds the job of a build's run to the transaction. A build without a script
// waits for a language model in a separate queue, so that it does not occupy a worker for
// runs.
func (db *DB) enqueueBuild(ctx context.Context, tx pgx.Tx, b *program.Build, runID string) error {
	queue := jobs.RunQueue
	if b.Script == "" {
		queue = jobs.GenerationQueue
	}
	return db.enqueue(ctx, tx, queue, runID)
}

// Run reads a run by id.
func (db *DB) Run(ctx context.Context, runID string) (*program.Run, error) {
	r, err := runByID(ctx, db.queries, runID)
	return r, wrap(err, "read run %s", runID)
}

// runByID reads a run. In a transaction it sees what the transaction has written.
func runByID(ctx context.Context, q *dbsqlc.Queries, runID string) (*program.Run, error) {
	row, err := q.RunByID(ctx, dbsqlc.RunByIDParams{ID: runID})
	if absent(err) {
		return nil, fault.Missing("run", runID)
	}
	if err != nil {
		return nil, err
	}
	return joinedRunOf(dbsqlc.RunsByIDRow(row))
}

// RunsByID reads runs, by id.
func (db *DB) RunsByID(ctx context.Context, ids []string) (map[string]*program.Run, error) {
	runs, err := runsByID(ctx, db.queries, ids)
	return runs, wrap(err, "read runs")
}

func runsByID(ctx context.Context, q *dbsqlc.Queries, ids []string) (map[string]*program.Run, error) {
	rows, err := runRows(ctx, q, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*program.Run, len(rows))
	for _, row := range rows {
		if found[row.Run.ID], err = joinedRunOf(row); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// runRows reads runs, including those of models in the Trash.
func runRows(ctx context.Context, q *dbsqlc.Queries, ids []string) ([]dbsqlc.RunsByIDRow, error) {
	if len(ids) != 1 {
		return q.RunsByID(ctx, ids)
	}
	row, err := q.RunByID(ctx, dbsqlc.RunByIDParams{ID: ids[0], Trashed: true})
	if absent(err) {
		return nil, nil
	}
	return []dbsqlc.RunsByIDRow{dbsqlc.RunsByIDRow(row)}, err
}

// Runs lists a model's runs, the newest first.
func (db *DB) Runs(ctx context.Context, modelID string, f program.RunFilter) ([]*program.Run, int, error) {
	var out []*program.Run
	var total int64
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		if total, err = q.CountRuns(ctx, dbsqlc.CountRunsParams{ProgramID: modelID, UpdatesOnly: f.UpdatesOnly}); err != nil {
			return err
		}
		rows, err := q.Runs(ctx, dbsqlc.RunsParams{
			ProgramID: modelID, UpdatesOnly: f.UpdatesOnly, Most: int32(f.Limit), Skip: skip(f.Offset),
		})
		if err != nil {
			return err
		}
		out = make([]*program.Run, len(rows))
		for i, row := range rows {
			if out[i], err = joinedRunOf(dbsqlc.RunsByIDRow(row)); err != nil {
				return err
			}
		}
		return nil
	})
	return out, int(total), wrap(err, "list runs of %s", modelID)
}

// skip converts an offset to the server's type. No list is longer than that type's
// maximum.
func skip(offset int) int32 { return int32(min(offset, 1<<31-1)) }

// Build reads a build by id.
func (db *DB) Build(ctx context.Context, buildID string) (*program.Build, error) {
	row, err := db.queries.Build(ctx, buildID)
	if absent(err) {
		return nil, fault.Missing("build", buildID)
	}
	if err != nil {
		return nil, wrap(err, "read build %s", buildID)
	}
	b, err := buildOf(row)
	return b, wrap(err, "read build %s", buildID)
}

// Builds lists a model's builds, the newest first, without scripts.
func (db *DB) Builds(ctx context.Context, modelID string, limit, offset int) ([]*program.Build, int, error) {
	var out []*program.Build
	var total int64
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		if total, err = q.CountBuilds(ctx, modelID); err != nil {
			return err
		}
		rows, err := q.Builds(ctx, dbsqlc.BuildsParams{ProgramID: modelID, Most: int32(limit), Skip: skip(offset)})
		if err != nil {
			return err
		}
		out = make([]*program.Build, len(rows))
		for i, r := range rows {
			if out[i], err = buildOf(dbsqlc.Build{
				ID: r.ID, AccountID: r.AccountID, ProgramID: r.ProgramID, Kind: r.Kind, Status: r.Status,
				ScriptHash: r.ScriptHash, InputsSchema: r.InputsSchema, Prompt: r.Prompt, Generator: r.Generator,
				Validation: r.Validation, Failure: r.Failure, Usage: r.Usage, Causality: r.Causality,
				CreatedAt: r.CreatedAt, FinishedAt: r.FinishedAt,
			}); err != nil {
				return err
			}
		}
		return nil
	})
	return out, int(total), wrap(err, "list builds of %s", modelID)
}

// ResultObjects returns the keys of the objects that runs name.
func (db *DB) ResultObjects(ctx context.Context, runIDs []string) (map[string]bool, error) {
	found, err := db.queries.ResultObjects(ctx, runIDs)
	if err != nil {
		return nil, wrap(err, "find the runs of objects")
	}
	return setOf(found), nil
}

func setOf(keys []string) map[string]bool {
	set := make(map[string]bool, len(keys))
	for _, k := range keys {
		set[k] = true
	}
	return set
}

// Finished returns a channel that is closed when the run ends after this call,
// ctx is done, or the database is closed.
func (db *DB) Finished(ctx context.Context, runID string) (<-chan struct{}, error) {
	return db.ended.of(ctx, runID)
}

// symbolFree refuses the symbol of a script that another program of the account has. A
// script need not give one, and several programs may have none.
func symbolFree(ctx context.Context, q *dbsqlc.Queries, m dbsqlc.WholeProgram, symbol string) error {
	if symbol == "" {
		return nil
	}
	used, err := q.SymbolsInUse(ctx, dbsqlc.SymbolsInUseParams{AccountID: m.AccountID, Symbols: []string{symbol}})
	if err != nil {
		return err
	}
	if len(used) > 0 && used[0].ID != m.ID {
		return symbolTaken(symbol, nil)
	}
	return nil
}

func symbolTaken(symbol string, err error) error {
	return fault.New(fault.SymbolTaken, "Another of your models has the symbol %s. Set another SYMBOL in the script.", symbol).
		With(fault.Detail{Field: "script", Message: "SYMBOL is taken"}).Wrap(err)
}
