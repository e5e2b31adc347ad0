package console

import (
	"net/url"
	"testing"
)

func TestShapesInWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ form, want string }{
		"fixed":      {"shape=fixed&schedule=quarterly&member=spy&share=60&member=AGG&share=40%25", "60% SPY and 40% AGG, rebalanced quarterly"},
		"one":        {"shape=fixed&schedule=monthly&member=SPY&share=100", "100% SPY, rebalanced monthly"},
		"a model":    {"shape=fixed&schedule=monthly&member=My+model&share=50&member=SPY&share=50", `50% "My model" and 50% SPY, rebalanced monthly`},
		"momentum":   {"shape=momentum&schedule=monthly&months=12&hold=2&member=SPY&member=EFA&member=EEM&otherwise=BIL", "top 2 of SPY, EFA and EEM by 12 month momentum, only if positive, otherwise BIL, monthly"},
		"average":    {"shape=average&schedule=daily&months=10&member=SPY", "hold SPY when above its 10 month moving average, otherwise cash, daily"},
		"averages":   {"shape=average&schedule=monthly&months=10&member=SPY&member=EFA&otherwise=BIL", "equal weight SPY and EFA, each only while above its 10 month average, otherwise BIL, monthly"},
		"empty":      {"shape=fixed&schedule=monthly&member=&share=", ""},
		"no share":   {"shape=fixed&schedule=monthly&member=SPY&share=", ""},
		"no member":  {"shape=fixed&schedule=monthly&member=&share=5", ""},
		"odd share":  {"shape=fixed&schedule=monthly&member=SPY&share=NaN", ""},
		"many held":  {"shape=momentum&schedule=monthly&months=12&hold=3&member=SPY", ""},
		"schedule":   {"shape=fixed&schedule=hourly&member=SPY&share=5", ""},
		"kind":       {"shape=other&schedule=daily&member=SPY&share=5", ""},
		"quotations": {`shape=fixed&schedule=daily&member=a"b&share=5`, ""},
	} {
		form, err := url.ParseQuery(c.form)
		if err != nil {
			t.Fatal(err)
		}
		s := shapeOf(form)
		got, err := s.words()
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
