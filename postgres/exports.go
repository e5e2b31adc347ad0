package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"ballast/catalog"
	"ballast/export"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

var (
	_ export.AssetPages = (*DB)(nil)
	_ export.BarPages   = (*DB)(nil)
	_ export.RunPages   = (*DB)(nil)
)

// AssetsAfter returns up to n assets that match a filter, in the order of symbols,
// after a symbol.
func (db *DB) AssetsAfter(ctx context.Context, f catalog.Filter, symbol string, n int) ([]*catalog.Asset, error) {
	where, args := assetList(f)
	args["after"], args["limit"] = symbol, n
	rows, err := db.pool.Query(ctx, "select "+assetColumns+" from assets where "+where+
		" and assets.symbol > @after order by assets.symbol limit @limit", args)
	if err != nil {
		return nil, wrap(err, "read assets after %q", symbol)
	}
	page, err := pgx.CollectRows(rows, pgx.RowToStructByPos[assetRow])
	if err != nil {
		return nil, wrap(err, "read assets after %q", symbol)
	}
	out := make([]*catalog.Asset, len(page))
	for i, row := range page {
		out[i] = assetOf(row)
	}
	return out, nil
}

// BarAssetsAfter returns up to n assets with stored bars, in the order of symbols,
// after a symbol.
func (db *DB) BarAssetsAfter(ctx context.Context, symbols []string, symbol string, n int) ([]export.BarAsset, error) {
	rows, err := db.queries.BarAssetsAfter(ctx, dbsqlc.BarAssetsAfterParams{
		Symbols: listOrEmpty(symbols), Symbol: symbol, Most: int32(min(n, 1<<30)),
	})
	if err != nil {
		return nil, wrap(err, "read assets with bars after %q", symbol)
	}
	out := make([]export.BarAsset, len(rows))
	for i, r := range rows {
		out[i] = export.BarAsset{ID: r.ID, Symbol: r.Symbol, Rows: r.BarRows}
	}
	return out, nil
}

// BarRows counts the bars of the latest version.
func (db *DB) BarRows(ctx context.Context, symbols []string) (int64, error) {
	n, err := db.queries.CountBarRows(ctx, listOrEmpty(symbols))
	return n, wrap(err, "count bars")
}

// RunsAfter returns an account's runs, the newest first.
func (db *DB) RunsAfter(ctx context.Context, accountID string, f export.RunFilter, mark *export.RunMark, n int) ([]*program.Run, error) {
	p := dbsqlc.RunsAfterParams{
		AccountID: accountID, ProgramIds: listOrEmpty(f.ProgramIDs), Status: string(f.Status), Source: string(f.Source), UpdatesOnly: f.UpdatesOnly,
		CreatedAt: db.now(), Most: int32(min(n, 1<<30)),
	}
	if mark != nil {
		p.ID, p.CreatedAt = mark.ID, mark.CreatedAt
	}
	rows, err := db.queries.RunsAfter(ctx, p)
	if err != nil {
		return nil, wrap(err, "read runs of account %s", accountID)
	}
	runs := make([]*program.Run, len(rows))
	var problems []error
	for i, r := range rows {
		var problem error
		if runs[i], problem = joinedRunOf(dbsqlc.RunsByIDRow(r)); problem != nil {
			problems = append(problems, problem)
		}
	}
	return runs, errors.Join(problems...)
}

// LiveRunsAfter returns the live runs of an account's models, in the order of the
// models' ids.
func (db *DB) LiveRunsAfter(ctx context.Context, accountID, programID string, n int) ([]export.LiveRun, error) {
	rows, err := db.queries.LiveRunsAfter(ctx, dbsqlc.LiveRunsAfterParams{AccountID: accountID, ID: programID, Most: int32(min(n, 1<<30))})
	if err != nil {
		return nil, wrap(err, "read live runs of account %s", accountID)
	}
	out := make([]export.LiveRun, len(rows))
	for i, r := range rows {
		out[i] = export.LiveRun{ProgramID: r.ID, RunID: r.RunID, Symbol: r.Symbol, Name: r.Name}
	}
	return out, nil
}

// LiveAnswersAfter returns the live runs of an account's programs of a kind, in the order
// of their ids.
func (db *DB) LiveAnswersAfter(ctx context.Context, accountID, kind, programID string, n int) ([]export.AnswerRun, error) {
	rows, err := db.pool.Query(ctx, `select p.id, r.id, coalesce(p.symbol, ''), p.name, r.tables from programs p join runs r on r.id = p.live_run_id
		where p.account_id = @account and p.kind = @kind and p.deleted_at is null and p.id > @after order by p.id limit @most`,
		pgx.NamedArgs{"account": accountID, "kind": kind, "after": programID, "most": n})
	if err != nil {
		return nil, wrap(err, "read the programs of account %s", accountID)
	}
	runs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (export.AnswerRun, error) {
		var r export.AnswerRun
		var tables []byte
		if err := row.Scan(&r.ProgramID, &r.RunID, &r.Symbol, &r.Name, &tables); err != nil {
			return r, err
		}
		return r, json.Unmarshal(tables, &r.Tables)
	})
	return runs, wrap(err, "read the programs of account %s", accountID)
}

// listOrEmpty turns nil into an empty list, since nil would become null, which
// satisfies no condition.
func listOrEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
