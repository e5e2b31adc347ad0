package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ballast/storage/duck"
)

// duckFigures computes the main figures of the metrics block in DuckDB, from a result's
// daily file.
const duckFigures = `
WITH returns AS (
  SELECT date, "return" AS r FROM read_parquet(%[1]s) WHERE "return" IS NOT NULL
), equity AS (
  SELECT date, r, exp(sum(ln(1 + r)) OVER (ORDER BY date)) AS v FROM returns
), drawdown AS (
  SELECT *, v / greatest(1, max(v) OVER (ORDER BY date)) - 1 AS d FROM equity
), monthly AS (
  SELECT product(1 + r) - 1 AS m FROM returns GROUP BY date_trunc('month', date)
)
SELECT product(1 + r) - 1 AS total_return, product(1 + r) ^ (365.25 / (max(date) - min(date))) - 1 AS cagr,
  stddev_samp(r) * sqrt(252) AS volatility, avg(r) / stddev_samp(r) * sqrt(252) AS sharpe,
  avg(r) / sqrt(avg(least(r, 0) ^ 2)) * sqrt(252) AS sortino, min(d) AS drawdown, sqrt(avg(d * d)) AS ulcer,
  sum(greatest(r, 0)) / -sum(least(r, 0)) AS omega, quantile_cont(r, [0.05, 0.95]) AS tails,
  skewness(r) AS skewness, kurtosis(r) AS kurtosis, avg((r > 0)::INT) AS win_rate, max(r) AS best, min(r) AS worst,
  (SELECT max(m) FROM monthly) AS best_month, (SELECT min(m) FROM monthly) AS worst_month
FROM drawdown`

// historyDuck measures the same read in DuckDB alone, without a service around it.
func historyDuck(e *Env) Row {
	return Row{
		Name: "the same in DuckDB alone, on the stored file", Key: "HistoryDuckDB",
		Measure: func(ctx context.Context) (_ Result, err error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			file, err := s.dailyFile(ctx, "BENCH")
			if err != nil {
				return Result{}, err
			}
			db, err := duck.Open(ctx, duck.Config{TempDir: filepath.Join(s.dir, "duck")})
			if err != nil {
				return Result{}, err
			}
			defer func() { err = errors.Join(err, db.Close()) }()
			query := func(text string) error {
				records, err := db.Query(ctx, fmt.Sprintf(text, duck.Literal(file)))
				duck.Release(records)
				return err
			}
			figures, err := repeat(ctx, e.count(500, 10), func() error { return query(duckFigures) })
			if err != nil {
				return Result{}, err
			}
			columns, err := repeat(ctx, e.count(500, 10), func() error { return query(`SELECT date, "return" FROM read_parquet(%s)`) })
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{milliseconds("figures", figures.median()), milliseconds("columns", columns.median())},
				Note:    "in the process, results as Arrow: no interface, no account, no JSON; sixteen figures, without drawdowns, rolling windows and the table of months",
			}, nil
		},
	}
}

// dailyFile returns the path of the daily table of a model's live run in the data folder.
func (s *service) dailyFile(ctx context.Context, model string) (file string, err error) {
	var sheet struct {
		LiveRunID string `json:"live_run_id"`
	}
	if err := s.client.read(ctx, http.MethodGet, "/v1/models/"+model, nil, &sheet); err != nil {
		return "", err
	}
	err = filepath.WalkDir(s.dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // the database comes and goes beside it
		}
		if strings.HasSuffix(path, ".daily.parquet") && strings.Contains(path, sheet.LiveRunID) {
			file = path
			return filepath.SkipAll
		}
		return nil
	})
	if err == nil && file == "" {
		err = fmt.Errorf("no daily file of run %s in %s", sheet.LiveRunID, s.dir)
	}
	return file, err
}

// historyPandas measures the same figures in pandas, on the history as CSV, and compares
// them with the service's.
func historyPandas(e *Env) Row {
	return Row{
		Name: "the same in pandas, on the history as CSV", Key: "HistoryPandas",
		Measure: func(ctx context.Context) (Result, error) {
			if e.Smoke {
				return Result{Skipped: "a smoke run installs no packages"}, nil
			}
			python, err := PreparePython(ctx, "bench/peers/requirements.txt", io.Discard)
			if err != nil {
				return Result{Skipped: "no pandas: " + err.Error()}, nil //nolint:nilerr // told in the row
			}
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			path := filepath.Join(s.dir, "history.csv")
			if err := s.download(ctx, path, historyPath); err != nil {
				return Result{}, err
			}
			out, err := output(exec.CommandContext(ctx, python, "bench/peers/history.py", path, strconv.Itoa(e.count(100, 5))))
			if err != nil {
				return Result{}, err
			}
			var peer struct {
				Read, Figures float64 // seconds
				Pandas        string
				TotalReturn   float64 `json:"total_return"`
				Sharpe        float64
			}
			if err := json.Unmarshal(out, &peer); err != nil {
				return Result{}, err
			}
			var ours struct {
				Metrics struct {
					TotalReturn float64 `json:"total_return"`
					Sharpe      float64
				}
			}
			if err := s.client.read(ctx, http.MethodGet, historyPath, nil, &ours); err != nil {
				return Result{}, err
			}
			if math.Abs(ours.Metrics.TotalReturn-peer.TotalReturn) > Tolerance || math.Abs(ours.Metrics.Sharpe-peer.Sharpe) > Tolerance {
				return Result{}, fmt.Errorf("pandas has total return %v and Sharpe %v, the service %v and %v", peer.TotalReturn, peer.Sharpe, ours.Metrics.TotalReturn, ours.Metrics.Sharpe)
			}
			return Result{
				Figures: []Figure{
					milliseconds("read", time.Duration(peer.Read*float64(time.Second))),
					milliseconds("figures", time.Duration(peer.Figures*float64(time.Second))),
				},
				Note: fmt.Sprintf("pandas %s, after its start; equal to the service's total return and Sharpe ratio to %g", peer.Pandas, Tolerance),
			}, nil
		},
	}
}

// download saves a history as CSV.
func (s *service) download(ctx context.Context, file, path string) error {
	f, err := os.Create(filepath.Clean(file))
	if err != nil {
		return err
	}
	_, err = s.client.fetch(ctx, f, "text/csv", path)
	return errors.Join(err, f.Close())
}
