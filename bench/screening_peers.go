package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"ballast/storage/duck"
)

// facetColumns are the columns by which the peers count. The service also counts tags by
// dimension, and returns zeros for the rest of the vocabulary.
const facetColumns = "type, asset_class, exchange, sector, tax_form, legal_structure, country, issuer, leverage"

// facetSets makes each of facetColumns a grouping set of its own.
func facetSets() string {
	return "(" + strings.Join(strings.Split(facetColumns, ", "), "), (") + ")"
}

// screeningDuck measures the same filters in DuckDB alone, over a table of its own.
func screeningDuck(e *Env) Row {
	return Row{
		Name: "the same filters in DuckDB alone, in memory", Key: "ScreeningDuckDB",
		Measure: func(ctx context.Context) (_ Result, err error) {
			c, err := e.screened(ctx)
			if err != nil {
				return Result{}, err
			}
			file := filepath.Join(c.service.dir, "assets.parquet")
			if err := os.RemoveAll(file); err != nil {
				return Result{}, err
			}
			if _, err := c.service.command(ctx, "export", "assets", "--out", file); err != nil {
				return Result{}, err
			}
			db, err := duck.Open(ctx, duck.Config{TempDir: filepath.Join(c.service.dir, "duck")})
			if err != nil {
				return Result{}, err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			query := func(ctx context.Context, text string) error {
				records, err := db.Query(ctx, text)
				duck.Release(records)
				return err
			}
			if err := query(ctx, "CREATE TABLE catalog AS SELECT * FROM read_parquet("+duck.Literal(file)+")"); err != nil {
				return Result{}, err
			}
			return peers(ctx, e, "page, total and facets but tags, as two queries", func(ctx context.Context, f [3]string) error {
				where := fmt.Sprintf("NOT delisted AND type = '%s' AND asset_class = '%s' AND country = '%s'", f[0], f[1], f[2])
				if err := query(ctx, "SELECT *, count(*) OVER () FROM catalog WHERE "+where+" ORDER BY symbol LIMIT 50"); err != nil {
					return err
				}
				return query(ctx, fmt.Sprintf("SELECT %s, count(*) FROM catalog WHERE %s GROUP BY GROUPING SETS (%s, (tags))", facetColumns, where, facetSets()))
			})
		},
	}
}

// screeningPostgres measures the same filters in PostgreSQL, with indexes for them.
func screeningPostgres(e *Env) Row {
	return Row{
		Name: "the same filters in PostgreSQL alone, with indexes", Key: "ScreeningPostgreSQL",
		Measure: func(ctx context.Context) (Result, error) {
			c, err := e.screened(ctx)
			if err != nil {
				return Result{}, err
			}
			dsn, ok := e.Database(c.service.dir)
			if !ok {
				return Result{}, errors.New("the database of the benchmark's service does not run")
			}
			config, err := pgxpool.ParseConfig(dsn)
			if err != nil {
				return Result{}, err
			}
			config.MaxConns = 16
			pool, err := pgxpool.NewWithConfig(ctx, config)
			if err != nil {
				return Result{}, err
			}
			defer pool.Close()
			for _, statement := range []string{
				"drop table if exists peer_assets", "create table peer_assets as select * from assets",
				"create unique index on peer_assets (symbol)", "create index on peer_assets (country, asset_class, type, symbol) where not delisted",
				"create index on peer_assets using gin (tags)", "vacuum analyze peer_assets",
			} {
				if _, err := pool.Exec(ctx, statement); err != nil {
					return Result{}, fmt.Errorf("%s: %w", statement, err)
				}
			}
			return peers(ctx, e, "page, total and facets but tags, as one batch of two queries; connections of a pool of 16", func(ctx context.Context, f [3]string) error {
				const where = "not delisted and type = $1 and asset_class = $2 and country = $3"
				var batch pgx.Batch
				batch.Queue("select *, count(*) over () from peer_assets where "+where+" order by symbol limit 50", f[0], f[1], f[2])
				batch.Queue("select "+facetColumns+", count(*) from peer_assets where "+where+" group by grouping sets ("+facetSets()+")", f[0], f[1], f[2])
				results := pool.SendBatch(ctx, &batch)
				var problems []error
				for range 2 {
					rows, err := results.Query()
					if err == nil {
						for rows.Next() {
							_ = rows.RawValues()
						}
						err = rows.Err()
					}
					problems = append(problems, err)
				}
				return errors.Join(append(problems, results.Close())...)
			})
		},
	}
}

// peers measures a peer's answers to the filters in turn, first with one caller, then
// with many.
func peers(ctx context.Context, e *Env, note string, answer func(context.Context, [3]string) error) (Result, error) {
	sets := filterSets()
	var turn atomic.Int64
	next := func(ctx context.Context) error { return answer(ctx, sets[int(turn.Add(1))%len(sets)]) }
	one, err := repeat(ctx, e.count(200, 10), func() error { return next(ctx) })
	if err != nil {
		return Result{}, err
	}
	loaded, wall, err := load(ctx, screeningClients, time.Duration(e.count(4000, 300))*time.Millisecond, next)
	return Result{
		Figures: []Figure{
			milliseconds("p50", one.median()), milliseconds("p99", one.percentile(0.99)),
			milliseconds("loaded p50", loaded.median()), milliseconds("loaded p99", loaded.percentile(0.99)),
			{Name: "throughput", Value: float64(len(loaded)) / wall.Seconds(), Unit: "requests/s"},
		},
		Note: note + "; no HTTP, no JSON, no account",
	}, err
}
