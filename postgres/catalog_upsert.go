package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/internal/id"
	"ballast/postgres/internal/dbsqlc"
)

// catalogColumns are the columns that listings fill, besides id and symbol. The other
// columns of an asset's row describe its bars.
var catalogColumns = []string{
	"name", "type", "exchange", "currency", "country", "domicile", "sector", "industry", "asset_class", "wrapper",
	"legal_structure", "tax_form", "tax_evidence", "leverage", "inverse", "hedged", "issuer", "family", "tags", "market_cap",
	"aum", "expense_ratio", "inception_date", "delisted", "isin", "summary",
	"category", "category_group", "legal_type", "home_country", "evidence",
}

// storedStep is the number of rows copied between two progress reports.
const storedStep = 5000

// MergeListings stores the listings that merge returns: they are copied into a
// temporary table and then merged by one statement.
func (db *DB) MergeListings(
	ctx context.Context, symbols []string, merge func(map[string]*catalog.Listing) ([]*catalog.Listing, error), progress func(done, total int),
) (added, changed int, err error) {
	err = db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		// The lock lasts until the transaction ends, so the listings that merge reads
		// do not change before its result is stored.
		if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1)", int64(catalogLock)); err != nil {
			return err
		}
		stored, err := storedListings(ctx, tx, symbols)
		if err != nil {
			return err
		}
		listings, err := merge(stored)
		if err != nil || len(listings) == 0 {
			return err
		}
		if added, changed, err = storeListings(ctx, tx, listings, progress); err != nil {
			return err
		}
		return q.CatalogChanged(ctx)
	})
	return added, changed, wrap(err, "update the catalog")
}

// listingRow is a listing as the query returns it.
type listingRow struct {
	assetRow
	Category, CategoryGroup, LegalType, HomeCountry string
	Evidence                                        []byte
}

func storedListings(ctx context.Context, tx pgx.Tx, symbols []string) (map[string]*catalog.Listing, error) {
	rows, err := tx.Query(ctx, "select "+assetColumns+`, category, category_group, legal_type, home_country, evidence
		from assets where symbol = any($1)`, symbols)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[listingRow])
	if err != nil {
		return nil, err
	}
	out := make(map[string]*catalog.Listing, len(found))
	for _, r := range found {
		l := &catalog.Listing{
			Asset: *assetOf(r.assetRow), Category: r.Category, CategoryGroup: r.CategoryGroup,
			LegalType: r.LegalType, HomeCountry: r.HomeCountry,
		}
		if l.Evidence, err = evidenceOf(r.Evidence); err != nil {
			return nil, err
		}
		out[l.Symbol] = l
	}
	return out, nil
}

func storeListings(ctx context.Context, tx pgx.Tx, listings []*catalog.Listing, progress func(done, total int)) (added, changed int, err error) {
	listed := strings.Join(catalogColumns, ", ")
	if _, err := tx.Exec(ctx, `create temporary table incoming on commit drop as
		select id, symbol, ''::text as words, `+listed+" from assets with no data"); err != nil {
		return 0, 0, err
	}
	done := 0
	rows := pgx.CopyFromFunc(func() ([]any, error) {
		if done%storedStep == 0 || done == len(listings) {
			progress(done, len(listings))
		}
		if done == len(listings) {
			return nil, nil
		}
		done++
		return listingValues(listings[done-1])
	})
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"incoming"}, slices.Concat([]string{"id", "symbol", "words"}, catalogColumns), rows); err != nil {
		return 0, 0, err
	}
	var set []string
	for _, c := range catalogColumns {
		set = append(set, c+" = excluded."+c)
	}
	// A row that this statement inserted has no xmax yet; one that it updated has.
	err = tx.QueryRow(ctx, `with merged as (
		insert into assets as a (id, symbol, `+listed+`, name_words)
		select id, symbol, `+listed+`, array_to_tsvector(string_to_array(words, ' '))
		from incoming
		on conflict (symbol) do update set `+strings.Join(set, ", ")+`, name_words = excluded.name_words
		returning xmax = 0 as added)
		select count(*) filter (where added), count(*) filter (where not added) from merged`).Scan(&added, &changed)
	return added, changed, err
}

// listingValues returns the id, symbol, words and catalogColumns of a listing.
func listingValues(l *catalog.Listing) ([]any, error) {
	name := cmp.Or(l.Name, l.Symbol)
	tags := l.Tags
	if tags == nil {
		tags = []string{}
	}
	grounds, err := evidenceText(l.Evidence)
	if err != nil {
		return nil, err
	}
	return []any{
		cmp.Or(l.ID, id.New(id.Asset)), l.Symbol, nameWords(name),
		name, l.Type, l.Exchange, l.Currency, l.Country, l.Domicile, l.Sector, l.Industry, l.AssetClass, l.Wrapper,
		l.LegalStructure, l.TaxForm, cmp.Or(l.TaxEvidence, "unclassified"), l.Leverage, l.Inverse, l.Hedged, l.Issuer, l.Family,
		tags, l.MarketCap, l.AUM, l.ExpenseRatio, toDate(l.InceptionDate), l.Delisted, l.ISIN, l.Summary,
		l.Category, l.CategoryGroup, l.LegalType, l.HomeCountry, grounds,
	}, nil
}

// nameWords returns the words of a name, separated by spaces.
func nameWords(name string) string { return strings.Join(catalog.Words(name), " ") }

// evidence is the stored form of the evidence for a field.
type evidence struct {
	Field   string `json:"field"`
	Value   string `json:"value"`
	Source  string `json:"source"`
	Words   string `json:"words,omitempty"`
	Derived bool   `json:"derived,omitempty"`
}

func evidenceText(list []classify.Evidence) (json.RawMessage, error) {
	stored := make([]evidence, len(list))
	for i, e := range list {
		stored[i] = evidence(e)
	}
	return json.Marshal(stored)
}

func evidenceOf(text []byte) ([]classify.Evidence, error) {
	var stored []evidence
	if err := json.Unmarshal(text, &stored); err != nil {
		return nil, fmt.Errorf("read stored evidence: %w", err)
	}
	out := make([]classify.Evidence, len(stored))
	for i, e := range stored {
		out[i] = classify.Evidence(e)
	}
	return out, nil
}
