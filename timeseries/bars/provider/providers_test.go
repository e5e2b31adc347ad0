package provider_test

import (
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"ballast/timeseries"
	"ballast/timeseries/bars/provider"
)

func each(t *testing.T, test func(t *testing.T, s service)) {
	t.Helper()
	for _, s := range services() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			test(t, s)
		})
	}
}

func TestBars(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s service) {
		p, _ := s.serve(t, func(w http.ResponseWriter, r *http.Request) {
			if !s.keyed(r) {
				t.Errorf("%s %v has no key", r.URL, r.Header)
			}
			status(w, 200, s.answer(r, week))
		})
		answer, err := ask(t.Context(), p, "SPY")
		if err != nil {
			t.Fatal(err)
		}
		if p.Name() != s.name || len(answer.Bars) != len(week) {
			t.Fatalf("%s: %d bars", p.Name(), len(answer.Bars))
		}
		for i, b := range answer.Bars {
			q := week[i]
			if b.Date.String() != q.date || b.Adjusted != q.adjusted {
				t.Errorf("%+v, want %+v", b, q)
			}
			if s.raw && (b.Close != q.close || b.Dividend != q.dividend || b.Split != q.split) {
				t.Errorf("%+v, want %+v", b, q)
			}
			if !s.raw && (!math.IsNaN(b.Close) || !math.IsNaN(b.Dividend) || !math.IsNaN(b.Split)) {
				t.Errorf("%+v has what the service does not give", b)
			}
		}
	})
}

func TestUnknownSymbols(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s service) {
		p, asked := s.serve(t, func(w http.ResponseWriter, _ *http.Request) { s.unknown(w) })
		for range 2 {
			if _, err := ask(t.Context(), p, "NOPE"); provider.KindOf(err) != provider.Unknown {
				t.Error(err)
			}
		}
		for _, symbol := range []string{"../../etc/passwd", "A B", "X?Y=Z", "", "A/B", strings.Repeat("X", 40)} {
			before := asked.Load()
			if _, err := ask(t.Context(), p, symbol); provider.KindOf(err) != provider.Unknown || asked.Load() != before {
				t.Errorf("%q: %v, asked %d times", symbol, err, asked.Load()-before)
			}
		}
	})
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status int
		kind   provider.Kind
		asked  int64
	}{
		{401, provider.Denied, 1}, {402, provider.Denied, 1}, {403, provider.Denied, 1}, {500, provider.Unavailable, 3},
		{503, provider.Unavailable, 3}, {418, provider.Malformed, 1}, {302, provider.Malformed, 1},
	} {
		t.Run(strconv.Itoa(test.status), func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s service) {
				p, asked := s.serve(t, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Location", "/elsewhere")
					status(w, test.status, "The key "+key+" at "+r.URL.String())
				})
				_, err := ask(t.Context(), p, "SPY")
				if provider.KindOf(err) != test.kind || asked.Load() != test.asked {
					t.Errorf("%v, asked %d times", err, asked.Load())
				}
				keepsSecret(t, err)
			})
		})
	}
}

func keepsSecret(t *testing.T, err error) {
	t.Helper()
	if err == nil || strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("the error is %v", err)
	}
}

func TestThrottling(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s service) {
		first := true
		p, asked := s.serve(t, func(w http.ResponseWriter, r *http.Request) {
			if first {
				first = false
				w.Header().Set("Retry-After", "0.1")
				status(w, 429, "Too Many Requests")
				return
			}
			status(w, 200, s.answer(r, week))
		})
		if _, err := ask(t.Context(), p, "SPY"); err != nil || asked.Load() < 2 {
			t.Errorf("%v, asked %d times", err, asked.Load())
		}
		// A service that asks for a longer wait is not asked again at once.
		p, asked = s.serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			status(w, 429, "Too Many Requests")
		})
		if _, err := ask(t.Context(), p, "SPY"); provider.KindOf(err) != provider.Throttled || provider.WaitOf(err) != time.Hour || asked.Load() != 1 {
			t.Errorf("%v, wait %v, asked %d times", err, provider.WaitOf(err), asked.Load())
		}
	})
}

func TestBrokenAnswers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s service) {
		for name, handle := range map[string]http.HandlerFunc{
			"truncated": func(w http.ResponseWriter, r *http.Request) {
				body := s.answer(r, week)
				w.Header().Set("Content-Length", strconv.Itoa(len(body)))
				_, _ = w.Write([]byte(body[:len(body)/2]))
			},
			"cut off": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		} {
			p, asked := s.serve(t, handle)
			_, err := ask(t.Context(), p, "SPY")
			if provider.KindOf(err) != provider.Unavailable || asked.Load() != 3 {
				t.Errorf("%s: %v, asked %d times", name, err, asked.Load())
			}
			keepsSecret(t, err)
		}
		for name, body := range map[string]string{
			"html": "<!DOCTYPE html><html><body>Just a moment " + key + "</body></html>", "empty": "", "null and more": "null null", "a number": "7",
			"half a list": `[{"date":"2024-06-03"`, "bytes": "\x00\xff\xfe",
		} {
			p, asked := s.serve(t, func(w http.ResponseWriter, _ *http.Request) { status(w, 200, body) })
			_, err := ask(t.Context(), p, "SPY")
			if provider.KindOf(err) != provider.Malformed || asked.Load() != 1 {
				t.Errorf("%s: %v, asked %d times", name, err, asked.Load())
			}
			keepsSecret(t, err)
		}
	})
}

func TestAbsurdBars(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func([]quote){
		"negative price": func(q []quote) { q[2].adjusted, q[2].close = -1, -1 },
		"no price":       func(q []quote) { q[2].adjusted, q[2].close = 0, 0 },
		"huge price":     func(q []quote) { q[2].adjusted = 1e300 },
		"twice a day":    func(q []quote) { q[2].date = q[1].date },
		"out of order":   func(q []quote) { q[1], q[2] = q[2], q[1] },
		"to come":        func(q []quote) { q[4].date = "2024-06-12" },
		"long ago":       func(q []quote) { q[0].date = "0024-06-03" },
		"no date":        func(q []quote) { q[0].date = "2024-02-30" },
		"negative cash":  func(q []quote) { q[2].dividend = -1 },
		"negative split": func(q []quote) { q[2].split = -2 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s service) {
				raw := name == "negative cash" || name == "negative split"
				if raw && !s.raw || s.sorted && (name == "out of order" || name == "twice a day") {
					t.Skip("the format cannot say it")
				}
				quotes := append([]quote{}, week...)
				spoil(quotes)
				p, _ := s.serve(t, func(w http.ResponseWriter, r *http.Request) { status(w, 200, s.answer(r, quotes)) })
				if _, err := ask(t.Context(), p, "SPY"); provider.KindOf(err) != provider.Malformed {
					t.Error(err)
				}
			})
		})
	}
}

func TestSlowAndLongAnswers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s service) {
		release := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.String(), "SLOW") || strings.Contains(r.URL.String(), "slow") {
				<-release
			}
			status(w, 200, s.answer(r, week))
		}))
		defer server.Close()
		defer close(release)
		p, err := s.make(provider.Config{Key: key, URL: server.URL, PerMinute: 60_000, Timeout: 100 * time.Millisecond, Tries: 2, FirstWait: time.Millisecond, Now: func() time.Time { return today }})
		if err != nil {
			t.Fatal(err)
		}
		_, err = ask(t.Context(), p, "SLOW")
		if provider.KindOf(err) != provider.Unavailable || !strings.Contains(err.Error(), "no response within") {
			t.Error(err)
		}
		keepsSecret(t, err)
		if p, err = s.make(provider.Config{Key: key, URL: server.URL, MaxBytes: 50, Now: func() time.Time { return today }}); err != nil {
			t.Fatal(err)
		}
		if _, err = ask(t.Context(), p, "LONG"); provider.KindOf(err) != provider.Malformed || !strings.Contains(err.Error(), "longer than 50 bytes") {
			t.Error(err)
		}
	})
}

func TestAnswersAreKept(t *testing.T) {
	t.Parallel()
	s := services()[0]
	sent := 0
	clock := &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		if r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		sent++
		status(w, 200, s.answer(r, week))
	}))
	defer server.Close()
	registry := prometheus.NewRegistry()
	p, err := s.make(provider.Config{
		Key: key, URL: server.URL, PerMinute: 60_000, Metrics: provider.NewMetrics(registry),
		Now: func() time.Time { return today.Add(time.Duration(clock.Load())) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for range 2 { // the second is answered from the cache
			if answer, err := ask(t.Context(), p, "SPY"); err != nil || len(answer.Bars) != 5 {
				t.Fatal(err)
			}
		}
		clock.Add(int64(time.Hour))
	}
	if sent != 1 {
		t.Errorf("sent %d times", sent)
	}
	counts := map[string]float64{}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "ballast_provider_requests_total" {
				counts[m.GetLabel()[1].GetValue()+" "+m.GetLabel()[0].GetValue()] = m.GetCounter().GetValue()
			}
		}
	}
	if d := cmp.Diff(map[string]float64{"tiingo ok": 1, "tiingo unchanged": 2}, counts); d != "" {
		t.Error(d)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s service) {
		for _, c := range []provider.Config{{Key: key, URL: "ftp://x"}, {Key: key, URL: "http://user:pass@x/"}, {Key: key, URL: "://"}, {Key: key, PerMinute: -1}} {
			if _, err := s.make(c); err == nil {
				t.Errorf("%+v is accepted", c)
			}
		}
		if _, err := s.make(provider.Config{}); (err == nil) != (s.name == "stooq") {
			t.Errorf("without a key: %v", err)
		}
	})
}

func TestSaidWithStatus200(t *testing.T) {
	t.Parallel()
	byName := map[string]service{}
	for _, s := range services() {
		byName[s.name] = s
	}
	for _, test := range []struct {
		service, body string
		kind          provider.Kind
		wait          time.Duration
	}{
		{"alphavantage", `{"Note":"Thank you for using Alpha Vantage! Our standard API call frequency is 5 calls per minute and 500 calls per day."}`, provider.Throttled, 6 * time.Hour},
		{"alphavantage", `{"Information":"We have detected your API key as ` + key + ` and our standard API rate limit is 25 requests per day."}`, provider.Throttled, 6 * time.Hour},
		{"alphavantage", `{"Information":"Please consider spreading out your free API requests more sparingly (1 request per second)."}`, provider.Throttled, time.Minute},
		{"alphavantage", `{"Information":"Thank you for using Alpha Vantage! This is a premium endpoint."}`, provider.Denied, 0},
		{"alphavantage", `{"Error Message":"the parameter apikey is invalid or missing."}`, provider.Denied, 0},
		{"alphavantage", `{"Meta Data":{}}`, provider.Malformed, 0},
		{"alphavantage", `{"Time Series (Daily)":{"2024-06-07":{"4. close":"x","5. adjusted close":"1","7. dividend amount":"0","8. split coefficient":"1"}}}`, provider.Malformed, 0},
		{"stooq", "Exceeded the daily hits limit", provider.Throttled, 6 * time.Hour},
		{"stooq", "Przekroczony dzienny limit wywolan", provider.Throttled, 6 * time.Hour},
		{"stooq", "Get your apikey:\n\n1. Open https://stooq.com", provider.Denied, 0},
		{"stooq", "Date,Open,High,Low,Close,Volume\n2024-06-07,1,1,1,N/D,1\n", provider.Malformed, 0},
		{"stooq", "Date,Open,High,Low,Close,Volume\n2024-06-07,1,1\n", provider.Malformed, 0},
		{"stooq", "Data,Otwarcie\n", provider.Malformed, 0},
		{"tiingo", `{"detail":"Invalid token."}`, provider.Denied, 0},
		{"tiingo", `{"detail":"Error: You have run over your hourly request allocation."}`, provider.Throttled, time.Hour},
		{"tiingo", `Error: You have run over your 500 symbol look up for this month.`, provider.Throttled, time.Hour},
		{"tiingo", `[]`, provider.Unknown, 0},
		{"tiingo", `[{"date":"2024-06-07T00:00:00.000Z"}]`, provider.Malformed, 0},
		{"eodhd", `[]`, provider.Unknown, 0},
		{"eodhd", `{"message":"Unauthenticated."}`, provider.Denied, 0},
		{"eodhd", `You exceeded your daily API requests limit.`, provider.Throttled, 0},
	} {
		s := byName[test.service]
		p, _ := s.serve(t, func(w http.ResponseWriter, _ *http.Request) { status(w, 200, test.body) })
		_, err := ask(t.Context(), p, "SPY")
		if provider.KindOf(err) != test.kind || provider.WaitOf(err) != test.wait {
			t.Errorf("%s, %s: %v, wait %v", test.service, test.body, err, provider.WaitOf(err))
		}
		keepsSecret(t, err)
		var e *provider.Error
		if !errors.As(err, &e) || e.Provider != test.service {
			t.Errorf("%v is of another provider", err)
		}
	}
}

func TestSymbolsAndWindows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		service, symbol string
		coin            bool
		path, query     string
	}{
		{"tiingo", "BRK-B", false, "/tiingo/daily/BRK-B/prices", "startDate=2024-06-01"},
		{"tiingo", "BRK.B", false, "/tiingo/daily/BRK-B/prices", ""},
		{"tiingo", "BTC-USD", true, "/tiingo/crypto/prices", "tickers=btcusd"},
		{"eodhd", "VOD.L", false, "/api/eod/VOD.LSE", "from=2024-06-01"},
		{"eodhd", "BTC-USD", true, "/api/eod/BTC-USD.CC", ""},
		{"alphavantage", "VOD.L", false, "/query", "symbol=VOD.LON"},
		{"alphavantage", "SPY", false, "/query", "outputsize=compact"},
		{"alphavantage", "BTC-USD", true, "/query", "market=USD"},
		{"stooq", "BRK.B", false, "/q/d/l/", "s=brk-b.us"},
		{"stooq", "SPY", false, "/q/d/l/", "d1=20240601"},
	} {
		for _, s := range services() {
			if s.name != test.service {
				continue
			}
			var path, query string
			p, _ := s.serve(t, func(w http.ResponseWriter, r *http.Request) {
				if path == "" {
					path, query = r.URL.Path, r.URL.RawQuery
				}
				status(w, 200, "[]")
			})
			_, _ = p.Bars(t.Context(), provider.Request{Symbol: test.symbol, Coin: test.coin, From: timeseries.NewDate(2024, 6, 1)})
			if path != test.path || !strings.Contains(query, test.query) {
				t.Errorf("%s %s: %s?%s", test.service, test.symbol, path, query)
			}
		}
	}
}
