package api

import (
	"cmp"

	"ballast/api/transport"
	"ballast/catalog"
	"ballast/catalog/backfill"
	"ballast/catalog/classify"
	"ballast/internal/number"
	"ballast/metrics"
	"ballast/program/backfills"
	"ballast/program/history"
	"ballast/timeseries"
)

// AssetBody is a catalog record. It is exported so that other wire types can embed
// it.
type AssetBody struct {
	ID             string           `json:"id" example:"asset_0192f3a4b5c67d8e9f0a1b2c3d4e5f60"`
	Symbol         string           `json:"symbol"`
	Name           string           `json:"name"`
	Type           *string          `json:"type" enum:"etf,fund,stock,crypto"`
	Exchange       *string          `json:"exchange"`
	Currency       *string          `json:"currency"`
	Country        *string          `json:"country" doc:"Set if a fund's name states exactly one country; null for stocks"`
	Domicile       *string          `json:"domicile" doc:"The country where a stock's company is based; null for funds and coins" example:"united_states"`
	Sector         *string          `json:"sector" doc:"One of the values of the sector tags, whatever the source calls it" example:"health_care"`
	Industry       *string          `json:"industry"`
	AssetClass     *string          `json:"asset_class"`
	Wrapper        *string          `json:"wrapper"`
	LegalStructure *string          `json:"legal_structure"`
	TaxForm        *string          `json:"tax_form"`
	TaxEvidence    string           `json:"tax_evidence" enum:"stated,derived,unclassified"`
	Leverage       number.Float     `json:"leverage" doc:"Signed daily multiple; 1 if the asset is not leveraged"`
	Inverse        bool             `json:"inverse"`
	Hedged         bool             `json:"hedged"`
	Issuer         *string          `json:"issuer"`
	Tags           []string         `json:"tags" doc:"dimension:value"`
	MarketCap      *float64         `json:"market_cap" doc:"USD"`
	AUM            *float64         `json:"aum" doc:"USD"`
	ExpenseRatio   *float64         `json:"expense_ratio" doc:"Annual fraction"`
	InceptionDate  *timeseries.Date `json:"inception_date"`
	FirstPriceDate *timeseries.Date `json:"first_price_date"`
	LastPriceDate  *timeseries.Date `json:"last_price_date"`
	PriceCoverage  string           `json:"price_coverage" enum:"stored,catalog" doc:"stored if bars are stored, catalog if only the catalog knows the asset"`
	Delisted       bool             `json:"delisted"`
	Backfill       *backfillBody    `json:"backfill" doc:"The caller's backfill rule"`
	ISIN           *string          `json:"isin"`
	Summary        *string          `json:"summary"`
}

func taxEvidence(a *catalog.Asset) string { return cmp.Or(a.TaxEvidence, "unclassified") }

// assetRecordBody is one asset's record, with the evidence for its classification.
type assetRecordBody struct {
	AssetBody
	Evidence []evidenceBody `json:"classification_evidence" doc:"For each classified field, the words that it was derived from"`

	source   *catalog.Asset
	evidence []classify.Evidence
	backfill *backfills.Backfill // the caller's rule, or nil
}

type evidenceBody struct {
	Field   string `json:"field" example:"leverage"`
	Value   string `json:"value" example:"-3"`
	Source  string `json:"source" doc:"Field of the listing that the words come from; file if the catalog file states the value" example:"name"`
	Words   string `json:"words" doc:"The words in that field, case and accents ignored; for a stated value, the column" example:"ultrapro short"`
	Derived bool   `json:"derived" doc:"The words do not state the value; it follows from them by a rule"`
}

// AppendJSON implements appender.
func (r *assetRecordBody) AppendJSON(b []byte) ([]byte, error) {
	b, err := appendAsset(append(b, '{'), r.source, r.backfill)
	if err != nil {
		return nil, err
	}
	b = append(b, `,"classification_evidence":[`...)
	for i, e := range r.evidence {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = transport.AppendValue(b, evidenceBody(e)); err != nil {
			return nil, err
		}
	}
	return append(b, `]}`...), nil
}

// assetPageBody is a page of records. It writes its own JSON; the exported fields
// only describe it in the OpenAPI document.
type assetPageBody struct {
	Data   []*AssetBody `json:"data"`
	Total  int          `json:"total" doc:"Rows before paging"`
	Facets *facetsBody  `json:"facets,omitempty" doc:"With include=facets: how many of the assets that pass the filters, on all pages, have each value. Closed lists are complete"`

	source    *catalog.Page
	backfills map[string]*backfills.Backfill // the caller's rules, by asset id
}

// facetsBody counts assets by the values of their fields.
type facetsBody struct {
	Type           map[string]int            `json:"type"`
	AssetClass     map[string]int            `json:"asset_class"`
	Exchange       map[string]int            `json:"exchange" doc:"Only exchanges that occur"`
	Sector         map[string]int            `json:"sector"`
	TaxForm        map[string]int            `json:"tax_form"`
	LegalStructure map[string]int            `json:"legal_structure"`
	Country        map[string]int            `json:"country"`
	Domicile       map[string]int            `json:"domicile"`
	Issuer         map[string]int            `json:"issuer" doc:"The 50 most frequent, most frequent first"`
	Leverage       map[string]int            `json:"leverage" doc:"Only the signed multiples that occur"`
	Tags           map[string]map[string]int `json:"tags" doc:"By dimension, with every value of the vocabulary"`
}

// assetHistoryBody holds an asset's daily total returns. It writes its own JSON; the
// exported fields only describe it in the OpenAPI document.
type assetHistoryBody struct {
	Asset    assetReferenceBody `json:"asset"`
	Status   string             `json:"status" enum:"ready,fetching"`
	DataEdge *timeseries.Date   `json:"data_edge" doc:"Date of the last stored bar, whatever the window"`
	Base     *timeseries.Date   `json:"base" doc:"The session before the window's first return, which is measured from its close"`
	Dates    []timeseries.Date  `json:"dates"`
	Returns  number.Floats      `json:"returns" doc:"Daily total returns, as fractions"`
	Spliced  []backfill.Splice  `json:"spliced" doc:"The spans that a backfill put before the asset's own bars"`
	Metrics  *metrics.Block     `json:"metrics,omitempty"`

	source *catalog.History
}

type assetReferenceBody struct {
	ID     string `json:"id"`
	Symbol string `json:"symbol"`
	Name   string `json:"name"`
}

func (h *assetHistoryBody) status() string {
	if h.source.Fetching {
		return "fetching"
	}
	return "ready"
}

// AppendJSON implements appender.
func (h *assetHistoryBody) AppendJSON(b []byte) ([]byte, error) {
	p := h.source
	b, err := transport.AppendValue(append(b, `{"asset":`...), assetReferenceBody{ID: p.Asset.ID, Symbol: p.Asset.Symbol, Name: p.Asset.Name})
	if err != nil {
		return nil, err
	}
	b = transport.AppendText(append(b, `,"status":`...), h.status())
	b = transport.AppendDate(append(b, `,"data_edge":`...), p.DataEdge)
	b = transport.AppendDate(append(b, `,"base":`...), p.Base)
	b = transport.AppendDates(append(b, `,"dates":`...), p.Dates)
	b = transport.AppendFloats(append(b, `,"returns":`...), p.Returns)
	if b, err = transport.AppendValue(append(b, `,"spliced":`...), listed(p.Spliced)); err != nil {
		return nil, err
	}
	if p.Metrics != nil {
		if b, err = transport.AppendValue(append(b, `,"metrics":`...), p.Metrics); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// Table implements tabular.
func (h *assetHistoryBody) Table() (transport.Table, error) {
	p := h.source
	about, err := transport.AppendValue(nil, struct {
		Asset    assetReferenceBody `json:"asset"`
		Status   string             `json:"status"`
		DataEdge *timeseries.Date   `json:"data_edge"`
		Base     *timeseries.Date   `json:"base"`
		Spliced  []backfill.Splice  `json:"spliced"`
		Metrics  *metrics.Block     `json:"metrics,omitempty"`
	}{
		assetReferenceBody{ID: p.Asset.ID, Symbol: p.Asset.Symbol, Name: p.Asset.Name}, h.status(), dateOrNull(p.DataEdge),
		dateOrNull(p.Base), listed(p.Spliced), p.Metrics,
	})
	return &history.DayTable{Dates: p.Dates, Names: []string{"returns"}, Columns: [][]float64{p.Returns}, About: about}, err
}
