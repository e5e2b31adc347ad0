package catalog

import (
	"context"

	"ballast/catalog/classify"
	"ballast/timeseries"
)

// Asset is one record of the catalog. Unknown values are empty strings and nil
// pointers, which are null on the wire.
type Asset struct {
	ID             string // asset_…
	Symbol         string // upper case, unique
	Name           string // the symbol if no source gives a name
	Type           string // etf, fund, stock, crypto, "" unknown
	Exchange       string
	Currency       string
	Country        string // one of classify.Countries, as stated by a fund's name
	Domicile       string // one of classify.Domiciles: the seat of a stock's company
	Sector         string // one of classify.Sectors
	Industry       string
	AssetClass     string
	Wrapper        string
	LegalStructure string
	TaxForm        string
	TaxEvidence    string  // stated, derived, unclassified
	Leverage       float64 // signed, 1 by default
	Inverse        bool
	Hedged         bool
	Issuer         string
	Family         string   // issuer or fund family, as the source writes it
	Tags           []string // dimension:value
	MarketCap      *float64 // USD
	AUM            *float64 // USD
	ExpenseRatio   *float64 // annual fraction
	InceptionDate  timeseries.Date
	FirstPriceDate timeseries.Date // NoDate without stored bars
	LastPriceDate  timeseries.Date
	BarsVersion    int64  // import that last changed the stored bars, 0 if there are none
	Convention     string // of the stored total returns: adjusted, close_dividend, total_return
	SevenDay       bool   // has bars at weekends
	Delisted       bool
	ISIN           string
	Summary        string
}

// Coverage returns "stored" if bars are stored, otherwise "catalog".
func (a *Asset) Coverage() string {
	if a.FirstPriceDate == timeseries.NoDate {
		return "catalog"
	}
	return "stored"
}

// Types are the asset types of the interface.
var Types = []string{"etf", "fund", "stock", "crypto"}

// Store reads assets.
type Store interface {
	// Asset returns an asset by id or symbol, ignoring case. It returns fault.NotFound
	// if there is none.
	Asset(ctx context.Context, ref string) (*Asset, error)
	// AssetEvidence returns the evidence for an asset's classification.
	AssetEvidence(ctx context.Context, assetID string) ([]classify.Evidence, error)
	// AssetsBySymbol returns the assets that exist, by upper-case symbol, in one query.
	AssetsBySymbol(ctx context.Context, symbols []string) (map[string]*Asset, error)
	// NearestSymbols returns, for each symbol, the most similar symbol of the catalog,
	// preferring assets with stored bars. A symbol without a similar one has no entry.
	NearestSymbols(ctx context.Context, symbols []string) (map[string]string, error)
}

// Listings stores merged listings.
type Listings interface {
	// MergeListings merges a file's listings in one transaction, one file at a time.
	// merge receives the stored listings of the symbols, and returns the listings to
	// store, by symbol, each once; it may be called again. Ids and stored bars do not
	// change. progress receives the number of listings stored so far and their total; the
	// counts are of listings.
	MergeListings(ctx context.Context, symbols []string, merge func(stored map[string]*Listing) ([]*Listing, error),
		progress func(done, total int)) (added, changed int, err error)
}
