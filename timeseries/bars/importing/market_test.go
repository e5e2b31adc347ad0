//go:build duckdb_arrow

package importing_test

import (
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/bars/reports"
)

// database is shared by the tests, because opening one takes longer than most imports;
// each import has its own session.
var database *duck.DB

func TestMain(m *testing.M) { os.Exit(withDatabase(m.Run)) }

func withDatabase(run func() int) (code int) {
	dir, err := os.MkdirTemp("", "importing-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if database, err = duck.Open(context.Background(), duck.Config{MemoryLimit: 2 << 30, TempDir: dir}); err != nil {
		panic(err)
	}
	defer database.Close()
	return run()
}

// market is a bar store in a temporary folder.
type market struct {
	t        testing.TB
	dir      string
	store    *bars.Memory
	bucket   columnar.Bucket
	db       *duck.DB
	importer *importing.Importer
}

func newMarket(t testing.TB) *market {
	t.Helper()
	m := &market{t: t, dir: t.TempDir(), db: database}
	var err error
	if m.bucket, err = columnar.OpenBucket(t.Context(), filepath.Join(m.dir, "bucket"), columnar.BucketOptions{}); err != nil {
		t.Fatal(err)
	}
	m.clear()
	return m
}

// clear empties the market; its old objects become orphans.
func (m *market) clear() {
	m.store = bars.NewMemory()
	m.importer = importing.New(importing.Config{Store: m.store, Bucket: m.bucket, DB: m.db})
}

// file writes a file with the given name, gzipped if the name ends in .gz.
func (m *market) file(name, content string) string {
	m.t.Helper()
	path := filepath.Join(m.dir, name)
	f, err := os.Create(path)
	if err != nil {
		m.t.Fatal(err)
	}
	defer f.Close()
	if !strings.HasSuffix(name, ".gz") {
		_, err = f.WriteString(content)
	} else {
		z := gzip.NewWriter(f)
		if _, err = z.Write([]byte(content)); err == nil {
			err = z.Close()
		}
	}
	if err != nil {
		m.t.Fatal(err)
	}
	return path
}

func (m *market) mustImport(path string) *reports.Report {
	m.t.Helper()
	report, err := m.importer.Import(m.t.Context(), path, importing.Options{})
	if err != nil {
		m.t.Fatalf("import %s: %v\n%+v", path, err, report)
	}
	return report
}

type day = timeseries.Date

func date(s string) day {
	d, err := timeseries.ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

type ctx = context.Context

// ratio is a/b - 1 in float64 arithmetic, not that of constants.
func ratio(a, b float64) float64 { return a/b - 1 }
