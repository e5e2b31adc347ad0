package catalog

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ballast/internal/fault"
	"ballast/storage/duck"
	"ballast/timeseries"
)

// ImportReport says what a catalog file brought.
type ImportReport struct {
	File    string
	Rows    int
	Added   int
	Changed int
	Doubts  []string // what was left out or read with a grain of salt, with counts
}

// Import reads a catalog file (CSV, gzip CSV or Parquet; columns by name) and
// adds or updates its assets by symbol, in one transaction. assetType is what
// the rows are where no column says so; "" takes it from the columns. Nothing
// that a file does not state is guessed.
func Import(ctx context.Context, db *duck.DB, store Store, path, assetType string) (*ImportReport, error) {
	report := &ImportReport{File: filepath.Base(path)}
	var l *listing
	var assets []*Asset
	doubts := map[string]int{}
	err := readTable(ctx, db, path, func(names []string) (err error) {
		l, err = newListing(report.File, names, assetType)
		return err
	}, func(fields []string) error {
		report.Rows++
		a, doubt := l.asset(fields)
		if doubt != "" {
			doubts[doubt]++
		}
		if a != nil {
			assets = append(assets, a)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(assets) == 0 {
		return nil, fault.New(fault.InvalidBody, "%s has no row with a symbol", report.File)
	}
	if report.Added, report.Changed, err = store.UpsertAssets(ctx, assets); err != nil {
		return nil, err
	}
	if twice := len(assets) - distinct(assets); twice > 0 {
		doubts["symbol came before; the last row counts"] = twice
	}
	for text, n := range doubts {
		report.Doubts = append(report.Doubts, fmt.Sprintf("%d rows: %s", n, text))
	}
	slices.Sort(report.Doubts)
	return report, nil
}

func distinct(assets []*Asset) int {
	seen := make(map[string]bool, len(assets))
	for _, a := range assets {
		seen[a.Symbol] = true
	}
	return len(seen)
}

// listingColumns are the names that each field may have, the preferred first.
var listingColumns = map[string][]string{
	"symbol":         {"symbol", "ticker"},
	"name":           {"name", "long_name", "short_name"},
	"type":           {"type", "quote_type", "asset_type"},
	"exchange":       {"exchange"},
	"currency":       {"currency"},
	"sector":         {"sector"},
	"industry":       {"industry"},
	"asset_class":    {"asset_class"},
	"issuer":         {"issuer", "family"},
	"aum":            {"aum", "total_assets_usd", "total_assets"},
	"expense_ratio":  {"expense_ratio"},
	"expense_pct":    {"expense_ratio_pct"},
	"inception_date": {"inception_date"},
	"market_cap":     {"market_cap"},
	"isin":           {"isin"},
	"delisted":       {"delisted"},
	"summary":        {"summary", "description"},
	"crypto":         {"cryptocurrency"},
	"stock":          {"industry_group"},
}

// typeNames are the ways in which files write a type.
var typeNames = map[string]string{
	"etf": "etf", "fund": "fund", "mutualfund": "fund", "mutual_fund": "fund",
	"stock": "stock", "equity": "stock", "crypto": "crypto", "cryptocurrency": "crypto",
}

// assetClasses are the classes of the interface.
var assetClasses = []string{"equity", "fixed_income", "commodity", "currency", "alternatives", "asset_allocation"}

// listing reads rows of a file whose columns are known.
type listing struct {
	column    map[string]int
	assetType string
}

func newListing(file string, names []string, assetType string) (*listing, error) {
	l := &listing{column: map[string]int{}, assetType: assetType}
	position := make(map[string]int, len(names))
	for i, n := range names {
		position[strings.ReplaceAll(strings.ToLower(strings.TrimSpace(n)), " ", "_")] = i
	}
	for field, candidates := range listingColumns {
		for _, c := range candidates {
			if i, ok := position[c]; ok {
				l.column[field] = i
				break
			}
		}
	}
	if _, ok := l.column["symbol"]; !ok {
		return nil, fault.New(fault.InvalidBody, "%s has no column symbol (or ticker); it has %s", file, strings.Join(names, ", "))
	}
	if assetType != "" && !slices.Contains(Types, assetType) {
		return nil, fault.New(fault.InvalidBody, "type %q: accepted are %s", assetType, strings.Join(Types, ", "))
	}
	if assetType == "" {
		l.assetType = l.impliedType(file)
	}
	if _, ok := l.column["type"]; !ok && l.assetType == "" {
		return nil, fault.New(fault.InvalidBody, "nothing in %s says what its rows are; give --type etf, fund, stock or crypto", file)
	}
	return l, nil
}

// impliedType reads the type of all rows from columns that one type alone has,
// else from the file's name.
func (l *listing) impliedType(file string) string {
	if _, ok := l.column["crypto"]; ok {
		return "crypto"
	}
	if _, ok := l.column["stock"]; ok {
		return "stock"
	}
	base := strings.ToLower(file)
	for _, t := range []string{"etf", "fund", "crypto", "equit", "stock"} {
		if strings.Contains(base, t) {
			return map[string]string{"etf": "etf", "fund": "fund", "crypto": "crypto", "equit": "stock", "stock": "stock"}[t]
		}
	}
	return ""
}

// asset reads one row; nil without a symbol.
func (l *listing) asset(fields []string) (a *Asset, doubt string) {
	text := func(field string) string {
		if i, ok := l.column[field]; ok && i < len(fields) {
			return strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(fields[i], "\x00", ""), "\uFFFD"))
		}
		return ""
	}
	a = &Asset{
		Symbol: strings.ToUpper(text("symbol")), Name: text("name"), Type: l.assetType,
		Exchange: text("exchange"), Currency: text("currency"), Sector: text("sector"), Industry: text("industry"),
		Issuer: text("issuer"), ISIN: text("isin"), Summary: text("summary"),
		TaxEvidence: "unclassified", Leverage: 1, InceptionDate: timeseries.NoDate,
		FirstPriceDate: timeseries.NoDate, LastPriceDate: timeseries.NoDate,
	}
	if a.Symbol == "" {
		return nil, "no symbol; left out"
	}
	if a.Name == "" {
		a.Name = a.Symbol
	}
	if t := strings.ToLower(text("type")); t != "" {
		known, ok := typeNames[strings.ReplaceAll(t, " ", "")]
		if !ok {
			return nil, fmt.Sprintf("type %q is none of %s; left out", t, strings.Join(Types, ", "))
		}
		a.Type = known
	}
	if a.Type == "" {
		return nil, "no type; left out"
	}
	if class := strings.ReplaceAll(strings.ToLower(text("asset_class")), " ", "_"); slices.Contains(assetClasses, class) {
		a.AssetClass = class
	}
	a.AUM, a.MarketCap = positive(text("aum")), positive(text("market_cap"))
	a.ExpenseRatio = positive(text("expense_ratio"))
	if percent := positive(text("expense_pct")); percent != nil {
		fraction := *percent / 100
		a.ExpenseRatio = &fraction
	}
	if date, err := timeseries.ParseDate(text("inception_date")); err == nil {
		a.InceptionDate = date
	}
	a.Delisted = slices.Contains([]string{"true", "1", "yes"}, strings.ToLower(text("delisted")))
	return a, ""
}

// positive reads a number that is zero or more; nil for anything else.
func positive(s string) *float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v < 0 || v > 1e18 || v != v {
		return nil
	}
	return &v
}
