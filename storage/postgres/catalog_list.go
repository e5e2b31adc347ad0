package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/catalog"
)

// assetColumns are the columns of an assetRow, in its order.
const assetColumns = `id, symbol, name, type, exchange, currency, country, sector, industry, asset_class, wrapper,
	legal_structure, tax_form, tax_evidence, leverage, inverse, hedged, issuer, tags, market_cap, aum, expense_ratio,
	inception_date, delisted, isin, summary, first_price_date, last_price_date, seven_day, convention, bars_version`

// assetSorts are the columns behind the sorts of a list.
var assetSorts = map[string]string{
	"":                 "symbol",
	"symbol":           "symbol",
	"name":             "name_folded",
	"aum":              "aum",
	"expense_ratio":    "expense_ratio",
	"leverage":         "leverage",
	"first_price_date": "first_price_date",
}

// Assets returns a page and the total before paging.
func (db *DB) Assets(ctx context.Context, f catalog.Filter) ([]*catalog.Asset, int, error) {
	where, order, args, err := assetList(f)
	if err != nil {
		return nil, 0, err
	}
	var batch pgx.Batch
	var total int
	var page []assetRow
	batch.Queue("select count(*) from assets where "+where, args).QueryRow(func(row pgx.Row) error {
		return row.Scan(&total)
	})
	batch.Queue("select "+assetColumns+" from assets where "+where+" order by "+order+" limit @limit offset @offset", args).
		Query(func(rows pgx.Rows) error {
			page, err = pgx.CollectRows(rows, pgx.RowToStructByPos[assetRow])
			return err
		})
	if err := db.pool.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, 0, wrap(err, "list assets")
	}
	out := make([]*catalog.Asset, len(page))
	for i, row := range page {
		out[i] = assetOf(row)
	}
	return out, total, nil
}

// assetList writes the condition and the order of a list.
func assetList(f catalog.Filter) (where, order string, args pgx.NamedArgs, err error) {
	conditions := []string{"true"}
	args = pgx.NamedArgs{"limit": f.Limit, "offset": f.Offset}
	if !f.Delisted {
		conditions = append(conditions, "not delisted")
	}
	if f.Type != "" {
		conditions = append(conditions, "type = @type")
		args["type"] = f.Type
	}
	query := strings.TrimSpace(f.Query)
	if query != "" {
		args["symbol"] = strings.ToUpper(query)
		args["prefix"] = likePrefix(strings.ToUpper(query))
		condition := "symbol like @prefix"
		if words := wordQuery(query); words != "" {
			condition = "(symbol like @prefix or name_words @@ @words::tsquery)"
			args["words"] = words
		}
		conditions = append(conditions, condition)
	}
	column, ok := assetSorts[f.Sort]
	if !ok {
		return "", "", nil, fmt.Errorf("list assets: no sort %q", f.Sort)
	}
	direction := "desc"
	if f.Ascending {
		direction = "asc"
	}
	order = fmt.Sprintf("%s %s nulls last, symbol", column, direction)
	switch {
	case query != "" && f.Sort == "":
		order = "case when symbol = @symbol then 0 when symbol like @prefix then 1 else 2 end, symbol"
	case column == "symbol":
		order = "symbol " + direction
	}
	return strings.Join(conditions, " and "), order, args, nil
}

// likePrefix is a pattern of what begins with s.
func likePrefix(s string) string { return likeQuoter.Replace(s) + "%" }

var likeQuoter = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// wordQuery asks for names in which every word occurs as a word or its
// beginning; "" where the text has no words. Words are letters and digits, so
// nothing in them needs quoting.
func wordQuery(text string) string {
	words := catalog.Words(text)
	for i, w := range words {
		words[i] = "'" + w + "':*"
	}
	return strings.Join(words, " & ")
}
