//go:build duckdb_arrow

package duck_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"
	"pgregory.net/rapid"

	"ballast/storage/duck"
)

func open(t testing.TB) *duck.DB {
	t.Helper()
	db, err := duck.Open(t.Context(), duck.Config{MemoryLimit: 1 << 30, TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestOpenIsHardened(t *testing.T) {
	db := open(t)
	for name, query := range map[string]string{
		"settings are locked":      "SET threads = 1",
		"extensions do not load":   "LOAD httpfs",
		"extensions do not arrive": "INSTALL httpfs",
		"nothing from a network":   "SELECT * FROM read_csv('https://example.com/a.csv')",
	} {
		t.Run(name, func(t *testing.T) {
			if records, err := db.Query(t.Context(), query); err == nil {
				duck.Release(records)
				t.Errorf("%s: no error", query)
			}
		})
	}
}

func TestQuoting(t *testing.T) {
	db := open(t)
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		name := rapid.StringN(1, 20, -1).Filter(func(s string) bool { return !strings.Contains(s, "\x00") }).Draw(rt, "name")
		records, err := db.Query(context.Background(), "SELECT "+duck.Literal(text)+" AS "+duck.Ident(name))
		if err != nil {
			rt.Fatal(err)
		}
		defer duck.Release(records)
		if got, want := records[0].Column(0).(*array.String).Value(0), strings.ReplaceAll(text, "\x00", ""); got != want {
			rt.Errorf("Literal(%q) = %q", text, got)
		}
		if got := records[0].Schema().Field(0).Name; got != name {
			rt.Errorf("Ident(%q) = %q", name, got)
		}
	})
}

func TestCancelInterrupts(t *testing.T) {
	db := open(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := db.Query(ctx, "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("interrupted after %v", took)
	}
}

func TestDiscardDropsTemporaryTables(t *testing.T) {
	db := open(t)
	for range 3 {
		c, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Exec(t.Context(), "CREATE TEMP TABLE rows AS SELECT 1"); err != nil {
			t.Fatal(err)
		}
		if err := c.Discard(); err != nil {
			t.Fatal(err)
		}
	}
}

func parquet(b testing.TB, db *duck.DB) string {
	path := filepath.Join(b.TempDir(), "result.parquet")
	_, err := db.Query(b.Context(), fmt.Sprintf(`COPY (SELECT DATE '2000-01-03' + CAST(range AS INTEGER) AS date, sin(range) AS r,
		cos(range) AS e, tan(range) AS g, sin(range+1) AS w FROM range(5000)) TO %s (FORMAT parquet)`, duck.Literal(path)))
	if err != nil {
		b.Fatal(err)
	}
	return path
}

func BenchmarkQueryParquet(b *testing.B) {
	db := open(b)
	path := parquet(b, db)
	for name, query := range map[string]string{
		"argument": `SELECT date, r, e, g FROM read_parquet(?)`,
		"literal":  `SELECT date, r, e, g FROM read_parquet(` + duck.Literal(path) + `)`,
		"filtered": `SELECT date, r, e, g FROM read_parquet(` + duck.Literal(path) + `) WHERE date BETWEEN DATE '2001-01-01' AND DATE '2012-01-01'`,
		"nothing":  `SELECT 1`,
	} {
		b.Run(name, func(b *testing.B) {
			var args []any
			if name == "argument" {
				args = []any{path}
			}
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				records, err := db.Query(b.Context(), query, args...)
				if err != nil {
					b.Fatal(err)
				}
				duck.Release(records)
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
		})
	}
}
