package api

import (
	"slices"

	"ballast/api/transport"
	"ballast/catalog"
)

// AssetFilterParameters select assets. An asset must pass all of the given filters.
type AssetFilterParameters struct {
	Query             string                      `query:"q" maxLength:"200" doc:"Ticker or words of the name: an exact ticker first, then tickers that begin with the text, then names in which every word occurs as a word or the beginning of one; case and accents ignored"`
	Type              string                      `query:"type" enum:"etf,fund,stock,crypto" doc:"Only assets of this type"`
	Exchange          string                      `query:"exchange" maxLength:"40" doc:"Code of the exchange where the asset is listed, in any case" example:"PCX"`
	Sector            string                      `query:"sector" maxLength:"100" doc:"Sector, in any case" example:"health_care"`
	MinMarketCap      transport.Optional[int64]   `query:"min_market_cap" minimum:"0" doc:"Minimum market capitalisation in USD, or for a fund minimum assets under management; assets with neither are left out"`
	Delisted          bool                        `query:"delisted" default:"false" doc:"Include delisted assets"`
	TaxForm           string                      `query:"tax_form" enum:"1099,k1,pfic" doc:"Only assets with this tax form"`
	LegalStructure    string                      `query:"legal_structure" enum:"ric,uit,grantor_trust,commodity_pool,etn,closed_end_trust" doc:"Only this legal structure"`
	AssetClass        string                      `query:"asset_class" enum:"equity,fixed_income,commodity,currency,alternatives,asset_allocation" doc:"Only this asset class"`
	Tags              []string                    `query:"tags" doc:"Assets with any of these tags, each written dimension:value; an unknown tag is refused" example:"theme:dividend"`
	TagsAll           []string                    `query:"tags_all" doc:"Assets with all of these tags"`
	TagsNone          []string                    `query:"tags_none" doc:"Assets with none of these tags; assets without tags pass"`
	LeverageMin       transport.Optional[float64] `query:"leverage_min" doc:"Minimum signed daily multiple, inclusive: 1 is unleveraged, -1 is inverse"`
	LeverageMax       transport.Optional[float64] `query:"leverage_max" doc:"Maximum signed daily multiple, inclusive"`
	Issuer            string                      `query:"issuer" maxLength:"100" doc:"Beginning of the issuer's name, or of the fund family that the source names, in any case" example:"vanguard"`
	MaxFirstPriceDate string                      `query:"max_first_price_date" format:"date" doc:"Assets whose first stored bar is on or before this day"`
	Country           string                      `query:"country" maxLength:"40" doc:"The one country that a fund's name states; an unknown value is not an error but matches no asset" example:"japan"`
	Domicile          string                      `query:"domicile" maxLength:"40" doc:"The country where a stock's company is based; an unknown value is not an error but matches no asset" example:"united_states"`
}

// filter converts the parameters to a catalog filter.
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
	Include []string `query:"include" enum:"facets" doc:"facets counts the assets that pass the filters by each field, with the whole vocabulary of tags"`
	Sort    string   `query:"sort" enum:"symbol,name,aum,expense_ratio,leverage,first_price_date" doc:"Field to sort by. The default is symbol or, with q, how well an asset matches. Assets without the field come last"`
	Order   string   `query:"order" enum:"asc,desc" default:"asc" doc:"Direction of the sort"`
}

func (in *assetsInput) filter() catalog.Filter {
	f := in.AssetFilterParameters.filter()
	f.Sort, f.Ascending = in.Sort, in.Order != "desc"
	f.Limit, f.Offset = in.Limit, in.Offset
	f.Facets = slices.Contains(in.Include, "facets")
	return f
}
