package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ballast/internal/testenv"
	"ballast/storage/duck"
)

// TestExportsOpen reads the exports of the service and of the command with DuckDB,
// and compares them with the history that the service returns.
func TestExportsOpen(t *testing.T) {
	binary.Path(t)
	_, file, err := writeSample(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	_, url := serveProcess(t, data)
	must(t, "import", "bars", file, "--data-dir", data)
	c := caller(t, data, url)
	await(t, c, create(t, c, fixedWeights("Inner", "INNER", "SYN-WORLD", 0.5, "SYN-GOLD", 0.2)), "active")
	await(t, c, create(t, c, fixedWeights("Outer", "OUTER", "INNER", 0.6, "SYN-WORLD", 0.4)), "active")
	folder := t.TempDir()
	fetch := func(name, target string) string {
		t.Helper()
		path := filepath.Join(folder, name)
		download(t, c, target, path)
		return path
	}
	db, err := duck.Open(t.Context(), duck.Config{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()

	whole := fetch("bars.parquet", "/v1/exports/bars")
	objects := filepath.Join(data, "objects", "bars", "*.parquet")
	columns := "asset_id, symbol, date, total_return, close, dividend, split"
	same(t, db, columns, whole, objects)

	t.Run("returns are the history's", func(t *testing.T) {
		h := read(t, c, "OUTER")
		path := fetch("returns.parquet", "/v1/exports/returns?models=OUTER")
		if n := numberOf(t, db, "SELECT count(*) FROM read_parquet("+duck.Literal(path)+")"); n != float64(len(h.Dates)) {
			t.Fatalf("%v returns, %d in the history", n, len(h.Dates))
		}
		for _, i := range []int{0, len(h.Dates) / 2, len(h.Dates) - 1} {
			got := numberOf(t, db, fmt.Sprintf("SELECT total_return FROM read_parquet(%s) WHERE date = DATE '%s'", duck.Literal(path), h.Dates[i]))
			if got != *h.Returns[i] {
				t.Errorf("%s: %v, %v in the history", h.Dates[i], got, *h.Returns[i])
			}
		}
	})
	t.Run("allocations are the history's", func(t *testing.T) {
		h := read(t, c, "OUTER")
		path := fetch("allocations.parquet", "/v1/exports/allocations?models=OUTER")
		if n := numberOf(t, db, "SELECT count(*) FROM read_parquet("+duck.Literal(path)+")"); n != float64(len(h.Dates)*len(h.Allocation.Weights)) {
			t.Errorf("%v weights, %d dates of %d keys", n, len(h.Dates), len(h.Allocation.Weights))
		}
		for key, weights := range h.Allocation.Weights {
			last := len(h.Dates) - 1
			got := numberOf(t, db, fmt.Sprintf("SELECT weight FROM read_parquet(%s) WHERE date = DATE '%s' AND key = %s", duck.Literal(path), h.Dates[last], duck.Literal(key)))
			if got != *weights[last] {
				t.Errorf("%s: %v, %v in the history", key, got, *weights[last])
			}
		}
		worst := numberOf(t, db, "SELECT max(abs(s - 1)) FROM (SELECT sum(weight) AS s FROM read_parquet("+duck.Literal(path)+") GROUP BY date)")
		if worst > 1e-12 {
			t.Errorf("weights of a day are off 1 by %g", worst)
		}
	})
	t.Run("results agree with each other", func(t *testing.T) {
		results := map[string]string{}
		for _, table := range []string{"returns", "allocations", "contributions", "tree", "trades", "metrics", "diagnostics"} {
			results[table] = "read_parquet(" + duck.Literal(fetch("of-"+table+".parquet", "/v1/exports/"+table+"?models=OUTER")) + ")"
		}
		for what, query := range map[string]string{
			"contributions and returns": "SELECT max(abs(s - total_return)) FROM (SELECT date, sum(contribution) AS s FROM " + results["contributions"] + " GROUP BY date) JOIN " + results["returns"] + " USING (date)",
			"own members and 1":         "SELECT max(abs(s - 1)) FROM (SELECT date, sum(weight) AS s FROM " + results["tree"] + " WHERE depth = 1 GROUP BY date)",
			"a member and its parts":    "SELECT max(abs(i.weight - s)) FROM " + results["tree"] + " i JOIN (SELECT date, sum(weight) AS s FROM " + results["tree"] + " WHERE depth = 2 GROUP BY date) USING (date) WHERE i.path = 'INNER'",
			"tree and allocations":      "SELECT max(abs(weight - s)) FROM (SELECT date, key, sum(weight) AS s FROM " + results["tree"] + " WHERE path <> 'INNER' GROUP BY date, key) JOIN " + results["allocations"] + " USING (date, key)",
			"metrics and returns":       "SELECT abs(exp(sum(ln(1 + r.total_return))) - 1 - any_value(m.total_return)) + abs(count(*) - any_value(sessions)) FROM (SELECT total_return FROM " + results["returns"] + ") r, (SELECT total_return, sessions FROM " + results["metrics"] + ") m",
			"trades and turnover":       "SELECT max(abs(turnover - s)) FROM (SELECT any_value(turnover) AS turnover, sum(abs(traded)) AS s FROM " + results["trades"] + " WHERE key <> 'CASH' GROUP BY date, decided, reason)",
		} {
			if off := numberOf(t, db, query); off > 1e-12 {
				t.Errorf("%s differ by %g", what, off)
			}
		}
		if n := numberOf(t, db, "SELECT count(*) FROM "+results["diagnostics"]); n != 0 {
			t.Errorf("%v diagnostics of a script that records none", n)
		}
	})
	t.Run("all live returns", func(t *testing.T) {
		path := fetch("all.parquet", "/v1/exports/returns")
		if n := numberOf(t, db, "SELECT count(DISTINCT program_id) FROM read_parquet("+duck.Literal(path)+")"); n != 2 {
			t.Errorf("%v models", n)
		}
	})
	t.Run("the command writes the same bytes", func(t *testing.T) {
		path := filepath.Join(folder, "command.parquet")
		must(t, "export", "bars", "--data-dir", data, "--out", path)
		one, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		two, err := os.ReadFile(whole)
		if err != nil {
			t.Fatal(err)
		}
		if string(one) != string(two) {
			t.Error("they differ")
		}
		left, err := filepath.Glob(filepath.Join(folder, ".tmp-*"))
		if err != nil || len(left) > 0 {
			t.Errorf("%q are left, %v", left, err)
		}
	})
	t.Run("partitions", func(t *testing.T) {
		for _, by := range []string{"year", "symbol"} {
			place := filepath.Join(folder, "by-"+by)
			must(t, "export", "bars", "--data-dir", data, "--partition", by, "--out", place)
			same(t, db, columns, whole, filepath.Join(place, "*", "*.parquet"))
		}
	})
	t.Run("the documented query", func(t *testing.T) {
		documented(t, db, folder)
	})
}

// documented runs the DuckDB example from the page on exports, in a folder with the
// files that it names.
func documented(t *testing.T, db *duck.DB, folder string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(testenv.Root(t), "docs", "exports.md"))
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllSubmatch(page, -1)
	if len(examples) == 0 {
		t.Fatal("the page has no SQL")
	}
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Discard() }()
	for _, e := range examples {
		text := strings.NewReplacer("'bars.parquet'", duck.Literal(filepath.Join(folder, "bars.parquet")),
			"'returns.parquet'", duck.Literal(filepath.Join(folder, "returns.parquet")),
			"'allocations.parquet'", duck.Literal(filepath.Join(folder, "allocations.parquet")),
			"'bars/", "'"+folder+"/by-year/").Replace(string(e[1]))
		for statement := range strings.SplitSeq(text, ";") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			rows, err := c.Rows(t.Context(), statement)
			if err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
			n := 0
			for rows.Next() {
				n++
			}
			if err := rows.Err(); err != nil || n == 0 {
				t.Errorf("%d rows, %v: %s", n, err, statement)
			}
			_ = rows.Close()
		}
	}
}

// same checks that two sets of Parquet files have the same rows.
func same(t *testing.T, db *duck.DB, columns, one, two string) {
	t.Helper()
	of := func(path string) string {
		return "(SELECT " + columns + " FROM read_parquet(" + duck.Literal(path) + ", hive_partitioning = true))"
	}
	for _, pair := range [][2]string{{one, two}, {two, one}} {
		if n := numberOf(t, db, "SELECT count(*) FROM ("+of(pair[0])+" EXCEPT ALL "+of(pair[1])+")"); n != 0 {
			t.Errorf("%v rows of %s are not in %s", n, pair[0], pair[1])
		}
	}
}

// numberOf returns the single number that a query returns.
func numberOf(t *testing.T, db *duck.DB, query string) float64 {
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
	var v float64
	if !rows.Next() {
		t.Fatalf("%s: no row", query)
	}
	if err := rows.Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

// download writes an export into a file.
func download(t *testing.T, c *client, target, path string) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, c.url+target, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v: %s", target, response.StatusCode, err, text[:min(len(text), 300)])
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
