package alphavantage

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"ballast/timeseries"
	"ballast/timeseries/bars/provider"
)

// Name is the provider's name.
const Name = "alphavantage"

// AlphaVantage requests bars from Alpha Vantage.
type AlphaVantage struct{ client *provider.Client }

var _ provider.Provider = (*AlphaVantage)(nil)

// New returns the provider, which needs a key.
func New(c provider.Config) (*AlphaVantage, error) {
	if c.Key == "" {
		return nil, errors.New("alphavantage needs a key; set --alphavantage-key or BALLAST_ALPHAVANTAGE_KEY")
	}
	client, err := provider.NewClient(provider.Service{
		Name: Name, URL: "https://www.alphavantage.co", PerMinute: 5, Burst: 2,
		Authorize: func(r *http.Request, key string) {
			query := r.URL.Query()
			query.Set("apikey", key)
			r.URL.RawQuery = query.Encode()
		},
	}, c)
	if err != nil {
		return nil, err
	}
	return &AlphaVantage{client: client}, nil
}

// Name implements provider.Provider.
func (*AlphaVantage) Name() string { return Name }

// compactDays is the number of days that the short answer always covers: it has the last
// 100 bars.
const compactDays = 120

// exchanges maps the catalog's exchange suffixes to Alpha Vantage's.
var exchanges = map[string]string{"": "", "L": ".LON", "DE": ".DEX", "TO": ".TRT", "V": ".TRV", "BO": ".BSE"}

// Bars implements provider.Provider. The answer may begin before the requested date.
func (a *AlphaVantage) Bars(ctx context.Context, r provider.Request) (*provider.Answer, error) {
	query, series, ok := a.query(r)
	if !ok {
		return nil, provider.NoSymbol(Name, r.Symbol)
	}
	bars, err := provider.Fetch(ctx, a.client, "/query", query, func(body []byte) ([]provider.Bar, error) {
		bars, err := parse(body, series)
		if err != nil {
			return nil, err
		}
		return bars, provider.Check(Name, bars, a.client.Now())
	})
	if err != nil {
		return nil, err
	}
	if len(bars) == 0 {
		return nil, &provider.Error{Provider: Name, Kind: provider.Unknown, Detail: "has no bars of " + r.Symbol}
	}
	return &provider.Answer{Bars: bars}, nil
}

func (a *AlphaVantage) query(r provider.Request) (query url.Values, series string, ok bool) {
	if r.Coin {
		base, quote, ok := provider.Pair(r.Symbol)
		return url.Values{"function": {"DIGITAL_CURRENCY_DAILY"}, "symbol": {base}, "market": {quote}}, coinSeries, ok
	}
	ticker, ending, ok := provider.Listing(r.Symbol)
	exchange, known := exchanges[ending]
	query = url.Values{"function": {"TIME_SERIES_DAILY_ADJUSTED"}, "symbol": {ticker + exchange}, "outputsize": {"full"}, "datatype": {"json"}}
	if r.From != timeseries.NoDate && r.From >= timeseries.FromTime(a.client.Now().UTC())-compactDays {
		query.Set("outputsize", "compact")
	}
	return query, shareSeries, ok && known
}
