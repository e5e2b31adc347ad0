package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/query/segments"
	"ballast/storage/columnar"
	"ballast/storage/duck"
)

const (
	queriedModels     = 1000
	queriedModelsMany = 10_000
	// exposureDate is a session in the middle of the history.
	exposureDate = "2014-03-14"
)

// The SQL statements of the rows. Those over returns give one row per model.
const (
	figuresSQL = `SELECT model_id, product(1 + "return") ^ (365.25 / (max(date) - min(date))) - 1 AS cagr,
		stddev_samp("return") * sqrt(252) AS volatility, avg("return") / stddev_samp("return") * sqrt(252) AS sharpe`
	// wholeSQL computes the figures over the whole history.
	wholeSQL = figuresSQL + ` FROM returns GROUP BY model_id`
	// yearSQL adds the drawdown of one year, whose peak begins with the base of the window.
	yearSQL = `WITH year AS (
		SELECT *, max(equity) OVER (PARTITION BY model_id ORDER BY date) AS highest FROM returns WHERE date BETWEEN '2021-12-31' AND '2022-12-30'
	) ` + figuresSQL + `, min(equity / highest) - 1 AS drawdown FROM year GROUP BY model_id`
	// lifeSQL adds the drawdown of the whole life.
	lifeSQL = figuresSQL + `, min(equity / peak) - 1 AS drawdown FROM returns GROUP BY model_id`
	// feesSQL applies a fee of 1 % a year and 5 basis points of turnover to each model.
	feesSQL = `SELECT model_id, product(1 + "return" - 0.01 / 252 - traded * 0.0005) - 1 AS total_return FROM returns GROUP BY model_id`
	// exposureSQL resolves the holdings of every model down to their exposure to one ticker.
	exposureSQL = `WITH RECURSIVE holdings AS MATERIALIZED (
		SELECT w.run_id, w.key, w.weight, m.member_run_id FROM weights w LEFT JOIN members m ON m.run_id = w.run_id AND m.key = w.key
		WHERE w.date = DATE '` + exposureDate + `'
	), tree AS (
		SELECT run_id AS root, key, weight, member_run_id FROM holdings
		UNION ALL
		SELECT t.root, h.key, t.weight * h.weight, h.member_run_id FROM tree t JOIN holdings h ON h.run_id = t.member_run_id
	) SELECT root, sum(weight) AS weight FROM tree WHERE member_run_id IS NULL AND key = 'BENCH-03' GROUP BY root`
)

// queried measures SQL over the segments of a thousand models.
func queried(e *Env) Row {
	return Row{
		Name: "SQL over the segments of 1,000 models × 20 years", Key: "Segments",
		Bar: "CAGR, volatility and Sharpe ≤ 250 ms and ≥ 5 × faster than single reads; with the drawdown of a year ≤ 400 ms, of 20 years ≤ 600 ms; fees ≤ 400 ms; exposure ≤ 100 ms; ahead of pandas and polars",
		Limits: []Limit{
			{Figure: "figures", Most: 250}, {Figure: "single reads", Least: 5}, {Figure: "drawdown of a year", Most: 400},
			{Figure: "drawdown of 20 years", Most: 600}, {Figure: "fees", Most: 400}, {Figure: "exposure", Most: 100},
		},
		Measure: func(ctx context.Context) (_ Result, err error) {
			q, err := newQueried(ctx, e.count(queriedModels, 40), 0, segments.Returns, segments.Weights)
			if err != nil {
				return Result{}, err
			}
			defer func() { err = errors.Join(err, q.close()) }()
			r := Result{Note: fmt.Sprintf("%d models of ten assets, 2 threads, files in the system's cache, in the benchmark's process; exposure through trees of two levels", len(q.runs))}
			for _, one := range []struct{ name, sql string }{
				{"figures", wholeSQL}, {"drawdown of a year", yearSQL}, {"drawdown of 20 years", lifeSQL}, {"fees", feesSQL}, {"exposure", exposureSQL},
			} {
				took, err := repeat(ctx, e.count(9, 2), func() error { return q.rows(ctx, one.sql, len(q.runs)) })
				if err != nil {
					return Result{}, fmt.Errorf("%s: %w", one.name, err)
				}
				r.Figures = append(r.Figures, milliseconds(one.name, took.median()))
			}
			if err := q.compareReads(ctx, e, &r); err != nil {
				return Result{}, err
			}
			if e.Smoke { // which installs no packages
				return r, nil
			}
			return r, q.comparePeers(ctx, &r)
		},
	}
}

// queriedMany measures the same figures for ten thousand models with little memory.
func queriedMany(e *Env) Row {
	return Row{
		Name: "SQL over the segments of 10,000 models × 20 years, in 512 MB", Key: "SegmentsMany",
		Bar:    "CAGR, volatility and Sharpe ≤ 2 s",
		Limits: []Limit{{Figure: "figures", Most: 2000}},
		Measure: func(ctx context.Context) (_ Result, err error) {
			q, err := newQueried(ctx, e.count(queriedModelsMany, 80), 512<<20, segments.Returns)
			if err != nil {
				return Result{}, err
			}
			defer func() { err = errors.Join(err, q.close()) }()
			took, err := repeat(ctx, e.count(5, 2), func() error { return q.rows(ctx, wholeSQL, len(q.runs)) })
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{milliseconds("figures", took.median())},
				Note:    fmt.Sprintf("%d models, 2 threads, DuckDB's memory limited to 512 MiB and without a folder to spill to", len(q.runs)),
			}, nil
		},
	}
}

// queriedSegments has generated results in segments, and a DuckDB that reads them.
type queriedSegments struct {
	dir  string
	db   *duck.DB
	conn *duck.Conn
	runs []segments.Run
}

// newQueried writes segments of n models and opens them in a DuckDB with the given
// memory limit, 0 for DuckDB's default. The upper nine tenths of the models each hold
// two of the others.
func newQueried(ctx context.Context, n int, memory int64, tables ...segments.Table) (_ *queriedSegments, err error) {
	q := &queriedSegments{}
	if q.dir, err = os.MkdirTemp("", "ballast-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, q.close())
		}
	}()
	bucket, err := columnar.OpenBucket(ctx, q.dir, columnar.BucketOptions{})
	if err != nil {
		return nil, err
	}
	if q.runs, err = syntheticRuns(ctx, bucket, n); err != nil {
		return nil, err
	}
	if q.db, err = duck.Open(ctx, duck.Config{Threads: 2, MemoryLimit: memory}); err != nil {
		return nil, err
	}
	if q.conn, err = q.db.Conn(ctx); err != nil {
		return nil, err
	}
	for _, t := range tables {
		for from := 0; from < n; from += queriedModels { // a segment has no more runs
			runs := q.runs[from:min(n, from+queriedModels)]
			err := bucket.Put(ctx, fmt.Sprintf("%s.%d.parquet", t, from), func(w io.Writer) error {
				return segments.Write(ctx, w, bucket, t, runs)
			})
			if err != nil {
				return nil, err
			}
		}
		view := fmt.Sprintf("CREATE TEMP VIEW %s AS SELECT * FROM read_parquet(%s)", t, duck.Literal(q.files(t)))
		if err := q.conn.Exec(ctx, view); err != nil {
			return nil, err
		}
	}
	if err := q.conn.Exec(ctx, "CREATE TEMP TABLE members (run_id VARCHAR, key VARCHAR, member_run_id VARCHAR)"); err != nil {
		return nil, err
	}
	for i := n / 10; i < n; i++ {
		for k, child := range []int{i % (n / 10), (i + 1) % (n / 10)} {
			err := q.conn.Exec(ctx, "INSERT INTO members VALUES (?, ?, ?)", q.runs[i].ID, fmt.Sprintf("BENCH-%02d", k), q.runs[child].ID)
			if err != nil {
				return nil, err
			}
		}
	}
	return q, nil
}

// files returns a pattern for the files of a table.
func (q *queriedSegments) files(t segments.Table) string {
	return filepath.Join(q.dir, string(t)+".*.parquet")
}

func (q *queriedSegments) close() error {
	var problems []error
	if q.conn != nil {
		problems = append(problems, q.conn.Close())
	}
	if q.db != nil {
		problems = append(problems, q.db.Close())
	}
	return errors.Join(append(problems, os.RemoveAll(q.dir))...)
}

// rows runs a statement to its end and checks how many rows it returned.
func (q *queriedSegments) rows(ctx context.Context, sql string, want int) error {
	records, err := q.conn.Query(ctx, sql)
	if err != nil {
		return err
	}
	defer duck.Release(records)
	n := int64(0)
	for _, r := range records {
		n += r.NumRows()
	}
	if n != int64(want) {
		return fmt.Errorf("%d rows of %d", n, want)
	}
	return nil
}

// compareReads measures how many times longer it takes to read one history after the
// other over the interface.
func (q *queriedSegments) compareReads(ctx context.Context, e *Env, r *Result) error {
	s, err := e.serving(ctx)
	if err != nil {
		return err
	}
	took, err := repeat(ctx, e.count(300, 10), func() error {
		_, err := s.client.call(ctx, http.MethodGet, historyPath, nil)
		return err
	})
	if err != nil {
		return err
	}
	whole, _ := r.Figure("figures")
	each := float64(took.median()) / float64(time.Millisecond)
	r.Figures = append(r.Figures, Figure{Name: "single reads", Value: each * float64(len(q.runs)) / whole, Unit: "×"})
	r.Note += fmt.Sprintf("; single reads are GET history one after the other, %.2f ms each from memory", each)
	return nil
}

// comparePeers measures pandas and polars over the same files, and compares their sums
// with DuckDB's.
func (q *queriedSegments) comparePeers(ctx context.Context, r *Result) error {
	python, err := PreparePython(ctx, filepath.Join("bench", "peers", "exports.txt"), io.Discard)
	if err != nil {
		r.Note += "; not compared with pandas and polars: " + err.Error()
		return nil //nolint:nilerr // told in the row
	}
	out, err := output(exec.CommandContext(ctx, python, filepath.Join("bench", "peers", "segments.py"), q.files(segments.Returns), strconv.Itoa(5)))
	if err != nil {
		return err
	}
	var peers map[string]struct {
		Version              string
		Figures, Life        float64 // seconds
		CAGR, Sharpe, Lowest float64 // sums over the models
	}
	if err := json.Unmarshal(out, &peers); err != nil {
		return err
	}
	own, err := q.sums(ctx)
	if err != nil {
		return err
	}
	for _, name := range []string{"pandas", "polars"} {
		p := peers[name]
		for i, theirs := range []float64{p.CAGR, p.Sharpe, p.Lowest} {
			if math.Abs(theirs-own[i]) > Tolerance*float64(len(q.runs)) {
				return fmt.Errorf("%s has the sum %v, DuckDB %v", name, theirs, own[i])
			}
		}
		r.Figures = append(r.Figures,
			milliseconds("figures in "+name, time.Duration(p.Figures*float64(time.Second))),
			milliseconds("drawdown of 20 years in "+name, time.Duration(p.Life*float64(time.Second))))
		r.Note += fmt.Sprintf("; %s %s", name, p.Version)
	}
	return nil
}

// sums returns the sums of the growth rates, Sharpe ratios and drawdowns of the models.
func (q *queriedSegments) sums(ctx context.Context) ([3]float64, error) {
	var out [3]float64
	records, err := q.conn.Query(ctx, "SELECT sum(cagr), sum(sharpe), sum(drawdown) FROM ("+lifeSQL+")")
	if err != nil {
		return out, err
	}
	defer duck.Release(records)
	for i := range out {
		c, ok := records[0].Column(i).(*array.Float64)
		if !ok {
			return out, fmt.Errorf("column %d is %s, not %s", i, records[0].Column(i).DataType(), arrow.PrimitiveTypes.Float64)
		}
		out[i] = c.Value(0)
	}
	return out, nil
}
