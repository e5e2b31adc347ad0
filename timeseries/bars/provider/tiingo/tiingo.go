package tiingo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"ballast/timeseries"
	"ballast/timeseries/bars/provider"
)

// Name is the provider's name.
const Name = "tiingo"

// Tiingo requests bars from Tiingo.
type Tiingo struct{ client *provider.Client }

var _ provider.Provider = (*Tiingo)(nil)

// New returns the provider, which needs a key.
func New(c provider.Config) (*Tiingo, error) {
	if c.Key == "" {
		return nil, errors.New("tiingo needs a key; set --tiingo-key or BALLAST_TIINGO_KEY")
	}
	client, err := provider.NewClient(provider.Service{
		Name: Name, URL: "https://api.tiingo.com", PerMinute: 60, Burst: 10,
		// The key goes into a header, because proxies may log the query.
		Authorize: func(r *http.Request, key string) { r.Header.Set("Authorization", "Token "+key) },
	}, c)
	if err != nil {
		return nil, err
	}
	return &Tiingo{client: client}, nil
}

// Name implements provider.Provider.
func (*Tiingo) Name() string { return Name }

// wholeFrom is before every bar of Tiingo. Without a start date Tiingo returns only the
// last bar.
const wholeFrom = "1900-01-01"

// Bars implements provider.Provider.
func (t *Tiingo) Bars(ctx context.Context, r provider.Request) (*provider.Answer, error) {
	query := url.Values{"startDate": {wholeFrom}}
	if r.From != timeseries.NoDate {
		query.Set("startDate", r.From.String())
	}
	var bars []provider.Bar
	var err error
	if r.Coin {
		bars, err = t.coin(ctx, r.Symbol, query)
	} else {
		bars, err = t.share(ctx, r.Symbol, query)
	}
	if err != nil {
		return nil, err
	}
	if len(bars) == 0 && r.From == timeseries.NoDate {
		return nil, &provider.Error{Provider: Name, Kind: provider.Unknown, Detail: "has no bars of " + r.Symbol}
	}
	return &provider.Answer{Bars: bars}, nil
}

func (t *Tiingo) share(ctx context.Context, symbol string, query url.Values) ([]provider.Bar, error) {
	ticker, exchange, ok := provider.Listing(symbol)
	if !ok || exchange != "" {
		return nil, provider.NoSymbol(Name, symbol)
	}
	query.Set("format", "json")
	return provider.Fetch(ctx, t.client, "/tiingo/daily/"+ticker+"/prices", query, func(body []byte) ([]provider.Bar, error) {
		return t.checked(parseDaily(body))
	})
}

func (t *Tiingo) coin(ctx context.Context, symbol string, query url.Values) ([]provider.Bar, error) {
	base, quote, ok := provider.Pair(symbol)
	if !ok {
		return nil, provider.NoSymbol(Name, symbol)
	}
	query.Set("tickers", strings.ToLower(base+quote))
	query.Set("resampleFreq", "1day")
	return provider.Fetch(ctx, t.client, "/tiingo/crypto/prices", query, func(body []byte) ([]provider.Bar, error) {
		return t.checked(parseCoins(body))
	})
}

func (t *Tiingo) checked(bars []provider.Bar, err error) ([]provider.Bar, error) {
	if err != nil {
		return nil, err
	}
	return bars, provider.Check(Name, bars, t.client.Now())
}

// serviceError interprets what Tiingo says instead of data: {"detail": "…"}, or a sentence that
// begins with Error. Its status may nevertheless be 200.
func serviceError(text string) error {
	kind := provider.Malformed
	lower := strings.ToLower(text)
	switch {
	case strings.Contains(lower, "token") || strings.Contains(lower, "permission"):
		kind = provider.Denied
	case strings.Contains(lower, "run over") || strings.Contains(lower, "limit") || strings.Contains(lower, "allocation"):
		kind = provider.Throttled
	case strings.Contains(lower, "not found"):
		kind = provider.Unknown
	}
	e := &provider.Error{Provider: Name, Kind: kind, Detail: text}
	if kind == provider.Throttled {
		e.Wait = hour // limits are per hour, day and month
	}
	return e
}

func dateOf(text string) (timeseries.Date, error) {
	day, _, _ := strings.Cut(text, "T")
	d, err := timeseries.ParseDate(day)
	if err != nil {
		return d, fmt.Errorf("%q is not a date", text)
	}
	return d, nil
}
