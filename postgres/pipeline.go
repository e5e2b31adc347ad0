package postgres

import (
	"cmp"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"ballast/postgres/internal/dbsqlc"
)

// pipeline is a transaction that defers statements without results and sends them, in
// order, with the next statement that returns rows, in one round trip. BEGIN is sent
// with the first statements, COMMIT with the last. An error in a deferred statement is
// returned by the call that sends it, and aborts the transaction as usual. A pipeline
// may be used by one goroutine only.
type pipeline struct {
	conn *pgx.Conn
	off  pgx.Batch

	// last says that the next query for one row is the last statement. The commit is
	// sent with it, so that the query's locks are not held for another round trip.
	last      bool
	committed bool
}

var (
	_ dbsqlc.DBTX = (*pipeline)(nil)
	_ pgx.Tx      = (*pipeline)(nil)
)

// pipelined runs f in one pipelined transaction. Like transact, it runs f again if the
// transaction conflicts with another.
func (db *DB) pipelined(ctx context.Context, f func(*pipeline, *dbsqlc.Queries) error) error {
	return retry(func() error {
		conn, err := db.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release() // closes the connection if its transaction has not ended
		p := &pipeline{conn: conn.Conn()}
		p.off.Queue("begin")
		if err = f(p, dbsqlc.New(p)); err == nil {
			err = p.Commit(ctx)
		}
		if err != nil {
			_ = p.Rollback(ctx)
		}
		return err
	})
}

// Commit sends the deferred statements, and commits.
func (p *pipeline) Commit(ctx context.Context) error {
	if p.committed {
		return nil
	}
	batch := p.off
	p.off = pgx.Batch{}
	batch.Queue("commit")
	results := p.conn.SendBatch(ctx, &batch)
	for range batch.Len() - 1 {
		if _, err := results.Exec(); err != nil {
			return closed(results, err)
		}
	}
	return p.end(results)
}

// end reads the result of the commit.
func (p *pipeline) end(results pgx.BatchResults) error {
	tag, err := results.Exec()
	if err == nil && tag.String() != "COMMIT" {
		err = pgx.ErrTxCommitRollback
	}
	if err != nil {
		return closed(results, err)
	}
	p.committed = true
	return results.Close()
}

// Rollback rolls back the statements that were sent and drops the deferred ones.
func (p *pipeline) Rollback(ctx context.Context) error {
	p.off = pgx.Batch{}
	if p.conn.PgConn().TxStatus() == 'I' {
		return nil
	}
	_, err := p.conn.Exec(ctx, "rollback")
	return err
}

// Conn returns the transaction's connection.
func (p *pipeline) Conn() *pgx.Conn { return p.conn }

// A pipelined transaction does not support the rest of pgx.Tx.
var errNotTogether = errors.New("not supported in a pipelined transaction")

// Begin returns an error.
func (p *pipeline) Begin(context.Context) (pgx.Tx, error) { return nil, errNotTogether }

// Prepare returns an error: statements are prepared when they are sent.
func (p *pipeline) Prepare(context.Context, string, string) (*pgconn.StatementDescription, error) {
	return nil, errNotTogether
}

// LargeObjects is not supported.
func (p *pipeline) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

// SendBatch sends a batch after the deferred statements.
func (p *pipeline) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	if err := p.send(ctx); err != nil {
		return failed{err: err}
	}
	return p.conn.SendBatch(ctx, b)
}

// failed implements pgx.BatchResults for a batch that was not sent.
type failed struct {
	pgx.BatchResults
	err error
}

func (f failed) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, f.err }
func (f failed) Query() (pgx.Rows, error)         { return nil, f.err }
func (f failed) QueryRow() pgx.Row                { return &sentRow{err: f.err} }
func (f failed) Close() error                     { return f.err }

// Exec defers a statement. Its count of affected rows is not available.
func (p *pipeline) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	p.off.Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

// Query sends the deferred statements and a query.
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

// QueryRow sends the deferred statements and a query for one row.
func (p *pipeline) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if !p.last {
		results, err := p.with(ctx, sql, args)
		return &sentRow{results: results, err: err}
	}
	results, err := p.with(ctx, sql, args, "commit")
	return &sentRow{results: results, err: err, commits: p}
}

// CopyFrom copies rows after the deferred statements.
func (p *pipeline) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	if err := p.send(ctx); err != nil {
		return 0, err
	}
	return p.conn.CopyFrom(ctx, table, columns, rows)
}

// send sends the deferred statements.
func (p *pipeline) send(ctx context.Context) error {
	batch := p.off
	p.off = pgx.Batch{}
	if batch.Len() == 0 {
		return nil
	}
	return p.conn.SendBatch(ctx, &batch).Close()
}

// with sends the deferred statements, a query, and the statements after it, and reads
// the results up to the query's.
func (p *pipeline) with(ctx context.Context, sql string, args []any, after ...string) (pgx.BatchResults, error) {
	batch := p.off
	p.off = pgx.Batch{}
	before := batch.Len()
	batch.Queue(sql, args...)
	for _, s := range after {
		batch.Queue(s)
	}
	results := p.conn.SendBatch(ctx, &batch)
	for range before {
		if _, err := results.Exec(); err != nil {
			return nil, closed(results, err)
		}
	}
	return results, nil
}

// closed closes results after an error, and returns the first error.
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
	_ = r.results.Close() // returns the same error as Err
}

// sentRow is the row of the last statement that was sent, apart from a commit.
type sentRow struct {
	results pgx.BatchResults
	err     error
	commits *pipeline // nil if no commit was sent after the statement
}

// Scan reads the row. It returns pgx.ErrNoRows if there is none.
func (r *sentRow) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	err := r.results.QueryRow().Scan(dest...)
	if err != nil && (r.commits == nil || !absent(err)) {
		return closed(r.results, err)
	}
	if r.commits == nil {
		return r.results.Close()
	}
	return cmp.Or(r.commits.end(r.results), err)
}
