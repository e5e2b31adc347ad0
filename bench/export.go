package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// exportAssets of 20 years are 1.4 million bars.
const exportAssets = 280

// exported measures the export of a whole table into a file, beside DuckDB's COPY of the
// same rows, the best that a reader of the objects could do.
func exported(e *Env) Row {
	return Row{
		Name: "export of 1.4 million bars as Parquet, over HTTP into a file", Key: "Export",
		Bar: "≥ 0.7 × the rate of DuckDB's COPY", Limits: []Limit{{Figure: "of COPY", Least: 0.7}},
		Measure: func(ctx context.Context) (_ Result, err error) {
			s, err := startService(ctx, e.Binary, "")
			if err != nil {
				return Result{}, err
			}
			defer func() { err = errors.Join(err, s.stop()) }()
			assets := e.count(exportAssets, 8)
			file, err := writeExportMarket(s.dir, assets)
			if err != nil {
				return Result{}, err
			}
			if err := s.importBars(ctx, file); err != nil {
				return Result{}, err
			}
			if _, err := s.client.build(ctx, "models", exportedModel()); err != nil {
				return Result{}, err
			}
			r, err := compareCopy(ctx, s, e.count(9, 2), assets*marketSessions)
			if err != nil {
				return Result{}, err
			}
			if e.Smoke { // which installs no packages
				return r, nil
			}
			err = inPandas(ctx, s, &r, assets*marketSessions)
			return r, err
		},
	}
}

// exportedModel is a model of the table's first assets.
func exportedModel() string {
	return `NAME = "Exported"
SYMBOL = "EXPORTED"
SCHEDULE = "monthly"
INPUTS = {"universe": {"type": "array", "default": ["BULK-0000", "BULK-0001"]}}


def decide(ctx):
    return {"BULK-0000": 0.6, "BULK-0001": 0.4}
`
}

// compareCopy times exports and copies in turn.
func compareCopy(ctx context.Context, s *service, n, rows int) (_ Result, err error) {
	db, err := duck.Open(ctx, duck.Config{TempDir: filepath.Join(s.dir, "tmp")})
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	exports, copies := samples{}, samples{}
	target := filepath.Join(s.dir, "bars.parquet")
	for i := range n + 1 {
		began := time.Now()
		if err := s.client.save(ctx, "/v1/exports/bars", target); err != nil {
			return Result{}, err
		}
		middle := time.Now()
		query := fmt.Sprintf("COPY (SELECT asset_id, symbol, date, total_return, close, dividend, split FROM read_parquet(%s)) TO %s (FORMAT parquet)",
			duck.Literal(filepath.Join(s.dir, "objects", "bars", "*.parquet")), duck.Literal(filepath.Join(s.dir, "copy.parquet")))
		records, err := db.Query(ctx, query)
		if err != nil {
			return Result{}, err
		}
		duck.Release(records)
		if i > 0 { // the first round is a warm-up
			exports, copies = append(exports, middle.Sub(began)), append(copies, time.Since(middle))
		}
	}
	return Result{
		Figures: []Figure{
			milliseconds("p50", exports.median()), milliseconds("COPY p50", copies.median()),
			{Name: "of COPY", Value: copies.median().Seconds() / exports.median().Seconds(), Unit: "×"},
			{Name: "rate", Value: float64(rows) / exports.median().Seconds() / 1e6, Unit: "million rows/s"},
		},
		Note: fmt.Sprintf("%d rows of 7 columns, in turn with COPY in the benchmark's process, both into the system's file cache", rows),
	}, nil
}

// inPandas runs the examples of docs/exports.md in pandas and polars, and compares what
// they read with what was exported.
func inPandas(ctx context.Context, s *service, r *Result, rows int) error {
	python, err := PreparePython(ctx, filepath.Join("bench", "peers", "exports.txt"), io.Discard)
	if err != nil {
		r.Note += "; not read in pandas: " + err.Error()
		return nil //nolint:nilerr // told in the row
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, python, filepath.Join(here, "bench", "peers", "exports.py"), filepath.Join(here, "docs", "exports.md"), s.client.url, s.client.key)
	cmd.Dir = s.dir
	out, err := output(cmd)
	if err != nil {
		return err
	}
	var read struct {
		Versions                             map[string]string
		Rows, Symbols, Days, Yearly, Returns int
		Seconds                              float64
	}
	if err := json.Unmarshal(out, &read); err != nil {
		return err
	}
	if read.Rows != rows || read.Symbols != rows/marketSessions || read.Days != marketSessions || read.Yearly == 0 || read.Returns == 0 {
		return fmt.Errorf("pandas and polars read %s of %d rows", out, rows)
	}
	r.Figures = append(r.Figures, milliseconds("read in pandas", time.Duration(read.Seconds*float64(time.Second))))
	r.Note += fmt.Sprintf("; read as documented in pandas %s and polars %s", read.Versions["pandas"], read.Versions["polars"])
	return nil
}

// save streams a response into a file.
func (c *client) save(ctx context.Context, path, file string) (err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %d", path, resp.StatusCode)
	}
	out, err := os.Create(filepath.Clean(file))
	if err != nil {
		return err
	}
	_, err = io.Copy(out, resp.Body)
	return errors.Join(err, out.Close())
}

// writeExportMarket writes seeded bars of many assets as a file to import.
func writeExportMarket(dir string, assets int) (path string, err error) {
	path = filepath.Join(dir, "bulk.csv")
	f, err := os.Create(filepath.Clean(path))
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(f)
	_, err = w.WriteString("symbol,date,close,dividend,split\n")
	cal := calendar.XNYS()
	first := cal.Count(timeseries.NewDate(2004, time.January, 1))
	for i := range assets {
		rng := rand.New(rand.NewPCG(11, uint64(i)))
		price := 100.0
		for t := range marketSessions {
			price *= 1.0003 + 0.01*rng.NormFloat64()
			dividend := 0.0
			if t%63 == 62 {
				dividend = 0.004 * price
			}
			if err == nil {
				_, err = fmt.Fprintf(w, "BULK-%04d,%s,%.4f,%.4f,1\n", i, cal.Session(first+t), price, dividend)
			}
		}
	}
	return path, errors.Join(err, w.Flush(), f.Close())
}
