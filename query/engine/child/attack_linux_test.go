//go:build duckdb_arrow

package child

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ballast/query/engine"
)

// TestAttacks checks that a statement that tries to reach more than its tables is refused
// or ends at a limit, and that the next statement is answered.
func TestAttacks(t *testing.T) {
	t.Parallel()
	p := testPool(t, 2)
	refused := []string{
		"SELECT * FROM read_text('/etc/passwd')", "SELECT * FROM read_blob('/proc/self/environ')", "FROM '/etc/passwd'",
		"FROM 'https://example.com/a.parquet'", "SELECT * FROM read_parquet('s3://bucket/*')", "SELECT * FROM glob('/**')",
		"SELECT * FROM read_csv('/dev/stdin')", "SELECT * FROM read_json('/etc/hosts')", "SELECT * FROM parquet_metadata('x')",
		"SELECT * FROM sniff_csv('/etc/passwd')", "SELECT getenv('HOME')", "SELECT current_setting('temp_directory')",
		"SELECT * FROM duckdb_settings()", "SELECT * FROM duckdb_views()", "SELECT * FROM duckdb_views", "SELECT * FROM pragma_database_list()",
		"SELECT * FROM duckdb_secrets()", "SELECT * FROM which_secret('s3://x', 's3')", "SELECT * FROM information_schema.tables",
		"SELECT * FROM sqlite_master", "SELECT * FROM pg_catalog.pg_class", "SELECT * FROM system.main.duckdb_settings()",
		"SELECT json_serialize_plan('FROM _visible')", "SELECT list_transform([1], lambda x: getenv('HOME'))", "SELECT COLUMNS(c -> getenv('HOME') = '') FROM range(1)",
		"SELECT main.\"GetEnv\"('HOME')", "SELECT count(*) FILTER (getenv('HOME') = '') FROM range(1)", "DESCRIBE SELECT * FROM read_csv('/etc/passwd')",
		"SELECT * FROM query('SELECT 1')", "SELECT * FROM query_table('_visible')", "SELECT * FROM _visible", "SELECT * FROM temp.main.x",
		"SELECT * FROM json_execute_serialized_sql('{}')", "SELECT (SELECT count(*) FROM read_text('/etc/passwd'))",
		"SELECT 1 WHERE EXISTS (FROM glob('*'))", "WITH x AS (FROM read_text('/etc/passwd')) SELECT * FROM x",
		"WITH duckdb_views AS (SELECT 1) SELECT * FROM duckdb_views", "WITH _visible AS (SELECT 1) SELECT 1 FROM _visible",
		"SELECT * FROM (SELECT 1) t, LATERAL (FROM read_text('/etc/passwd'))", "SELECT 1 UNION ALL FROM read_text('/etc/passwd')",
		"ATTACH '/tmp/x.db'", "COPY (SELECT 1) TO '/tmp/x.csv'", "COPY x FROM '/etc/passwd'", "PRAGMA database_list", "SET threads = 8",
		"RESET memory_limit", "INSTALL httpfs", "LOAD httpfs", "CREATE TABLE x (a INT)", "CREATE SECRET (TYPE s3)", "DROP TABLE x",
		"EXPORT DATABASE '/tmp/x'", "IMPORT DATABASE '/tmp/x'", "CALL pragma_version()", "USE memory", "CHECKPOINT", "VACUUM", "BEGIN",
		"PREPARE x AS SELECT 1", "EXECUTE x", "EXPLAIN SELECT 1", "SHOW TABLES", "SHOW ALL TABLES", "SELECT 1; SELECT 2", "", ";", "--", "/*",
		"SELECT 1\x00", "SELEC 1", "SELECT '", "SELECT 1e999", "SELECT write_log('x')", "UPDATE x SET a = 1", "DELETE FROM x", "INSERT INTO x VALUES (1)",
		strings.Repeat("(", 100_000), "SELECT " + strings.Repeat("(", 20_000) + "1" + strings.Repeat(")", 20_000),
	}
	for _, sql := range refused {
		o := testOrder(sql)
		_, _, err := ask(t, p, o)
		var f *engine.Failure
		if !errors.As(err, &f) || f.Reason != engine.Invalid {
			t.Errorf("%.80q: error %v", sql, err)
			continue
		}
		for _, secret := range []string{"/etc/", "/proc/", "/tmp/", "query-"} {
			if strings.Contains(f.Message, secret) && !strings.Contains(sql, secret) {
				t.Errorf("%.80q tells of %s: %s", sql, secret, f.Message)
			}
		}
	}
	small := func(sql string) *engine.Order {
		o := testOrder(sql)
		o.Limits.Memory, o.Limits.Spill, o.Limits.Time = 64<<20, 16<<20, 2*time.Second
		return o
	}
	for _, sql := range []string{
		"SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = 7",
		"WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
		"WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i FROM n, range(10)) SELECT count(*) FROM n",
		"SELECT list(range) FROM range(1000000000)", "SELECT repeat('x', 1000000000)", "SELECT length(repeat(repeat('x', 100000), 100000))",
		"SELECT * FROM range(100000000) ORDER BY hash(range)", "SELECT string_agg(range::VARCHAR, '') FROM range(1000000000)",
		"SELECT count(DISTINCT hash(range)) FROM generate_series(1, 1000000000)", "SELECT range(1000000000)",
		"SELECT regexp_matches(repeat('a', 1000000), '(a*)*(a*)*b') FROM range(1000000)",
	} {
		_, _, err := ask(t, p, small(sql))
		var f *engine.Failure
		if !errors.As(err, &f) {
			t.Errorf("%s: error %v", sql, err)
		}
	}
	got, _, err := ask(t, p, testOrder("SELECT 42"))
	if err != nil || strings.Join(got, "") != "42" {
		t.Errorf("after the attacks: %v, error %v", got, err)
	}
}

// TestCallersEndTheirStatements checks that a child ends when its caller leaves.
func TestCallersEndTheirStatements(t *testing.T) {
	t.Parallel()
	p := testPool(t, 0)
	o := testOrder("FROM range(1000000000)")
	o.Limits.Rows, o.Limits.Memory = 1<<40, 1<<30
	o.SQL = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = 7"
	start := time.Now()
	ctx, cancel := contextOf(t, 300*time.Millisecond)
	defer cancel()
	if _, err := p.Run(ctx, o); !errors.Is(err, ctx.Err()) || ctx.Err() == nil {
		t.Errorf("error %v", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it ended after %s", took)
	}
}
