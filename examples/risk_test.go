package examples_test

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestRiskIsShared checks the definition of risk parity at every decision: the largest
// share of risk that the script records is one sixth, that of each of the six members.
func TestRiskIsShared(t *testing.T) {
	r := run(t, realMarket(t), "risk_parity.py").result
	for _, c := range r.Custom {
		for i, v := range c.Values {
			if !math.IsNaN(v) && math.Abs(v-1.0/6) > 1e-6 {
				t.Fatalf("%s: %s is %v", r.Dates[i], c.Name, v)
			}
		}
	}
	if len(r.Custom) != 1 {
		t.Errorf("%d series were recorded", len(r.Custom))
	}
}

// TestAdaptiveByHand checks that every decision has the least variance: the funds are
// chosen by momentum, and a chosen fund's marginal variance equals the portfolio's if
// the fund is held, and is not below it if the fund is not held.
func TestAdaptiveByHand(t *testing.T) {
	all := readHistories(t)
	r := run(t, realMarket(t), "adaptive_aaa.py").result
	for _, e := range r.Ledger {
		k := upTo(all, e.Decided.String())
		got := targets(r, e)
		chosen := ranked("SPY IEV EWJ EEM VNQ IEF TLT DBC GLD", func(s string) float64 { return k.gain(s, 120) })[:5]
		for s, w := range got {
			if w != 0 && !slices.Contains(chosen, s) {
				t.Fatalf("%s: %s is held, the strongest are %s", e.Decided, s, strings.Join(chosen, " "))
			}
		}
		marginal, variance := weights{}, 0.0
		for _, i := range chosen {
			for _, j := range chosen {
				marginal[i] += k.covariance(i, j) * got[j]
			}
			variance += marginal[i] * got[i]
		}
		for _, s := range chosen {
			if off := marginal[s]/variance - 1; off < -1e-6 || got[s] > 0 && off > 1e-6 {
				t.Fatalf("%s: %s of %v is off by %v", e.Decided, s, got, off)
			}
		}
	}
}

// covariance combines the correlation over 250 days with the volatilities over 60.
func (k known) covariance(a, b string) float64 {
	return k.product(a, b, 250) / math.Sqrt(k.product(a, a, 250)*k.product(b, b, 250)) *
		math.Sqrt(k.product(a, a, 60)*k.product(b, b, 60))
}

// product returns the sample covariance of the last n daily returns.
func (k known) product(a, b string, n int) float64 {
	daily := func(s string) []float64 {
		p := k[s][len(k[s])-n-1:]
		r := make([]float64, n)
		var sum float64
		for i := range r {
			r[i] = p[i+1]/p[i] - 1
			sum += r[i]
		}
		for i := range r {
			r[i] -= sum / float64(n)
		}
		return r
	}
	x, y := daily(a), daily(b)
	var sum float64
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum / float64(n-1)
}
