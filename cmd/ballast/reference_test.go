package main

import (
	"math"
	"strings"
	"testing"

	"ballast/internal/testenv"
)

// The expected figures of 60 % SPY and 40 % AGG, over the adjusted closes of the real
// ETFs, were computed outside this project on the same bars.
func TestReferenceFigures(t *testing.T) {
	binary.Path(t)
	bars := testenv.Data(t, "bars/etf21_yahoo_2025.csv.gz")
	data := t.TempDir()
	_, url := serveProcess(t, data)
	must(t, "import", "bars", bars, "--data-dir", data)
	c := caller(t, data, url)

	monthly := fixedWeights("Monthly", "MONTHLY", "SPY", 0.6, "AGG", 0.4)
	await(t, c, create(t, c, monthly), "active")
	await(t, c, create(t, c, replaced(t, fixedWeights("Quarterly", "QUARTERLY", "SPY", 0.6, "AGG", 0.4), `SCHEDULE = "monthly"`, `SCHEDULE = "quarterly"`)), "active")
	await(t, c, create(t, c, replaced(t, fixedWeights("Next", "NEXT", "SPY", 0.6, "AGG", 0.4), "SYMBOL", "FILL = \"next_close\"\nSYMBOL")), "active")

	t.Run("monthly", func(t *testing.T) {
		h := read(t, c, "MONTHLY")
		if h.Window.Base != "2003-09-29" || len(h.Returns) != 5534 || h.Window.End != "2025-09-26" || decisions(t, c, "MONTHLY") != 265 {
			t.Errorf("window %+v, %d returns, %d decisions", h.Window, len(h.Returns), decisions(t, c, "MONTHLY"))
		}
		m := h.Metrics
		near(t, "total return", m.TotalReturn, 4.469587148628, 1e-9)
		near(t, "CAGR", m.CAGR, 0.080323511027, 1e-9)
		near(t, "annual volatility", m.Volatility, 0.112593285262, 1e-9)
		near(t, "Sharpe", m.Sharpe, 0.743608186881, 1e-9)
		near(t, "maximum drawdown", m.MaxDrawdown.Value, -0.357660521680, 1e-9)
		if m.MaxDrawdown.Valley != "2009-03-09" {
			t.Errorf("the valley is on %s", m.MaxDrawdown.Valley)
		}
		weights := h.Allocation.Weights["SPY"]
		near(t, "last weight of SPY", weights[len(weights)-1], 0.60455763, 5e-9)
	})
	t.Run("quarterly", func(t *testing.T) {
		near(t, "total return", read(t, c, "QUARTERLY").Metrics.TotalReturn, 4.573175444022, 1e-9)
		if n := decisions(t, c, "QUARTERLY"); n != 89 {
			t.Errorf("%d decisions", n)
		}
	})
	t.Run("filled a session later", func(t *testing.T) {
		h := read(t, c, "NEXT")
		near(t, "total return", h.Metrics.TotalReturn, 4.587546740800, 1e-9)
		if h.Window.Base != "2003-09-30" {
			t.Errorf("base %s", h.Window.Base)
		}
	})
	t.Run("model of models", func(t *testing.T) {
		await(t, c, create(t, c, fixedWeights("Holder", "HOLDER", "MONTHLY", 0.4, "QUARTERLY", 0.35, "GLD", 0.2)), "active")
		checkHolder(t, c)
	})
}

// checkHolder checks a model that holds two models and an asset against a separate
// computation from the series that its members serve.
func checkHolder(t *testing.T, c *client) {
	t.Helper()
	members := []*readHistory{read(t, c, "MONTHLY"), read(t, c, "QUARTERLY"), {}}
	if err := c.do(t.Context(), "GET", "/v1/assets/GLD/history", nil, members[2]); err != nil {
		t.Fatal(err)
	}
	targets := []float64{0.4, 0.35, 0.2}
	row := make([]map[string]int, len(members))
	for i, m := range members {
		row[i] = map[string]int{}
		for j, date := range m.Dates {
			row[i][date] = j
		}
	}
	got := read(t, c, "HOLDER")
	axis := members[0].Dates
	for axis[0] != got.Window.Base {
		axis = axis[1:] // the base is the first bar of the youngest member
	}
	if axis[1] != members[2].Dates[0] {
		t.Fatalf("the base is %s, the first return of GLD on %s", axis[0], members[2].Dates[0])
	}
	if len(got.Dates) != len(axis)-1 {
		t.Fatalf("%d returns, want %d", len(got.Dates), len(axis)-1)
	}
	held := append([]float64(nil), targets...) // in units of the equity at the base
	cash := 1 - targets[0] - targets[1] - targets[2]
	equity := 1.0
	for n, date := range axis[1:] {
		for i := range held {
			j, ok := row[i][date]
			if !ok {
				t.Fatalf("member %d has no return on %s", i, date)
			}
			held[i] *= 1 + *members[i].Returns[j]
		}
		now := held[0] + held[1] + held[2] + cash
		near(t, "return on "+date, got.Returns[n], now/equity-1, 1e-12)
		equity = now
		if last := n+2 == len(axis); !last && axis[n+2][:7] != date[:7] { // the last session of a month
			for i := range held {
				held[i] = targets[i] * equity
			}
			cash = (1 - targets[0] - targets[1] - targets[2]) * equity
		}
		for _, ticker := range []string{"SPY", "AGG"} {
			want := 0.0
			for i, m := range members[:2] {
				want += held[i] / equity * *m.Allocation.Weights[ticker][row[i][date]]
			}
			near(t, ticker+" on "+date, got.Allocation.Weights[ticker][n], want, 1e-12)
		}
		near(t, "GLD on "+date, got.Allocation.Weights["GLD"][n], held[2]/equity, 1e-12)
		if t.Failed() {
			return
		}
	}
	if err := got.addsUp(1e-12); err != nil {
		t.Errorf("resolved to tickers: %v; first member %v", err, members[0].addsUp(1e-12))
	}
	if n := len(got.Allocation.Weights); n != 4 {
		t.Errorf("%d tickers, want SPY, AGG, GLD and CASH", n)
	}
}

func read(t *testing.T, c *client, symbol string) *readHistory {
	t.Helper()
	h := &readHistory{}
	if err := c.do(t.Context(), "GET", "/v1/models/"+symbol+"/history?include=returns,allocation,metrics&full_history=true", nil, h); err != nil {
		t.Fatal(err)
	}
	return h
}

func decisions(t *testing.T, c *client, symbol string) int {
	t.Helper()
	var sheet struct {
		Metadata struct {
			Execution struct{ Decisions struct{ Count int } }
		}
	}
	if err := c.do(t.Context(), "GET", "/v1/models/"+symbol, nil, &sheet); err != nil {
		t.Fatal(err)
	}
	return sheet.Metadata.Execution.Decisions.Count
}

// replaced returns the text with old replaced, and fails the test if it lacks old.
func replaced(t *testing.T, text, old, new string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("no %q in %s", old, text)
	}
	return strings.Replace(text, old, new, 1)
}

func near(t *testing.T, what string, got *float64, want, within float64) {
	t.Helper()
	switch {
	case got == nil:
		t.Errorf("%s is not a number, want %v", what, want)
	case !(math.Abs(*got-want) <= within):
		t.Errorf("%s is %.15g, want %.15g", what, *got, want)
	}
}
