package metrics_test

import (
	"encoding/json"
	"testing"

	"ballast/metrics"

	"github.com/google/go-cmp/cmp"
)

func TestWire(t *testing.T) {
	block := metrics.Compute(weekdays(-0.5), metrics.Options{})
	block.Conventions = metrics.Conventions{}
	got, err := json.MarshalIndent(block, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	var have, want any
	if err := json.Unmarshal(got, &have); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{
		"window": {"start": "2024-01-02", "end": "2024-01-02", "sessions": 1, "years": 0.0027378507871321013},
		"conventions": {"bars_per_year": 0, "risk_free": 0, "trials": 0, "trial_sharpe_variance": 0,
			"probabilistic_sharpe": "", "deflated_sharpe": "", "annualization": "", "cagr": "", "risk_free_per_bar": "", "risk_free_series": null,
			"volatility": "", "sharpe": "", "sortino": "", "drawdown": "", "calmar": "", "ulcer": "", "omega": "", "tails": "",
			"moments": "", "periods": "", "rolling": "", "turnover": "", "exposure": "", "benchmark": ""},
		"total_return": -0.5, "cagr": -1, "annual_volatility": null, "sharpe": null, "sortino": null,
		"probabilistic_sharpe": null, "deflated_sharpe": null, "calmar": null,
		"omega": null, "tail_ratio": null,
		"max_drawdown": {"value": -0.5, "peak": "2024-01-01", "valley": "2024-01-02", "recovery": null, "days": 1},
		"drawdowns": [{"value": -0.5, "peak": "2024-01-01", "valley": "2024-01-02", "recovery": null, "days": 1}],
		"ulcer_index": 0.5, "ulcer_performance_index": null, "value_at_risk_5": null, "conditional_value_at_risk_5": null,
		"skewness": null, "excess_kurtosis": null, "win_rate": 0,
		"best_day": -0.5, "worst_day": -0.5, "best_month": -0.5, "worst_month": -0.5, "best_year": -0.5, "worst_year": -0.5,
		"positive_months": 0,
		"monthly": [{"year": 2024, "months": [-0.5, null, null, null, null, null, null, null, null, null, null, null],
			"year_return": -0.5, "partial": true}],
		"rolling": {"one_year": {"min": null, "median": null, "max": null},
			"three_year": {"min": null, "median": null, "max": null}, "five_year": {"min": null, "median": null, "max": null}},
		"turnover": null, "gross_exposure": {"mean": null, "max": null}, "time_in_market": null, "benchmark": null
	}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("block (-want +got):\n%s", diff)
	}
}

func TestWireOfAnEmptySeries(t *testing.T) {
	got, err := json.Marshal(metrics.Compute(weekdays(), metrics.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var have map[string]json.RawMessage
	if err := json.Unmarshal(got, &have); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"window":       `{"start":null,"end":null,"sessions":0,"years":null}`,
		"max_drawdown": `{"value":null,"peak":null,"valley":null,"recovery":null,"days":null}`,
		"drawdowns":    `[]`,
		"monthly":      `[]`,
	} {
		if string(have[key]) != want {
			t.Errorf("%s = %s, want %s", key, have[key], want)
		}
	}
}

func TestConventionsAreSaid(t *testing.T) {
	got, err := json.Marshal(metrics.Compute(weekdays(), metrics.Options{BarsPerYear: 365, RiskFree: 0.03}).Conventions)
	if err != nil {
		t.Fatal(err)
	}
	var words map[string]any
	if err := json.Unmarshal(got, &words); err != nil {
		t.Fatal(err)
	}
	if words["bars_per_year"] != 365.0 || words["risk_free"] != 0.03 {
		t.Errorf("bars_per_year %v, risk_free %v; want 365 and 0.03", words["bars_per_year"], words["risk_free"])
	}
	for name, v := range words {
		if v == "" {
			t.Errorf("convention %s says nothing", name)
		}
	}
}
