package api

import (
	"slices"

	"ballast/api/transport"
	"ballast/catalog"
)

// AssetFilterParameters select assets; all that are given hold together.
type AssetFilterParameters struct {
	Query             string                      `query:"q" maxLength:"200" doc:"Ticker or words of the name: an exact ticker first, then tickers that begin so, then names that have every word or its beginning; case and accents ignored"`
	Type              string                      `query:"type" enum:"etf,fund,stock,crypto" doc:"Only assets of this type"`
	Exchange          string                      `query:"exchange" maxLength:"40" doc:"Code of the listing's exchange, in any case" example:"PCX"`
	Sector            string                      `query:"sector" maxLength:"100" doc:"Sector, in any case" example:"health_care"`
	MinMarketCap      transport.Optional[int64]   `query:"min_market_cap" minimum:"0" doc:"USD: floor on market capitalisation, or on a fund's assets under management; assets with neither are left out"`
	Delisted          bool                        `query:"delisted" default:"false" doc:"Include delisted assets"`
	TaxForm           string                      `query:"tax_form" enum:"1099,k1,pfic" doc:"Assets without a tax form are left out"`
	LegalStructure    string                      `query:"legal_structure" enum:"ric,uit,grantor_trust,commodity_pool,etn,closed_end_trust" doc:"Only this legal structure"`
	AssetClass        string                      `query:"asset_class" enum:"equity,fixed_income,commodity,currency,alternatives,asset_allocation" doc:"Only this class"`
	Tags              []string                    `query:"tags" doc:"Any of these tags, each dimension:value; an unknown one is refused" example:"theme:dividend"`
	TagsAll           []string                    `query:"tags_all" doc:"All of these tags"`
	TagsNone          []string                    `query:"tags_none" doc:"None of these tags; assets without tags pass"`
	LeverageMin       transport.Optional[float64] `query:"leverage_min" doc:"Least signed daily multiple, inclusive: 1 without leverage, -1 inverse"`
	LeverageMax       transport.Optional[float64] `query:"leverage_max" doc:"Greatest signed daily multiple, inclusive"`
	Issuer            string                      `query:"issuer" maxLength:"100" doc:"Beginning of the issuer, or of the fund family that the source names, in any case" example:"vanguard"`
	MaxFirstPriceDate string                      `query:"max_first_price_date" format:"date" doc:"First stored bar on or before this day"`
	Country           string                      `query:"country" maxLength:"40" doc:"The one country that a fund's name states; another value is no error and fits no asset" example:"japan"`
	Domicile          string                      `query:"domicile" maxLength:"40" doc:"The country where a stock's company has its seat; another value is no error and fits no asset" example:"united_states"`
}

// filter is the parameters as the catalog takes them.
func (p *AssetFilterParameters) filter() catalog.Filter {
	f := catalog.Filter{
		Query: p.Query, Type: p.Type, Exchange: p.Exchange, Sector: p.Sector, Delisted: p.Delisted, TaxForm: p.TaxForm,
		LegalStructure: p.LegalStructure, AssetClass: p.AssetClass, Tags: p.Tags, TagsAll: p.TagsAll, TagsNone: p.TagsNone,
		LeverageMin: p.LeverageMin.Pointer(), LeverageMax: p.LeverageMax.Pointer(), Issuer: p.Issuer, Country: p.Country, Domicile: p.Domicile,
	}
	if least := p.MinMarketCap.Pointer(); least != nil {
		dollars := float64(*least)
		f.MinMarketCap = &dollars
	}
	f.MaxFirstPriceDate = dateOrNull(dateOf(p.MaxFirstPriceDate))
	return f
}

type assetsInput struct {
	PageParameters
	AssetFilterParameters
	Include []string `query:"include" enum:"facets" doc:"facets counts the assets of the filters by every field, with the whole vocabulary of tags"`
	Sort    string   `query:"sort" enum:"symbol,name,aum,expense_ratio,leverage,first_price_date" doc:"Field to sort by, symbol where none is given; with q and no sort, how well the assets match. Assets without the field come last"`
	Order   string   `query:"order" enum:"asc,desc" default:"asc" doc:"Direction of the sort"`
}

func (in *assetsInput) filter() catalog.Filter {
	f := in.AssetFilterParameters.filter()
	f.Sort, f.Ascending = in.Sort, in.Order != "desc"
	f.Limit, f.Offset = in.Limit, in.Offset
	f.Facets = slices.Contains(in.Include, "facets")
	return f
}
