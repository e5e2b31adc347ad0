package provider_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ballast/timeseries"
	"ballast/timeseries/bars/provider"
	"ballast/timeseries/bars/provider/alphavantage"
	"ballast/timeseries/bars/provider/eodhd"
	"ballast/timeseries/bars/provider/stooq"
	"ballast/timeseries/bars/provider/tiingo"
)

const key = "s3cr3t-k3y"

// today is the clock of the tests.
var today = time.Date(2024, 6, 10, 22, 0, 0, 0, time.UTC)

// quote is one day of a service's answer.
type quote struct {
	date            string
	close, adjusted float64
	dividend, split float64
}

// service is one of the services, with its documented formats.
type service struct {
	name    string
	make    func(provider.Config) (provider.Provider, error)
	answer  func(r *http.Request, quotes []quote) string
	unknown func(w http.ResponseWriter) // its answer for an unknown symbol
	raw     bool                        // its closes are unadjusted, with dividends and splits
	keyed   func(r *http.Request) bool
	sorted  bool // its answer is an object, so order has no meaning
}

func services() []service {
	return []service{
		{
			name: "tiingo", raw: true,
			make: func(c provider.Config) (provider.Provider, error) { return tiingo.New(c) },
			answer: func(_ *http.Request, quotes []quote) string {
				return array(quotes, func(q quote) string {
					return fmt.Sprintf(`{"date":"%sT00:00:00.000Z","close":%g,"high":%[2]g,"low":%[2]g,"open":%[2]g,"volume":1000,"adjClose":%[3]g,"adjHigh":%[3]g,"adjLow":%[3]g,"adjOpen":%[3]g,"adjVolume":1000,"divCash":%[4]g,"splitFactor":%[5]g}`,
						q.date, q.close, q.adjusted, q.dividend, q.split)
				})
			},
			unknown: func(w http.ResponseWriter) { status(w, 404, `{"detail":"Error: Ticker 'NOPE' not found"}`) },
			keyed:   func(r *http.Request) bool { return r.Header.Get("Authorization") == "Token "+key },
		},
		{
			name: "eodhd", raw: true,
			make: func(c provider.Config) (provider.Provider, error) { return eodhd.New(c) },
			answer: func(r *http.Request, quotes []quote) string {
				switch {
				case strings.HasPrefix(r.URL.Path, "/api/div/"):
					return array(only(quotes, func(q quote) bool { return q.dividend != 0 }), func(q quote) string {
						return fmt.Sprintf(`{"date":"%s","declarationDate":null,"recordDate":null,"paymentDate":null,"period":"Quarterly","value":%g,"unadjustedValue":%g,"currency":"USD"}`, q.date, q.dividend/2, q.dividend)
					})
				case strings.HasPrefix(r.URL.Path, "/api/splits/"):
					return array(only(quotes, func(q quote) bool { return q.split != 1 }), func(q quote) string {
						return fmt.Sprintf(`{"date":"%s","split":"%f/1.000000"}`, q.date, q.split)
					})
				}
				return array(quotes, func(q quote) string {
					return fmt.Sprintf(`{"date":"%s","open":%g,"high":%[2]g,"low":%[2]g,"close":%[2]g,"adjusted_close":%g,"volume":5}`, q.date, q.close, q.adjusted)
				})
			},
			unknown: func(w http.ResponseWriter) { status(w, 404, "Ticker Not Found.") },
			keyed:   func(r *http.Request) bool { return r.URL.Query().Get("api_token") == key },
		},
		{
			name: "alphavantage", raw: true, sorted: true,
			make: func(c provider.Config) (provider.Provider, error) { return alphavantage.New(c) },
			answer: func(_ *http.Request, quotes []quote) string {
				var days []string
				for i := len(quotes) - 1; i >= 0; i-- { // the newest first
					q := quotes[i]
					days = append(days, fmt.Sprintf(`"%s":{"1. open":"1","2. high":"1","3. low":"1","4. close":"%g","5. adjusted close":"%g","6. volume":"9","7. dividend amount":"%.4f","8. split coefficient":"%.1f"}`,
						q.date, q.close, q.adjusted, q.dividend, q.split))
				}
				return `{"Meta Data":{"1. Information":"Daily Time Series with Splits and Dividend Events","2. Symbol":"SPY"},"Time Series (Daily)":{` + strings.Join(days, ",") + `}}`
			},
			unknown: func(w http.ResponseWriter) {
				status(w, 200, `{"Error Message":"Invalid API call. Please retry or visit the documentation (https://www.alphavantage.co/documentation/) for TIME_SERIES_DAILY_ADJUSTED."}`)
			},
			keyed: func(r *http.Request) bool { return r.URL.Query().Get("apikey") == key },
		},
		{
			name: "stooq",
			make: func(c provider.Config) (provider.Provider, error) { return stooq.New(c) },
			answer: func(_ *http.Request, quotes []quote) string {
				var b strings.Builder
				b.WriteString("Date,Open,High,Low,Close,Volume\r\n")
				for _, q := range quotes {
					fmt.Fprintf(&b, "%s,1,1,1,%g,100\r\n", q.date, q.adjusted)
				}
				return b.String()
			},
			unknown: func(w http.ResponseWriter) { status(w, 200, "No data") },
			keyed:   func(r *http.Request) bool { return r.URL.Query().Get("apikey") == key },
		},
	}
}

func array(quotes []quote, write func(quote) string) string {
	parts := make([]string, len(quotes))
	for i, q := range quotes {
		parts[i] = write(q)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func only(quotes []quote, keep func(quote) bool) (out []quote) {
	for _, q := range quotes {
		if keep(q) {
			out = append(out, q)
		}
	}
	return out
}

func status(w http.ResponseWriter, code int, body string) {
	w.WriteHeader(code)
	_, _ = w.Write([]byte(body))
}

// serve starts a server with the service's provider, and counts requests.
func (s service) serve(t *testing.T, handle http.HandlerFunc) (provider.Provider, *atomic.Int64) {
	t.Helper()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		handle(w, r)
	}))
	t.Cleanup(server.Close)
	p, err := s.make(provider.Config{Key: key, URL: server.URL, PerMinute: 60_000, Timeout: 2 * time.Second, Tries: 3, FirstWait: time.Millisecond, Now: func() time.Time { return today }})
	if err != nil {
		t.Fatal(err)
	}
	return p, &asked
}

func ask(ctx context.Context, p provider.Provider, symbol string) (*provider.Answer, error) {
	return p.Bars(ctx, provider.Request{Symbol: symbol, From: timeseries.NoDate})
}

// week has a dividend, and a split on its last day.
var week = []quote{
	{"2024-06-03", 200, 99.5, 0, 1}, {"2024-06-04", 202, 100.5, 0, 1}, {"2024-06-05", 201, 100.25, 0.5, 1},
	{"2024-06-06", 204, 102, 0, 1}, {"2024-06-07", 103, 103, 0, 2},
}
