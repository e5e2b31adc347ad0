package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"ballast/bench"
	"ballast/postgres"
	"ballast/postgres/embedded"
)

// config is what the command line says.
type config struct {
	binary, out, rows, python, bars, privateListen string
	count                                          int
	smoke, peers, growth                           bool
}

func run(ctx context.Context, c config, out, progress io.Writer) (err error) {
	env := &bench.Env{
		Binary: c.binary, Smoke: c.smoke, PrivateListen: c.privateListen, Manifest: openManifest,
		CatalogFiles: realCatalog(), Database: embedded.Attach,
	}
	rows := bench.Rows(env)
	if c.growth {
		rows = nil
	}
	if c.rows != "" {
		wanted, err := regexp.Compile("(?i)" + c.rows)
		if err != nil {
			return fmt.Errorf("--rows: %w", err)
		}
		rows = slices.DeleteFunc(rows, func(r bench.Row) bool { return !wanted.MatchString(r.Name) && !wanted.MatchString(r.Key) })
	}
	report, err := bench.Run(ctx, rows, bench.Options{Count: c.count, Progress: progress})
	if err == nil && c.growth {
		report.Growth, err = bench.MeasureGrowth(ctx, env, progress)
	}
	if err := errors.Join(err, env.Close()); err != nil {
		return err
	}
	report.Smoke = c.smoke
	if c.rows == "" && !c.growth {
		if report.Peers, err = compare(ctx, env, c, progress); err != nil {
			return err
		}
	}
	report.Print(out)
	if err := write(report, c.out); err != nil {
		return err
	}
	if report.Peers != nil {
		return report.Peers.Check()
	}
	return nil
}

// compare runs the peers, or says why not.
func compare(ctx context.Context, env *bench.Env, c config, progress io.Writer) (*bench.Comparison, error) {
	if c.smoke {
		return &bench.Comparison{Skipped: "a smoke run"}, nil
	}
	file := c.bars
	if file == "" {
		file = realBars()
	}
	if _, err := os.Stat(file); err != nil {
		return absent(c, fmt.Errorf("bars are absent: %s (set BALLAST_TEST_DATA to the folder of bars/, or give --bars)", file))
	}
	python := c.python
	if python == "" {
		var err error
		if python, err = bench.PreparePython(ctx, "bench/peers/requirements.txt", progress); err != nil {
			return absent(c, err)
		}
	}
	fmt.Fprintln(progress, "strategies compared with bt and vectorbt")
	return bench.Compare(ctx, env, python, "bench/peers/strategies.py", file)
}

// absent is the reason for a comparison that cannot be made, an error where it was insisted on.
func absent(c config, reason error) (*bench.Comparison, error) {
	if c.peers {
		return nil, reason
	}
	return &bench.Comparison{Skipped: reason.Error()}, nil
}

// realBars is where bars of real assets are, where there are any.
func realBars() string { return filepath.Join(realData(), "bars", "etf21_yahoo_2025.csv.gz") }

// realCatalog are the files of a real catalog, where there are any.
func realCatalog() []string {
	files, err := filepath.Glob(filepath.Join(realData(), "catalog", "*.csv.gz"))
	if err != nil {
		return nil // the pattern is right
	}
	return files
}

// realData is the folder of real data.
func realData() string {
	if folder := os.Getenv("BALLAST_TEST_DATA"); folder != "" {
		return folder
	}
	return filepath.Join("..", "shared", "data")
}

// write stores the report as bench.txt and bench.json.
func write(report *bench.Report, folder string) (err error) {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return err
	}
	text, err := os.Create(filepath.Join(folder, "bench.txt")) //nolint:gosec // the folder is the caller's to choose
	if err != nil {
		return err
	}
	if err := errors.Join(report.Benchstat(text), text.Close()); err != nil {
		return err
	}
	document, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "bench.json"), append(document, '\n'), 0o600)
}

// openManifest opens the bar manifest of a running service's private database.
func openManifest(ctx context.Context, dataDir string) (bench.Manifest, func(), error) {
	dsn, ok := embedded.Attach(dataDir)
	if !ok {
		return nil, nil, fmt.Errorf("no database is running in %s", dataDir)
	}
	db, err := postgres.Open(ctx, dsn, postgres.Config{})
	if err != nil {
		return nil, nil, err
	}
	return db, db.Close, nil
}
