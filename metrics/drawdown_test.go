package metrics_test

import (
	"math"
	"testing"

	"ballast/metrics"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestDrawdowns(t *testing.T) {
	for _, c := range []struct {
		name   string
		equity []float64
		want   []metrics.Spell
	}{
		{"nothing", nil, nil},
		{"never under water", []float64{1, 1, 2, 3}, nil},
		{"from the base", []float64{1, 0.5, 1}, []metrics.Spell{{Depth: -0.5, Peak: 0, Valley: 1, Recovery: 2}}},
		{"the last session at the old high is the peak", []float64{1, 2, 2, 1, 4}, []metrics.Spell{{Depth: -0.5, Peak: 2, Valley: 3, Recovery: 4}}},
		{"the first session at the low is the valley", []float64{4, 3, 2, 3, 2, 3}, []metrics.Spell{{Depth: -0.5, Peak: 0, Valley: 2, Recovery: -1}}},
		{"back at the high up to rounding", []float64{1, 0.9, 1 - 2e-16, 0.9}, []metrics.Spell{
			{Depth: -0.1, Peak: 0, Valley: 1, Recovery: 2}, {Depth: -0.1, Peak: 2, Valley: 3, Recovery: -1},
		}},
		{"two spells", []float64{2, 1, 2, 4, 3, 5}, []metrics.Spell{
			{Depth: -0.5, Peak: 0, Valley: 1, Recovery: 2}, {Depth: -0.25, Peak: 3, Valley: 4, Recovery: 5},
		}},
		{"ruin", []float64{1, 0, 0}, []metrics.Spell{{Depth: -1, Peak: 0, Valley: 1, Recovery: -1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, metrics.Drawdowns(c.equity), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
				t.Errorf("spells (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeepestDrawdowns(t *testing.T) {
	// Seven drawdowns of one session each, the fourth and sixth equally deep.
	var returns []float64
	for _, depth := range []float64{0.01, 0.07, 0.02, 0.05, 0.03, 0.05, 0.04} {
		returns = append(returns, -depth, 1/(1-depth)-1)
	}
	series := weekdays(returns...)
	block := metrics.Compute(series, metrics.Options{})
	if diff := cmp.Diff(block.Drawdowns[:3], metrics.DeepestDrawdowns(series, 3)); diff != "" {
		t.Errorf("the three deepest (-block +own):\n%s", diff)
	}
	type spell struct {
		Value                  float64
		Peak, Valley, Recovery string
		Days                   int
	}
	var got []spell
	for _, d := range block.Drawdowns {
		got = append(got, spell{math.Round(float64(d.Value)*1e9) / 1e9, text(d.Peak), text(d.Valley), text(d.Recovery), *d.Days})
	}
	want := []spell{ // some include weekends
		{-0.07, "2024-01-03", "2024-01-04", "2024-01-05", 2},
		{-0.05, "2024-01-09", "2024-01-10", "2024-01-11", 2},
		{-0.05, "2024-01-15", "2024-01-16", "2024-01-17", 2},
		{-0.04, "2024-01-17", "2024-01-18", "2024-01-19", 2},
		{-0.03, "2024-01-11", "2024-01-12", "2024-01-15", 4},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("drawdowns (-want +got):\n%s", diff)
	}
}
