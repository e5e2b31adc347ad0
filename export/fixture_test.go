package export_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ballast/catalog"
	"ballast/export"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/calendar"
)

// market is a bar store in a temporary folder, whose manifest is in memory.
type market struct {
	t        testing.TB
	dir      string
	manifest *bars.Memory
	bucket   columnar.Bucket
	db       *duck.DB
	importer *importing.Importer
	files    int
}

func newMarket(t testing.TB) *market {
	t.Helper()
	m := &market{t: t, dir: t.TempDir(), manifest: bars.NewMemory()}
	var err error
	if m.bucket, err = columnar.OpenBucket(t.Context(), filepath.Join(m.dir, "bucket"), columnar.BucketOptions{}); err != nil {
		t.Fatal(err)
	}
	if m.db, err = duck.Open(t.Context(), duck.Config{MemoryLimit: 1 << 30, TempDir: filepath.Join(m.dir, "spill")}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.db.Close() })
	m.importer = importing.New(importing.Config{Store: m.manifest, Bucket: m.bucket, DB: m.db})
	return m
}

// add imports a file of bars.
func (m *market) add(text string) {
	m.t.Helper()
	m.files++
	path := filepath.Join(m.dir, fmt.Sprintf("bars-%d.csv", m.files))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
	if report, err := m.importer.Import(m.t.Context(), path, importing.Options{}); err != nil {
		var text bytes.Buffer
		report.Print(&text)
		m.t.Fatalf("%v\n%s", err, &text)
	}
}

// seeded imports a number of assets over a number of sessions.
func (m *market) seeded(assets, sessions int) {
	m.t.Helper()
	var text bytes.Buffer
	w := bufio.NewWriter(&text)
	fmt.Fprintln(w, "symbol,date,close,dividend,split")
	cal := calendar.XNYS()
	first := cal.Count(timeseries.NewDate(2004, time.January, 1))
	for i := range assets {
		rng := rand.New(rand.NewPCG(3, uint64(i)))
		price := 100.0
		for t := range sessions {
			price *= 1.0003 + 0.01*rng.NormFloat64()
			dividend, split := 0.0, 1
			if t%63 == 60 {
				dividend = 0.25
			}
			fmt.Fprintf(w, "SEED-%04d,%s,%.4f,%g,%d\n", i, cal.Session(first+t), price, dividend, split)
		}
	}
	if err := w.Flush(); err != nil {
		m.t.Fatal(err)
	}
	m.add(text.String())
}

func (m *market) service() *export.Service {
	return export.NewService(export.Config{Bars: m.store(), Symbols: m.store(), Bucket: m.bucket})
}

func (m *market) store() *memory { return &memory{manifest: m.manifest} }

// memory serves the pages of bars and the symbols from a manifest in memory.
type memory struct{ manifest *bars.Memory }

func (s *memory) ByID(ctx context.Context, ids []string, at bars.Version) (bars.Snapshot, error) {
	return s.manifest.ByID(ctx, ids, at)
}

func (s *memory) BarAssetsAfter(ctx context.Context, symbols []string, after string, n int) ([]export.BarAsset, error) {
	known := s.manifest.Symbols()
	var out []export.BarAsset
	for symbol, id := range known {
		if symbol > after && (len(symbols) == 0 || slices.Contains(symbols, symbol)) {
			snapshot, err := s.manifest.ByID(ctx, []string{id}, bars.Latest)
			if err != nil {
				return nil, err
			}
			out = append(out, export.BarAsset{ID: id, Symbol: symbol, Rows: snapshot.Assets[0].Rows})
		}
	}
	slices.SortFunc(out, func(a, b export.BarAsset) int { return strings.Compare(a.Symbol, b.Symbol) })
	return out[:min(n, len(out))], nil
}

func (s *memory) BarRows(ctx context.Context, symbols []string) (int64, error) {
	all, err := s.BarAssetsAfter(ctx, symbols, "", 1<<30)
	var n int64
	for _, a := range all {
		n += a.Rows
	}
	return n, err
}

func (s *memory) AssetsBySymbol(_ context.Context, symbols []string) (map[string]*catalog.Asset, error) {
	known := s.manifest.Symbols()
	out := map[string]*catalog.Asset{}
	for _, symbol := range symbols {
		if id, ok := known[symbol]; ok {
			out[symbol] = &catalog.Asset{ID: id, Symbol: symbol}
		}
	}
	return out, nil
}

func (s *memory) NearestSymbols(_ context.Context, symbols []string) (map[string]string, error) {
	out := map[string]string{}
	for _, symbol := range symbols {
		for known := range s.manifest.Symbols() {
			if known[0] == symbol[0] {
				out[symbol] = known
			}
		}
	}
	return out, nil
}

// write exports into a file.
func (m *market) write(q export.Query, f export.Format) string {
	m.t.Helper()
	m.files++
	path := filepath.Join(m.dir, fmt.Sprintf("export-%d.%s", m.files, f))
	file, err := os.Create(path)
	if err != nil {
		m.t.Fatal(err)
	}
	m.to(q, f, file)
	if err := file.Close(); err != nil {
		m.t.Fatal(err)
	}
	return path
}

func (m *market) to(q export.Query, f export.Format, w io.Writer) {
	m.t.Helper()
	rows, err := m.service().Open(m.t.Context(), "", q)
	if err != nil {
		m.t.Fatal(err)
	}
	defer rows.Close()
	if err := export.Write(m.t.Context(), w, rows, f); err != nil {
		m.t.Fatal(err)
	}
}

// ask reads one number with DuckDB.
func ask(t testing.TB, db *duck.DB, query string) int64 {
	t.Helper()
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	rows, err := c.Rows(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var n int64
	if !rows.Next() {
		t.Fatalf("%s: no row", query)
	}
	if err := rows.Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// all returns a query for all rows of a table.
func all(t export.Table) export.Query {
	return export.Query{Table: t, Start: timeseries.NoDate, End: timeseries.NoDate}
}
