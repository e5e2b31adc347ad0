package eodhd

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"

	"ballast/timeseries"
	"ballast/timeseries/bars/provider"
)

// Name is the provider's name.
const Name = "eodhd"

// rounding is the step of EODHD's adjusted closes: four decimals.
const rounding = 1e-4

// EODHD requests bars from EODHD.
type EODHD struct{ client *provider.Client }

var _ provider.Provider = (*EODHD)(nil)

// New returns the provider, which needs a key.
func New(c provider.Config) (*EODHD, error) {
	if c.Key == "" {
		return nil, errors.New("eodhd needs a key; set --eodhd-key or BALLAST_EODHD_KEY")
	}
	client, err := provider.NewClient(provider.Service{
		Name: Name, URL: "https://eodhd.com", PerMinute: 120, Burst: 12,
		Authorize: func(r *http.Request, key string) {
			query := r.URL.Query()
			query.Set("api_token", key)
			r.URL.RawQuery = query.Encode()
		},
	}, c)
	if err != nil {
		return nil, err
	}
	return &EODHD{client: client}, nil
}

// Name implements provider.Provider.
func (*EODHD) Name() string { return Name }

// exchanges maps the catalog's exchange suffixes to EODHD's codes.
var exchanges = map[string]string{
	"": "US", "AS": "AS", "AX": "AU", "BR": "BR", "CO": "CO", "DE": "XETRA", "F": "F", "HE": "HE", "HK": "HK", "L": "LSE", "LS": "LS",
	"MC": "MC", "MI": "MI", "NE": "NEO", "OL": "OL", "PA": "PA", "SA": "SA", "ST": "ST", "SW": "SW", "TO": "TO", "V": "V", "VI": "VI",
}

func code(r provider.Request) (string, bool) {
	if r.Coin {
		base, quote, ok := provider.Pair(r.Symbol)
		return base + "-" + quote + ".CC", ok
	}
	ticker, ending, ok := provider.Listing(r.Symbol)
	exchange, known := exchanges[ending]
	return ticker + "." + exchange, ok && known
}

// Bars implements provider.Provider.
func (e *EODHD) Bars(ctx context.Context, r provider.Request) (*provider.Answer, error) {
	code, ok := code(r)
	if !ok {
		return nil, provider.NoSymbol(Name, r.Symbol)
	}
	query := url.Values{"fmt": {"json"}}
	if r.From != timeseries.NoDate {
		query.Set("from", r.From.String())
	}
	prices := url.Values{"fmt": query["fmt"], "from": query["from"], "period": {"d"}, "order": {"a"}}
	bars, err := provider.Fetch(ctx, e.client, "/api/eod/"+code, prices, func(body []byte) ([]provider.Bar, error) {
		bars, err := parsePrices(body)
		if err != nil {
			return nil, err
		}
		return bars, provider.Check(Name, bars, e.client.Now())
	})
	if err != nil {
		return nil, err
	}
	if len(bars) == 0 {
		if r.From == timeseries.NoDate {
			return nil, &provider.Error{Provider: Name, Kind: provider.Unknown, Detail: "has no bars of " + r.Symbol}
		}
		return &provider.Answer{Rounding: rounding}, nil
	}
	if !r.Coin {
		if err := e.actions(ctx, code, query, bars); err != nil {
			return nil, err
		}
	}
	return &provider.Answer{Bars: bars, Rounding: rounding}, nil
}

// actions adds dividends and splits to the bars of their days.
func (e *EODHD) actions(ctx context.Context, code string, query url.Values, bars []provider.Bar) error {
	dividends, err := provider.Fetch(ctx, e.client, "/api/div/"+code, query, parseDividends)
	if err != nil {
		return err
	}
	splits, err := provider.Fetch(ctx, e.client, "/api/splits/"+code, query, parseSplits)
	if err != nil {
		return err
	}
	for i := range bars {
		b := &bars[i]
		b.Dividend, b.Split = dividends[b.Date], 1
		if s, ok := splits[b.Date]; ok {
			b.Split = s
		}
		if math.IsNaN(b.Dividend) {
			b.Dividend = 0
		}
	}
	return provider.Check(Name, bars, e.client.Now())
}
