package analyze_test

import (
	"math"
	"testing"

	"ballast/analyze"
	"ballast/timeseries"
)

func TestStressStartsAtTheCloseBefore(t *testing.T) {
	t.Parallel()
	s := timeseries.Series{Base: 10, Dates: []timeseries.Date{11, 12, 13, 14, 15}, Returns: []float64{0.5, -0.2, 0.1, -0.5, 1}}
	p := analyze.Through(s, analyze.Episode{First: 12, Last: 14})
	near(t, "return", p.Return, 0.8*1.1*0.5-1, 1e-15)
	near(t, "drawdown", p.Drawdown, 0.8*1.1*0.5-1, 1e-15)
	for name, e := range map[string]analyze.Episode{"begins before the data": {First: 10, Last: 14}, "ends after the data": {First: 12, Last: 16}} {
		p := analyze.Through(s, e)
		near(t, name, p.Return, math.NaN(), 0)
		near(t, name, p.Drawdown, math.NaN(), 0)
	}
	// Half in the series and half in cash, held: the halves do not meet again.
	p = analyze.Held([]float64{0.5, 0}, []timeseries.Series{s, {}}, analyze.Episode{First: 12, Last: 14})
	near(t, "half in cash", p.Return, 0.5*(0.8*1.1*0.5-1), 1e-15)
}

// The regimes up to a day do not change when the future does, and the day itself does
// not choose its regime.
func TestRegimesDoNotLookAhead(t *testing.T) {
	t.Parallel()
	market := noise("market", 600, 5)
	for _, rule := range analyze.Rules {
		whole, err := analyze.Regimes(market, rule)
		if err != nil {
			t.Fatal(err)
		}
		cut := append([]float64(nil), market.Values[:401]...)
		cut[400] = -0.9
		short, err := analyze.Regimes(analyze.Column{Name: "market", Values: cut}, rule)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for i, name := range short {
			seen[name]++
			if whole[i] != name {
				t.Errorf("%s: day %d is %q, and %q without the future", rule, i, whole[i], name)
			}
		}
		days := 0
		for _, r := range analyze.ByRegime(market, whole, 252) {
			days += r.Days
		}
		if want := 600 - map[analyze.Rule]int{analyze.ByDrawdown: 0, analyze.ByVolatility: 63, analyze.ByTrend: 199}[rule]; days != want {
			t.Errorf("%s: %d days, want %d (%v)", rule, days, want, seen)
		}
	}
	market.Values[3] = math.NaN()
	if _, err := analyze.Regimes(market, analyze.ByTrend); err == nil {
		t.Error("a market with a gap has regimes")
	}
}

func TestRegimesByHand(t *testing.T) {
	t.Parallel()
	market := analyze.Column{Name: "M", Values: []float64{-0.1, 0.05, 0.2, 0.01}}
	names, err := analyze.Regimes(market, analyze.ByDrawdown)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"normal", "drawdown", "normal", "normal"}
	for i := range want {
		if names[i] != want[i] {
			t.Errorf("regimes are %v, want %v", names, want)
			break
		}
	}
	r := analyze.ByRegime(market, names, 4)
	near(t, "return in a drawdown", r[0].Return, math.Pow(1.05, 4)-1, 1e-14)
	near(t, "volatility of one day", r[0].Volatility, math.NaN(), 0)
	near(t, "return otherwise", r[1].Return, math.Pow(0.9*1.2*1.01, 4.0/3)-1, 1e-14)
}
