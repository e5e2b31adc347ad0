package postgres_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"ballast/catalog/classify"
	"ballast/postgres/postgrestest"
)

// Rows from before the domicile column keep their data, each in its new column.
func TestMigrationMovesSeats(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool, err := pgxpool.New(ctx, postgrestest.New(t))
	must(t, err)
	t.Cleanup(pool.Close)
	db := stdlib.OpenDBFromPool(pool)
	t.Cleanup(func() { _ = db.Close() })
	p, err := goose.NewProvider(goose.DialectPostgres, db, os.DirFS("migrations"))
	must(t, err)
	_, err = p.UpTo(ctx, 24)
	must(t, err)
	for i, row := range []string{
		`'TM', 'stock', 'japan', 'Japan', 'JP3633400001', 'Consumer Cyclical', '[{"field":"type","value":"stock"},{"field":"country","value":"japan"}]'`,
		`'AAPL', 'stock', '', 'United States', 'US0378331005', 'Information Technology', '[]'`,
		`'ODD', 'stock', '', 'United States', 'DE0007236101', 'Widgets', '[]'`,
		`'EWJ', 'etf', 'japan', '', '', '', '[{"field":"country","value":"japan"}]'`,
	} {
		_, err = pool.Exec(ctx, fmt.Sprintf(`insert into assets (id, name, name_words, symbol, type, country, home_country, isin, sector, evidence)
			values ('asset_%032d', 'x', '', %s)`, i, row))
		must(t, err)
	}
	_, err = p.UpTo(ctx, 25)
	must(t, err)
	for symbol, want := range map[string]string{
		"TM": "/japan/consumer_discretionary/domicile", "AAPL": "/united_states/technology/domicile", "ODD": "///", "EWJ": "japan///country",
	} {
		var got string
		must(t, pool.QueryRow(ctx, `select concat_ws('/', country, domicile, sector, coalesce(evidence -> -1 ->> 'field', ''))
			from assets where symbol = $1`, symbol).Scan(&got))
		if got != want {
			t.Errorf("%s: %q, want %q", symbol, got, want)
		}
	}
	var version int
	must(t, pool.QueryRow(ctx, "select version from catalog_state").Scan(&version))
	if version != 1 {
		t.Errorf("the catalog's version is %d, want 1", version)
	}
	_, err = p.DownTo(ctx, 24)
	must(t, err)
	var country string
	must(t, pool.QueryRow(ctx, "select country from assets where symbol = 'TM'").Scan(&country))
	if country != "japan" {
		t.Errorf("taken back, the country is %q", country)
	}
}

// The migration normalises a sector as an import does.
func TestMigrationKnowsSectors(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("migrations/00025_domicile.sql")
	must(t, err)
	found := regexp.MustCompile(`when '([a-z ]+)' then '([a-z_]+)'`).FindAllSubmatch(text, -1)
	if len(found) < 20 {
		t.Fatalf("the migration has %d sectors", len(found))
	}
	for _, m := range found {
		if got, _ := classify.Sector(string(m[1])); got != string(m[2]) {
			t.Errorf("the migration turns %q into %q, an import into %q", m[1], m[2], got)
		}
	}
}
