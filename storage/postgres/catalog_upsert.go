package postgres

import (
	"cmp"
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/catalog"
	"ballast/internal/id"
	"ballast/storage/postgres/internal/dbsqlc"
)

// catalogColumns are what a catalog record states, besides id and symbol; the
// rest of an asset's row belongs to its bars.
var catalogColumns = []string{
	"name", "type", "exchange", "currency", "country", "sector", "industry", "asset_class", "wrapper",
	"legal_structure", "tax_form", "tax_evidence", "leverage", "inverse", "hedged", "issuer", "tags", "market_cap",
	"aum", "expense_ratio", "inception_date", "delisted", "isin", "summary",
}

// UpsertAssets adds or updates catalog records by symbol. Of a symbol that
// comes twice the last record counts; records that say nothing new are neither
// added nor changed.
func (db *DB) UpsertAssets(ctx context.Context, assets []*catalog.Asset) (added, changed int, err error) {
	last := make(map[string]*catalog.Asset, len(assets))
	for _, a := range assets {
		last[strings.ToUpper(a.Symbol)] = a
	}
	rows := make([][]any, 0, len(last))
	for symbol, a := range last {
		rows = append(rows, catalogRow(symbol, a))
	}
	err = db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if added, changed, err = mergeAssets(ctx, tx, rows); err != nil || added+changed == 0 {
			return err
		}
		return q.CatalogChanged(ctx)
	})
	return added, changed, wrap(err, "update the catalog")
}

func mergeAssets(ctx context.Context, tx pgx.Tx, rows [][]any) (added, changed int, err error) {
	columns := append([]string{"id", "symbol", "words"}, catalogColumns...)
	if _, err := tx.Exec(ctx, `create temporary table incoming on commit drop as
		select id, symbol, ''::text as words, `+strings.Join(catalogColumns, ", ")+" from assets with no data"); err != nil {
		return 0, 0, err
	}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"incoming"}, columns, pgx.CopyFromRows(rows)); err != nil {
		return 0, 0, err
	}
	var set, old, given []string
	for _, c := range catalogColumns {
		set = append(set, c+" = excluded."+c)
		old = append(old, "a."+c)
		given = append(given, "excluded."+c)
	}
	set = append(set, "name_words = excluded.name_words")
	// A row that this statement inserted has no xmax yet; one that it updated has.
	err = tx.QueryRow(ctx, `with merged as (
		insert into assets as a (id, symbol, `+strings.Join(catalogColumns, ", ")+`, name_words)
		select id, symbol, `+strings.Join(catalogColumns, ", ")+`, array_to_tsvector(string_to_array(words, ' '))
		from incoming order by symbol
		on conflict (symbol) do update set `+strings.Join(set, ", ")+`
		where (`+strings.Join(old, ", ")+`) is distinct from (`+strings.Join(given, ", ")+`)
		returning xmax = 0 as added)
		select count(*) filter (where added), count(*) filter (where not added) from merged`).Scan(&added, &changed)
	return added, changed, err
}

// catalogRow gives id, symbol, words and the catalogColumns of a record.
func catalogRow(symbol string, a *catalog.Asset) []any {
	name := cmp.Or(a.Name, symbol)
	tags := a.Tags
	if tags == nil {
		tags = []string{}
	}
	return []any{
		cmp.Or(a.ID, id.New(id.Asset)), symbol, nameWords(name),
		name, a.Type, a.Exchange, a.Currency, a.Country, a.Sector, a.Industry, a.AssetClass, a.Wrapper,
		a.LegalStructure, a.TaxForm, cmp.Or(a.TaxEvidence, "unclassified"), a.Leverage, a.Inverse, a.Hedged, a.Issuer,
		tags, a.MarketCap, a.AUM, a.ExpenseRatio, toDate(a.InceptionDate), a.Delisted, a.ISIN, a.Summary,
	}
}

// nameWords is the words of a name, apart by spaces.
func nameWords(name string) string { return strings.Join(catalog.Words(name), " ") }
