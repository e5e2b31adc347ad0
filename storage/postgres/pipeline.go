package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"ballast/storage/postgres/internal/dbsqlc"
)

// pipeline puts off a transaction's statements that return nothing and sends
// them, in their order, with the next one that returns rows: one round trip for
// all of them, and one wait of the server's for the client. An error comes from
// the statement that was sent with the one at fault, and ends the transaction as
// ever. It is for one goroutine.
type pipeline struct {
	tx  pgx.Tx
	off pgx.Batch
}

var _ dbsqlc.DBTX = (*pipeline)(nil)

// Exec puts a statement off. Nobody may ask for the rows that it touched.
func (p *pipeline) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	p.off.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

// Query sends what was put off and a query.
func (p *pipeline) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	results, err := p.with(ctx, sql, args)
	if err != nil {
		return nil, err
	}
	rows, err := results.Query()
	if err != nil {
		return nil, closed(results, err)
	}
	return &sentRows{Rows: rows, results: results}, nil
}

// QueryRow sends what was put off and a query for one row.
func (p *pipeline) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	results, err := p.with(ctx, sql, args)
	return &sentRow{results: results, err: err}
}

// CopyFrom copies rows, after what was put off.
func (p *pipeline) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	if err := p.send(ctx); err != nil {
		return 0, err
	}
	return p.tx.CopyFrom(ctx, table, columns, rows)
}

// send sends what was put off.
func (p *pipeline) send(ctx context.Context) error {
	batch := p.off
	p.off = pgx.Batch{}
	if batch.Len() == 0 {
		return nil
	}
	return p.tx.SendBatch(ctx, &batch).Close()
}

// with sends what was put off and a query, and reads the results up to the query's.
func (p *pipeline) with(ctx context.Context, sql string, args []any) (pgx.BatchResults, error) {
	batch := p.off
	p.off = pgx.Batch{}
	before := batch.Len()
	batch.Queue(sql, args...)
	results := p.tx.SendBatch(ctx, &batch)
	for range before {
		if _, err := results.Exec(); err != nil {
			return nil, closed(results, err)
		}
	}
	return results, nil
}

// closed ends results that have failed; their first error counts.
func closed(results pgx.BatchResults, err error) error {
	_ = results.Close()
	return err
}

// sentRows are the rows of the last statement that was sent.
type sentRows struct {
	pgx.Rows
	results pgx.BatchResults
}

// Close ends the rows and what they were sent with.
func (r *sentRows) Close() {
	r.Rows.Close()
	_ = r.results.Close() // says again what Err has said
}

// sentRow is the row of the last statement that was sent.
type sentRow struct {
	results pgx.BatchResults
	err     error
}

// Scan reads the row; pgx.ErrNoRows without one.
func (r *sentRow) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	if err := r.results.QueryRow().Scan(dest...); err != nil {
		return closed(r.results, err)
	}
	return r.results.Close()
}
