package postgres

import (
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/catalog"
)

// assetColumns are the columns of an assetRow, in its order.
const assetColumns = `id, symbol, name, type, exchange, currency, country, domicile, sector, industry, asset_class, wrapper,
	legal_structure, tax_form, tax_evidence, leverage, inverse, hedged, issuer, family, tags, market_cap, aum, expense_ratio,
	inception_date, delisted, isin, summary, first_price_date, last_price_date, seven_day, convention, bars_version`

// conditions are joined by "and" and name their arguments.
type conditions struct {
	list []string
	args pgx.NamedArgs
}

func (c *conditions) add(condition, name string, value any) {
	c.list = append(c.list, condition)
	if name != "" {
		c.args[name] = value
	}
}

// assetList returns the condition of a list, with its arguments.
func assetList(f catalog.Filter) (where string, args pgx.NamedArgs) {
	c := conditions{list: []string{"true"}, args: pgx.NamedArgs{}}
	if !f.Delisted {
		c.add("not delisted", "", nil)
	}
	for column, value := range map[string]string{
		"type": f.Type, "tax_form": f.TaxForm, "legal_structure": f.LegalStructure, "asset_class": f.AssetClass, "country": f.Country,
		"domicile": f.Domicile,
	} {
		if value != "" {
			c.add(column+" = @"+column, column, strings.ToLower(strings.TrimSpace(value)))
		}
	}
	for column, value := range map[string]string{"exchange": f.Exchange, "sector": f.SectorValue()} {
		if value != "" {
			c.add("lower("+column+") = @"+column, column, strings.ToLower(strings.TrimSpace(value)))
		}
	}
	if issuer := strings.TrimSpace(f.Issuer); issuer != "" {
		c.add("(lower(issuer) like @issuer or lower(family) like @issuer)", "issuer", likePrefix(strings.ToLower(issuer)))
	}
	c.addTags(f)
	c.addBounds(f)
	c.addQuery(strings.TrimSpace(f.Query))
	return strings.Join(c.list, " and "), c.args
}

func (c *conditions) addTags(f catalog.Filter) {
	if len(f.Tags) > 0 {
		c.add("tags && @tags::text[]", "tags", f.Tags)
	}
	if len(f.TagsAll) > 0 {
		c.add("tags @> @tags_all::text[]", "tags_all", f.TagsAll)
	}
	if len(f.TagsNone) > 0 {
		c.add("not tags && @tags_none::text[]", "tags_none", f.TagsNone)
	}
}

func (c *conditions) addBounds(f catalog.Filter) {
	if f.LeverageMin != nil {
		c.add("leverage >= @leverage_min", "leverage_min", *f.LeverageMin)
	}
	if f.LeverageMax != nil {
		c.add("leverage <= @leverage_max", "leverage_max", *f.LeverageMax)
	}
	if f.MinMarketCap != nil {
		c.add("greatest(market_cap, aum) >= @size", "size", *f.MinMarketCap)
	}
	if f.MaxFirstPriceDate != nil {
		c.add("first_price_date <= @first_price_date", "first_price_date", toDate(*f.MaxFirstPriceDate))
	}
}

// addQuery matches tickers with the prefix, and names with every word.
func (c *conditions) addQuery(query string) {
	if query == "" {
		return
	}
	words := wordQuery(query)
	if words == "" {
		c.add("symbol like @prefix", "prefix", likePrefix(strings.ToUpper(query)))
		return
	}
	c.args["words"] = words
	c.add("(symbol like @prefix or name_words @@ @words::tsquery)", "prefix", likePrefix(strings.ToUpper(query)))
}

// likePrefix returns a pattern for texts with the prefix s.
func likePrefix(s string) string { return likeQuoter.Replace(s) + "%" }

var likeQuoter = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// wordQuery returns a query for names in which every word of the text occurs as a word
// or as the beginning of one; "" if the text has no words. Words are letters and
// digits, so nothing in them needs quoting.
func wordQuery(text string) string {
	words := catalog.Words(text)
	for i, w := range words {
		words[i] = "'" + w + "':*"
	}
	return strings.Join(words, " & ")
}
