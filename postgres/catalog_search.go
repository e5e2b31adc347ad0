package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/catalog"
)

// SearchAssets returns up to n assets with stored bars whose name or symbol matches
// some of the words, best matches first.
func (db *DB) SearchAssets(ctx context.Context, words string, n int) ([]*catalog.Asset, error) {
	list := catalog.Words(words)
	if len(list) == 0 || n <= 0 {
		return nil, nil
	}
	terms, symbols := make([]string, len(list)), make([]string, len(list))
	for i, w := range list {
		terms[i], symbols[i] = "'"+w+"':*", strings.ToUpper(w)
	}
	rows, err := db.pool.Query(ctx, "select "+assetColumns+` from assets
		where bars_version > 0 and not delisted and (symbol = any(@symbols) or name_words @@ @words::tsquery)
		order by symbol = any(@symbols) desc, ts_rank(name_words, @words::tsquery) desc, aum desc nulls last, symbol
		limit @n`, pgx.NamedArgs{"symbols": symbols, "words": strings.Join(terms, " | "), "n": n})
	if err != nil {
		return nil, wrap(err, "search assets")
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[assetRow])
	if err != nil {
		return nil, wrap(err, "search assets")
	}
	out := make([]*catalog.Asset, len(found))
	for i, row := range found {
		out[i] = assetOf(row)
	}
	return out, nil
}
