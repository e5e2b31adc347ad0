package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/program/backfills"
)

// A change of a backfill locks the account's models, as a publication locks its own.
// So a run published before the change is found to hold the asset and is queued again,
// and a run published after it finds that the version it read is no longer in force,
// and is superseded.

// lockForBackfills serializes the changes of an account's backfills.
func lockForBackfills(ctx context.Context, q *dbsqlc.Queries, accountID string) error {
	if err := q.LockBackfills(ctx, accountID); err != nil {
		return err
	}
	_, err := q.LockAccountModels(ctx, accountID)
	return err
}

// enter adds a backfill to the account's graph, provided that its models exist and
// check accepts it.
func enter(ctx context.Context, q *dbsqlc.Queries, b *backfills.Backfill, check func(backfills.Graph) error) error {
	if err := lockForBackfills(ctx, q, b.AccountID); err != nil {
		return err
	}
	if err := readable(ctx, q, b); err != nil {
		return err
	}
	graph, err := graphOf(ctx, q, b)
	if err != nil {
		return err
	}
	return check(graph)
}

// readable rejects models that were deleted or run again since they were read.
func readable(ctx context.Context, q *dbsqlc.Queries, b *backfills.Backfill) error {
	ids, pinned := modelsOf(b.Sources), map[string]string{}
	for _, s := range b.Sources {
		pinned[s.ID] = s.RunID
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := q.LockMembers(ctx, ids)
	if err != nil {
		return err
	}
	if len(rows) < len(ids) {
		return fault.New(fault.NotReady, "A model that the backfill reads has just been deleted. Name another one.")
	}
	for _, r := range rows {
		if orEmpty(r.LiveRunID) != pinned[r.ID] {
			return fault.New(fault.NotReady, "A model that the backfill reads has just been run again. Send the request again.")
		}
	}
	return nil
}

// modelsOf lists the models among sources.
func modelsOf(sources []backfills.Source) []string {
	ids := []string{}
	for _, s := range sources {
		if s.Kind == program.MemberModel {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// graphOf reads the account's other backfills, and the members of every model that a
// backfill reads.
func graphOf(ctx context.Context, q *dbsqlc.Queries, b *backfills.Backfill) (backfills.Graph, error) {
	graph := backfills.Graph{}
	models := modelsOf(b.Sources)
	rows, err := q.Backfills(ctx, dbsqlc.BackfillsParams{AccountID: b.AccountID, Most: skip(1 << 30)})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		other, err := backfillOf(backfillRow(r))
		if err != nil {
			return nil, err
		}
		if other.ID == b.ID {
			continue
		}
		for _, s := range other.Sources {
			graph[other.AssetID] = append(graph[other.AssetID], backfills.Node{ID: s.ID, Symbol: s.Symbol})
		}
		models = append(models, modelsOf(other.Sources)...)
	}
	edges, err := q.MembersBelow(ctx, dbsqlc.MembersBelowParams{Ids: models, AccountID: b.AccountID})
	if err != nil {
		return nil, err
	}
	for _, e := range edges {
		graph[e.HolderID] = append(graph[e.HolderID], backfills.Node{ID: e.MemberID, Symbol: e.Symbol})
	}
	return graph, nil
}

// follow queues the models that refresh automatically and hold an asset, and marks
// those above them, as a restatement of its bars does. The models must be locked.
func (db *DB) follow(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, accountID, assetID string) error {
	due, err := q.BackfillHolders(ctx, dbsqlc.BackfillHoldersParams{AccountID: accountID, AssetID: assetID})
	if err != nil || len(due) == 0 {
		return err
	}
	_, err = db.awaken(ctx, tx, q, due)
	return err
}

// outdated reports whether the backfill in force for any member is not the version
// that the member was read with. Their model must be locked.
func outdated(ctx context.Context, q *dbsqlc.Queries, accountID string, pinned []program.Member) (bool, error) {
	read := map[string]dbsqlc.BackfillsInForceRow{}
	assets := make([]string, 0, len(pinned))
	for _, m := range pinned {
		if m.Kind != program.MemberAsset {
			continue
		}
		assets = append(assets, m.ID)
		if m.Backfill != nil {
			read[m.ID] = dbsqlc.BackfillsInForceRow{ID: m.Backfill.ID, AssetID: m.ID, Version: int32(m.Backfill.Version)}
		}
	}
	if len(assets) == 0 {
		return false, nil
	}
	now, err := q.BackfillsInForce(ctx, dbsqlc.BackfillsInForceParams{AccountID: accountID, AssetIds: assets})
	if err != nil {
		return false, err
	}
	for _, r := range now {
		if read[r.AssetID] != r {
			return true, nil
		}
	}
	return len(now) != len(read), nil
}

// unread rejects a model that a backfill reads.
func unread(ctx context.Context, q *dbsqlc.Queries, m *dbsqlc.WholeProgram) error {
	readers, err := q.BackfillsReadingModel(ctx, dbsqlc.BackfillsReadingModelParams{AccountID: m.AccountID, ModelID: m.ID})
	if err != nil || len(readers) == 0 {
		return err
	}
	symbols := make([]string, len(readers))
	f := fault.New(fault.ModelBackfills, "")
	for i, r := range readers {
		symbols[i] = r.Symbol
		f.Details = append(f.Details, fault.Detail{Field: "model", Message: fmt.Sprintf("the backfill of %s (%s) reads it", r.Symbol, r.ID)})
	}
	f.Message = fmt.Sprintf("The backfill of %s reads the model. Delete the backfill first, or give it other sources.", strings.Join(symbols, ", "))
	return f
}

// unspliced rejects a run that a backfill reads.
func unspliced(ctx context.Context, q *dbsqlc.Queries, run *dbsqlc.Run) error {
	readers, err := q.BackfillsReadingRun(ctx, dbsqlc.BackfillsReadingRunParams{AccountID: run.AccountID, RunID: run.ID})
	if err != nil || len(readers) == 0 {
		return err
	}
	f := fault.New(fault.RunLive, "A backfill was fitted on this run and reads it; details name it. Delete the backfill first, or fit it again with PATCH.")
	for _, r := range readers {
		f.Details = append(f.Details, fault.Detail{Field: "run_id", Message: fmt.Sprintf("the backfill of %s (%s) reads it", r.Symbol, r.ID)})
	}
	return f
}
