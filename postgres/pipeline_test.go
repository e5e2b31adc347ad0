package postgres

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"ballast/postgres/internal/dbsqlc"
	"ballast/postgres/postgrestest"
)

func TestPipeline(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, err := Open(ctx, postgrestest.New(t), Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	if err := db.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	err = db.pipelined(ctx, func(p *pipeline, q *dbsqlc.Queries) error {
		if err := q.RenewWorker(ctx, dbsqlc.RenewWorkerParams{ID: "one"}); err != nil {
			t.Error(err)
		}
		if p.off.Len() != 2 { // with the begin
			t.Error("a statement without rows was not put off")
		}
		var n int
		if err := p.QueryRow(ctx, "select count(*) from workers where id = $1", "one").Scan(&n); err != nil || n != 1 {
			t.Errorf("%d workers by the next query, error %v", n, err)
		}
		if err := p.QueryRow(ctx, "select 1 where false").Scan(&n); !absent(err) {
			t.Errorf("no row: %v", err)
		}
		if err := q.RenewWorker(ctx, dbsqlc.RenewWorkerParams{ID: "two"}); err != nil {
			t.Error(err)
		}
		rows, err := p.Query(ctx, "select id from workers where id in ('one', 'two') order by id")
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil || len(ids) != 2 || ids[1] != "two" {
			t.Errorf("workers %v, error %v", ids, err)
		}
		return p.send(ctx) // an empty batch
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]func(*pipeline) error{
		"rows": func(p *pipeline) error {
			rows, err := p.Query(ctx, "select 1")
			if err == nil {
				rows.Close()
			}
			return err
		},
		"row":  func(p *pipeline) error { return p.QueryRow(ctx, "select 1").Scan(new(int)) },
		"send": func(p *pipeline) error { return p.send(ctx) },
		"own": func(p *pipeline) error {
			p.off = pgx.Batch{}
			p.off.Queue("begin")
			rows, err := p.Query(ctx, "select 1 / 0")
			if err != nil {
				return err
			}
			rows.Close()
			return rows.Err()
		},
	} {
		err := db.pipelined(ctx, func(p *pipeline, _ *dbsqlc.Queries) error {
			if _, err := p.Exec(ctx, "select 1 / 0"); err != nil {
				t.Error(err)
			}
			return ask(p)
		})
		if err == nil {
			t.Errorf("%s: the error of a statement is lost", name)
		}
	}
}
