//go:build duckdb_arrow

package child

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/internal/confine"
	"ballast/query/engine"
	"ballast/storage/columnar"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "query-engine" {
		os.Exit(Main(os.Args[2]))
	}
	if len(os.Args) == 3 && os.Args[1] == "without-landlock" {
		if err := serve(os.Args[2], os.Stdin, os.Stdout, withoutLandlock); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func testPool(t testing.TB, warm int) *engine.Pool {
	t.Helper()
	p := engine.NewPool(engine.Config{Command: []string{"/proc/self/exe", "query-engine"}, Dir: t.TempDir(), Warm: warm, Idle: time.Minute})
	t.Cleanup(func() { p.Close() })
	return p
}

func testOrder(sql string) *engine.Order {
	return &engine.Order{SQL: sql, Limits: engine.Limits{Memory: 256 << 20, Spill: 64 << 20, Threads: 2, Time: 20 * time.Second, Rows: 1000}}
}

// ask returns the first column of the answer as strings.
func ask(t testing.TB, p *engine.Pool, o *engine.Order, data ...[]byte) ([]string, *engine.Answer, error) {
	t.Helper()
	a, err := p.Run(t.Context(), o, data...)
	if err != nil {
		return nil, nil, err
	}
	defer a.Close()
	var out []string
	for a.Next() {
		column := a.Batch().Column(0)
		for i := range column.Len() {
			out = append(out, column.ValueStr(i))
		}
	}
	return out, a, a.Err()
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	p := testPool(t, 1)
	for _, c := range []struct{ sql, want string }{
		{"SELECT 1 + 1", "2"},
		{"VALUES (1), (2)", "1 2"},
		{"FROM range(3)", "0 1 2"},
		{"WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT i FROM n", "1 2 3 4"},
		{"SELECT 1 WHERE false", ""},
		{"DESCRIBE SELECT 1 AS a", "a"},
		{"SELECT 'x' -- a comment", "x"},
	} {
		got, a, err := ask(t, p, testOrder(c.sql))
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, error %v", c.sql, got, err)
			continue
		}
		if missing := a.Guards().Missing(); len(missing) > 0 {
			t.Errorf("guards are missing: %s", a.Guards())
		}
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	o := testOrder("SELECT $a || $b::VARCHAR || coalesce($c, 'none') || $d::VARCHAR")
	o.Parameters = []engine.Parameter{{Name: "a", Value: "x"}, {Name: "b", Value: int64(3)}, {Name: "c"}, {Name: "d", Value: 1.5}}
	got, _, err := ask(t, testPool(t, 0), o)
	if err != nil || strings.Join(got, " ") != "x3none1.5" {
		t.Errorf("%v, error %v", got, err)
	}
}

func TestRowsAreBounded(t *testing.T) {
	t.Parallel()
	p := testPool(t, 0)
	o := testOrder("FROM range(5000)")
	if _, err := p.Run(t.Context(), o); !failed(err, engine.Rows) { // before the first row
		t.Errorf("error %v", err)
	}
	o.Limits.Cut = true
	got, a, err := ask(t, p, o)
	if err != nil || len(got) != 1000 || !a.Cut() {
		t.Errorf("%d rows, error %v", len(got), err)
	}
}

func failed(err error, why engine.Reason) bool {
	var f *engine.Failure
	return errors.As(err, &f) && f.Reason == why
}

// TestOnlyGivenFiles checks that a child reads the files of its order and no others,
// whatever the statement says.
func TestOnlyGivenFiles(t *testing.T) {
	t.Parallel()
	p := testPool(t, 0)
	dir := t.TempDir()
	file := filepath.Join(dir, "given.parquet")
	other := filepath.Join(dir, "other.parquet")
	for _, name := range []string{file, other} {
		b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Int64}}, nil))
		b.Field(0).(*array.Int64Builder).Append(1)
		var out bytes.Buffer
		if err := columnar.WriteParquet(&out, b.NewRecordBatch(), columnar.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := testOrder("SELECT a FROM given")
	o.Scans, o.Tables = []engine.Scan{{Name: "given", Files: []string{file}}}, []string{"given"}
	got, _, err := ask(t, p, o)
	if err != nil || strings.Join(got, " ") != "1" {
		t.Errorf("%v, error %v", got, err)
	}
	o.Setup = []string{"CREATE VIEW another AS FROM read_parquet('" + other + "')"}
	if _, _, err := ask(t, p, o); !failed(err, engine.Damaged) {
		t.Errorf("another file: error %v", err)
	}
}

func contextOf(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}

// withoutLandlock are the guards of a kernel that lacks landlock.
func withoutLandlock(p confine.Plan) confine.Report {
	r := confine.Harden(p)
	for i := range r {
		if r[i].Name == "landlock" {
			r[i].Active, r[i].Detail = false, "simulated"
		}
	}
	return r
}

// TestStrictOrders checks that a child that must have all guards says which one is
// missing, and does not answer.
func TestStrictOrders(t *testing.T) {
	t.Parallel()
	o := testOrder("SELECT 42")
	o.Strict = true
	if got, _, err := ask(t, testPool(t, 0), o); err != nil || strings.Join(got, "") != "42" {
		t.Errorf("with all guards: %v, error %v", got, err)
	}
	p := engine.NewPool(engine.Config{Command: []string{"/proc/self/exe", "without-landlock"}, Dir: t.TempDir()})
	t.Cleanup(func() { p.Close() })
	if _, _, err := ask(t, p, o); !failed(err, engine.Guards) || !strings.Contains(err.Error(), "landlock") {
		t.Errorf("without landlock: error %v", err)
	}
	o.Strict = false
	got, a, err := ask(t, p, o)
	if err != nil || strings.Join(got, "") != "42" || len(a.Guards().Missing()) == 0 {
		t.Errorf("without landlock, not strict: %v, error %v", got, err)
	}
}
