package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// exchange is a provider of bars on this machine that answers as Tiingo does.
type exchange struct {
	mu     sync.Mutex
	offers map[string]*offer // by symbol
}

// offer is what the provider has of a symbol: weekdays from 2020 on.
type offer struct {
	last time.Time
	jump time.Time // a day whose return is 10 % higher; zero without
	gate chan struct{}
}

const providerKey = "the-key-of-the-scripts"

// TestProviders runs the scripts that need a provider against a service of their own.
func TestProviders(t *testing.T) {
	x := &exchange{offers: map[string]*offer{}}
	server := httptest.NewServer(x)
	t.Cleanup(func() {
		x.open()
		server.Close()
	})
	flags := []string{"--provider", "tiingo", "--tiingo-key", providerKey, "--provider-url", "tiingo=" + server.URL, "--provider-rate", "tiingo=60000"}
	s := start(t, append(flags, "--public-metrics")...)
	s.run(t, "testdata/providers", map[string]func(*testscript.TestScript, bool, []string){
		"offer": x.cmdOffer, "gate": x.cmdGate, "release": x.cmdRelease,
		"provider": func(ts *testscript.TestScript, _ bool, args []string) {
			ts.Check(ts.Exec(s.binary, append(append(args, flags...), "--data-dir", s.data)...))
		},
	})
	if strings.Contains(s.logs(), providerKey) {
		t.Error("the log tells the key")
	}
}

// ServeHTTP answers /tiingo/daily/SYMBOL/prices.
func (x *exchange) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Token "+providerKey {
		http.Error(w, `{"detail":"Invalid token."}`, http.StatusUnauthorized)
		return
	}
	parts := strings.Split(r.URL.Path, "/")
	x.mu.Lock()
	o := x.offers[parts[3]]
	if o == nil {
		x.mu.Unlock()
		http.Error(w, `{"detail":"Not found."}`, http.StatusNotFound)
		return
	}
	gate := o.gate
	x.mu.Unlock()
	if gate != nil {
		<-gate
	}
	x.mu.Lock()
	days := o.days(r.URL.Query().Get("startDate"))
	x.mu.Unlock()
	_ = json.NewEncoder(w).Encode(days)
}

// days are the bars from a date on; prices rise and fall by turns.
func (o *offer) days(from string) []map[string]any {
	list := []map[string]any{}
	price := 100.0
	for i, d := 0, day(2020, 1, 2); !d.After(o.last); d = d.AddDate(0, 0, 1) {
		if d.Weekday() == time.Saturday || d.Weekday() == time.Sunday {
			continue
		}
		price *= 1 + float64(i%3-1)/100
		if d.Equal(o.jump) {
			price *= 1.1
		}
		i++
		if text := d.Format(time.DateOnly); text >= from {
			list = append(list, map[string]any{
				"date": text + "T00:00:00.000Z", "close": price, "adjClose": price, "divCash": 0.0, "splitFactor": 1.0,
			})
		}
	}
	return list
}

// cmdOffer gives the provider bars of a symbol: offer SYMBOL LAST [JUMP].
func (x *exchange) cmdOffer(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: offer SYMBOL LAST [JUMP]")
	}
	last, err := time.Parse(time.DateOnly, args[1])
	ts.Check(err)
	o := &offer{last: last}
	if len(args) == 3 {
		o.jump, err = time.Parse(time.DateOnly, args[2])
		ts.Check(err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.offers[args[0]] = o
}

// cmdGate makes the provider hold its answers about a symbol back.
func (x *exchange) cmdGate(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: gate SYMBOL")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.offers[args[0]].gate = make(chan struct{})
}

// cmdRelease lets them go.
func (x *exchange) cmdRelease(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: release SYMBOL")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	close(x.offers[args[0]].gate)
	x.offers[args[0]].gate = nil
}

func (x *exchange) open() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, o := range x.offers {
		if o.gate != nil {
			close(o.gate)
			o.gate = nil
		}
	}
}
