package api

import (
	"encoding/json"

	"ballast/catalog"
	"ballast/internal/number"
	"ballast/metrics"
	"ballast/program"
	"ballast/timeseries"
)

// assetBody is a catalog record.
type assetBody struct {
	ID             string           `json:"id" example:"asset_0192f3a4b5c67d8e9f0a1b2c3d4e5f60"`
	Symbol         string           `json:"symbol"`
	Name           string           `json:"name"`
	Type           *string          `json:"type" enum:"etf,fund,stock,crypto"`
	Exchange       *string          `json:"exchange"`
	Currency       *string          `json:"currency"`
	Country        *string          `json:"country" doc:"Set when the name states exactly one country"`
	Sector         *string          `json:"sector"`
	Industry       *string          `json:"industry"`
	AssetClass     *string          `json:"asset_class"`
	Wrapper        *string          `json:"wrapper"`
	LegalStructure *string          `json:"legal_structure"`
	TaxForm        *string          `json:"tax_form"`
	TaxEvidence    string           `json:"tax_evidence" enum:"stated,derived,unclassified"`
	Leverage       number.Float     `json:"leverage" doc:"Signed, 1 without"`
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
	PriceCoverage  string           `json:"price_coverage" enum:"stored,catalog" doc:"Whether bars are stored, or the catalog alone knows the asset"`
	Delisted       bool             `json:"delisted"`
	Backfill       *json.RawMessage `json:"backfill" doc:"The caller's backfill rule"`
	ISIN           *string          `json:"isin"`
	Summary        *string          `json:"summary"`
}

func assetBodyOf(a *catalog.Asset) *assetBody {
	b := &assetBody{
		ID: a.ID, Symbol: a.Symbol, Name: a.Name, Type: textOrNull(a.Type), Exchange: textOrNull(a.Exchange),
		Currency: textOrNull(a.Currency), Country: textOrNull(a.Country), Sector: textOrNull(a.Sector),
		Industry: textOrNull(a.Industry), AssetClass: textOrNull(a.AssetClass), Wrapper: textOrNull(a.Wrapper),
		LegalStructure: textOrNull(a.LegalStructure), TaxForm: textOrNull(a.TaxForm), TaxEvidence: a.TaxEvidence,
		Leverage: number.Float(a.Leverage), Inverse: a.Inverse, Hedged: a.Hedged, Issuer: textOrNull(a.Issuer),
		Tags: listed(a.Tags), MarketCap: a.MarketCap, AUM: a.AUM, ExpenseRatio: a.ExpenseRatio,
		InceptionDate: dateOrNull(a.InceptionDate), FirstPriceDate: dateOrNull(a.FirstPriceDate),
		LastPriceDate: dateOrNull(a.LastPriceDate), PriceCoverage: a.Coverage(), Delisted: a.Delisted,
		ISIN: textOrNull(a.ISIN), Summary: textOrNull(a.Summary),
	}
	if b.TaxEvidence == "" {
		b.TaxEvidence = "unclassified"
	}
	return b
}

// assetHistoryBody is daily total returns of an asset. It writes its own JSON;
// the fields are what the document shows of it.
type assetHistoryBody struct {
	Asset    assetReferenceBody `json:"asset"`
	Status   string             `json:"status" enum:"ready,fetching"`
	DataEdge *timeseries.Date   `json:"data_edge" doc:"Last stored bar, whatever the window"`
	Dates    []timeseries.Date  `json:"dates"`
	Returns  number.Floats      `json:"returns" doc:"Daily total returns, fractions"`
	Spliced  []splicedBody      `json:"spliced" doc:"What a backfill put before the asset's own bars"`
	Metrics  *metrics.Block     `json:"metrics,omitempty"`

	source *catalog.History
}

type assetReferenceBody struct {
	ID     string `json:"id"`
	Symbol string `json:"symbol"`
	Name   string `json:"name"`
}

type splicedBody struct {
	Symbol string          `json:"symbol"`
	Start  timeseries.Date `json:"start"`
	End    timeseries.Date `json:"end"`
	Method string          `json:"method" enum:"raw,scaled,beta"`
}

// appendJSON implements appender.
func (h *assetHistoryBody) appendJSON(b []byte) ([]byte, error) {
	p := h.source
	b, err := appendValue(append(b, `{"asset":`...), assetReferenceBody{ID: p.Asset.ID, Symbol: p.Asset.Symbol, Name: p.Asset.Name})
	if err != nil {
		return nil, err
	}
	b = appendText(append(b, `,"status":`...), "ready")
	b = appendDate(append(b, `,"data_edge":`...), p.DataEdge)
	b = appendDates(append(b, `,"dates":`...), p.Dates)
	b = appendFloats(append(b, `,"returns":`...), p.Returns)
	b = append(b, `,"spliced":[]`...)
	if p.Metrics != nil {
		if b, err = appendValue(append(b, `,"metrics":`...), p.Metrics); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// table implements tabular.
func (h *assetHistoryBody) table() (*program.DayTable, error) {
	p := h.source
	about, err := appendValue(nil, struct {
		Asset    assetReferenceBody `json:"asset"`
		DataEdge *timeseries.Date   `json:"data_edge"`
		Metrics  *metrics.Block     `json:"metrics,omitempty"`
	}{assetReferenceBody{ID: p.Asset.ID, Symbol: p.Asset.Symbol, Name: p.Asset.Name}, dateOrNull(p.DataEdge), p.Metrics})
	return &program.DayTable{Dates: p.Dates, Names: []string{"returns"}, Columns: [][]float64{p.Returns}, About: about}, err
}
