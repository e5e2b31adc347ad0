package stooq

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"ballast/timeseries"
	"ballast/timeseries/bars/provider"
)

// Name is the provider's name.
const Name = "stooq"

// rounding is the step of Stooq's closes, which have at least four decimals.
const rounding = 1e-4

// Stooq requests bars from Stooq.
type Stooq struct{ client *provider.Client }

var _ provider.Provider = (*Stooq)(nil)

// New returns the provider. It sends a key if there is one.
func New(c provider.Config) (*Stooq, error) {
	client, err := provider.NewClient(provider.Service{
		Name: Name, URL: "https://stooq.com", PerMinute: 12, Burst: 3,
		Authorize: func(r *http.Request, key string) {
			query := r.URL.Query()
			query.Set("apikey", key)
			r.URL.RawQuery = query.Encode()
		},
	}, c)
	if err != nil {
		return nil, err
	}
	return &Stooq{client: client}, nil
}

// Name implements provider.Provider.
func (*Stooq) Name() string { return Name }

// Bars implements provider.Provider.
func (s *Stooq) Bars(ctx context.Context, r provider.Request) (*provider.Answer, error) {
	ticker, exchange, ok := provider.Listing(r.Symbol)
	if !ok || exchange != "" || r.Coin {
		return nil, provider.NoSymbol(Name, r.Symbol)
	}
	query := url.Values{"s": {strings.ToLower(ticker) + ".us"}, "i": {"d"}}
	if r.From != timeseries.NoDate {
		query.Set("d1", strings.ReplaceAll(r.From.String(), "-", ""))
		query.Set("d2", s.client.Now().UTC().AddDate(0, 0, 1).Format("20060102"))
	}
	bars, err := provider.Fetch(ctx, s.client, "/q/d/l/", query, func(body []byte) ([]provider.Bar, error) {
		bars, err := parse(body)
		if err != nil {
			return nil, err
		}
		return bars, provider.Check(Name, bars, s.client.Now())
	})
	if r.From != timeseries.NoDate && provider.KindOf(err) == provider.Unknown {
		return &provider.Answer{Rounding: rounding}, nil // "No data" is also what it says of a window without bars
	}
	if err != nil {
		return nil, err
	}
	return &provider.Answer{Bars: bars, Rounding: rounding}, nil
}
