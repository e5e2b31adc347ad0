package console

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ballast/catalog"
	"ballast/internal/fault"
	"ballast/timeseries"
)

// mostQuery is how many bytes a search may have.
const mostQuery = 200

// screenerPage is the list of assets with its filters.
type screenerPage struct {
	Query    string
	Delisted bool
	Facets   []facet
	Columns  []column
	Shown    []string // the optional columns that are shown
	Optional []optionalColumn
	Rows     []assetRow
	Pager    pager
	Sort     string
}

// facet is a field by which assets are filtered.
type facet struct {
	Name, Title, Value string
	Counts             []catalog.Count
}

// assetRow is an asset, with a cell for each column.
type assetRow struct {
	Symbol, Name string
	Cells        []cell
}

type cell struct {
	Text   string
	Number bool
}

// optionalColumn is a column that the reader may choose.
type optionalColumn struct {
	Key, Title string
	Sort       string // key of catalog.Sorts; "" if the list cannot be sorted by it
	number     bool
	Checked    bool
	text       func(a *catalog.Asset) string
}

// optionalColumns are the columns besides symbol and name. The first ones are shown
// unless the address names others.
var optionalColumns = []optionalColumn{
	{Key: "type", Title: "Type", text: func(a *catalog.Asset) string { return a.Type }},
	{Key: "asset_class", Title: "Asset class", text: func(a *catalog.Asset) string { return a.AssetClass }},
	{Key: "aum", Title: "Assets, USD m", Sort: "aum", number: true, text: func(a *catalog.Asset) string { return million(a.AUM) }},
	{Key: "expense_ratio", Title: "Expense ratio", Sort: "expense_ratio", number: true, text: func(a *catalog.Asset) string {
		if a.ExpenseRatio == nil {
			return "–"
		}
		return fmt.Sprintf("%.2f %%", 100**a.ExpenseRatio)
	}},
	{Key: "first", Title: "First bar", Sort: "first_price_date", text: func(a *catalog.Asset) string {
		if a.FirstPriceDate == timeseries.NoDate {
			return "–"
		}
		return a.FirstPriceDate.String()
	}},
	{Key: "leverage", Title: "Leverage", Sort: "leverage", number: true, text: func(a *catalog.Asset) string { return strconv.FormatFloat(a.Leverage, 'f', -1, 64) }},
	{Key: "exchange", Title: "Exchange", text: func(a *catalog.Asset) string { return a.Exchange }},
	{Key: "sector", Title: "Sector", text: func(a *catalog.Asset) string { return a.Sector }},
	{Key: "issuer", Title: "Issuer", text: func(a *catalog.Asset) string { return a.Issuer }},
	{Key: "country", Title: "Country", text: func(a *catalog.Asset) string { return a.Country }},
	{Key: "tax_form", Title: "Tax form", text: func(a *catalog.Asset) string { return a.TaxForm }},
	{Key: "structure", Title: "Legal structure", text: func(a *catalog.Asset) string { return a.LegalStructure }},
}

// shownAtFirst is how many of the optional columns are shown by default.
const shownAtFirst = 5

func million(v *float64) string {
	if v == nil || math.IsNaN(*v) {
		return "–"
	}
	return strconv.FormatFloat(*v/1e6, 'f', 0, 64)
}

func (c *Console) screen(r *request) (view, error) {
	page, err := r.pageNumber()
	if err != nil {
		return view{}, err
	}
	query := r.URL.Query()
	p := &screenerPage{Query: query.Get("q"), Delisted: query.Get("delisted") == "true", Sort: query.Get("sort")}
	if len(p.Query) > mostQuery {
		return view{}, fault.New(fault.InvalidParameter, "The search has more than %d bytes. Search for less.", mostQuery)
	}
	by, descending := strings.CutPrefix(p.Sort, "-")
	if by != "" && !slices.Contains(catalog.Sorts, by) {
		return view{}, fault.New(fault.InvalidParameter, "The list cannot be sorted by %q.", p.Sort).
			With(fault.Detail{Field: "sort", Message: "is not a column; a leading minus reverses the order", Accepted: catalog.Sorts})
	}
	f := catalog.Filter{
		Query: p.Query, Type: query.Get("type"), AssetClass: query.Get("asset_class"), Exchange: query.Get("exchange"), Sector: query.Get("sector"),
		Issuer: query.Get("issuer"), Country: query.Get("country"), TaxForm: query.Get("tax_form"), LegalStructure: query.Get("structure"), Delisted: p.Delisted,
		Sort: by, Ascending: !descending, Limit: pageSize, Offset: (page - 1) * pageSize, Facets: true,
	}
	found, err := c.Catalog.Assets(r.Context(), f)
	if err != nil {
		return view{}, err
	}
	p.Facets, p.Pager = facetsOf(found.Facets, query), r.pages(page, found.Total)
	p.choose(r, query["column"], by, descending)
	for _, a := range found.Assets {
		p.Rows = append(p.Rows, p.row(a))
	}
	return view{Template: "screener.html", Title: "Assets", Section: Root + "/screener", Data: p}, nil
}

// facetsOf returns the fields by which to filter, with the values that assets have.
func facetsOf(f *catalog.Facets, query url.Values) []facet {
	if f == nil {
		return nil
	}
	all := []facet{
		{"type", "Type", "", f.Type}, {"asset_class", "Asset class", "", f.AssetClass}, {"exchange", "Exchange", "", f.Exchange}, {"sector", "Sector", "", f.Sector},
		{"issuer", "Issuer", "", f.Issuer}, {"country", "Country", "", f.Country}, {"tax_form", "Tax form", "", f.TaxForm}, {"structure", "Legal structure", "", f.LegalStructure},
	}
	for i := range all {
		value := query.Get(all[i].Name)
		all[i].Value = value
		all[i].Counts = slices.DeleteFunc(slices.Clone(all[i].Counts), func(c catalog.Count) bool { return c.N == 0 && c.Value != value })
		if value != "" && !slices.ContainsFunc(all[i].Counts, func(c catalog.Count) bool { return c.Value == value }) {
			all[i].Counts = append(all[i].Counts, catalog.Count{Value: value})
		}
	}
	return all
}

// choose decides which columns are shown: those that the address names, or the first ones.
func (p *screenerPage) choose(r *request, named []string, by string, descending bool) {
	p.Optional = slices.Clone(optionalColumns)
	p.Columns = []column{p.heading(r, "Symbol", "symbol", false, by, descending), p.heading(r, "Name", "name", false, by, descending)}
	for i := range p.Optional {
		o := &p.Optional[i]
		o.Checked = slices.Contains(named, o.Key) || len(named) == 0 && i < shownAtFirst
		if o.Checked {
			p.Shown = append(p.Shown, o.Key)
			p.Columns = append(p.Columns, p.heading(r, o.Title, o.Sort, o.number, by, descending))
		}
	}
}

// heading returns a heading that sorts by its column, the least first, or reverses the
// order if the list is sorted by it.
func (p *screenerPage) heading(r *request, title, key string, number bool, by string, descending bool) column {
	h := column{Name: title, Number: number}
	if key == "" {
		return h
	}
	sort := key
	if by == key {
		h.Order = "descending"
		if !descending {
			h.Order, sort = "ascending", "-"+key
		}
	}
	h.Address = r.with("page", "", "sort", sort)
	return h
}

func (p *screenerPage) row(a *catalog.Asset) assetRow {
	row := assetRow{Symbol: a.Symbol, Name: a.Name}
	for _, o := range p.Optional {
		if o.Checked {
			row.Cells = append(row.Cells, cell{o.text(a), o.number})
		}
	}
	return row
}

// useAsUniverse goes to the form of a new model with the chosen assets as its members.
func (c *Console) useAsUniverse(r *request) (view, error) {
	members := r.PostForm["member"]
	if len(members) == 0 || len(members) > mostRows {
		return view{}, fault.New(fault.InvalidBody, "%d assets are chosen. Choose 1 to %d and press Use as universe again.", len(members), mostRows)
	}
	return view{Next: Root + "/new?" + url.Values{"from": {fromForm}, "members": {strings.Join(members, ",")}}.Encode()}, nil
}
