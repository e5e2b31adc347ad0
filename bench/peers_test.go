package bench

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBesideAPeer(t *testing.T) {
	t.Parallel()
	own := []float64{0.01, -0.02}
	for _, c := range []struct {
		name  string
		peer  []float64
		daily float64
	}{
		{"equal", []float64{0.01, -0.02}, 0},
		{"a day off", []float64{0.01, -0.0175}, 0.0025},
		{"a day too few", []float64{0.01}, math.Inf(1)},
		{"not a number", []float64{0.01, math.NaN()}, math.Inf(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := peerRun{TotalReturn: 3, Returns: c.peer, Seconds: 1}.beside(own)
			one := Case{TotalReturn: 3, Peers: map[string]Value{"bt": v}}
			if d := one.Difference(); math.Abs(d-c.daily) > 1e-15 {
				t.Errorf("difference %v, want %v", d, c.daily)
			}
		})
	}
}

// TestFillsAreGivenWhole compares what the peers get with the rebalances of a history.
func TestFillsAreGivenWhole(t *testing.T) {
	t.Parallel()
	r := &ownRun{}
	err := json.Unmarshal([]byte(`{"window": {"base": "2024-01-02"}, "returns": [0.1], "allocation": {"rebalances": [
		{"date": "2024-01-02", "trades": {"A": {"before": 0, "target": 0.5, "traded": 0.5}}},
		{"date": "2024-01-31", "trades": {"A": {"before": 0.6, "target": 0}, "B": {"before": 0, "target": 1}}}]}}`), r)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]target{"2024-01-02": {"A": 0.5}, "2024-01-31": {"A": 0, "B": 1}}
	if d := cmp.Diff(want, r.fills()); d != "" {
		t.Error(d)
	}
}

func TestStrategiesAreNamedOnce(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range Strategies() {
		if seen[s.Name] {
			t.Errorf("%s is there twice", s.Name)
		}
		seen[s.Name] = true
	}
	if len(seen) < 10 {
		t.Errorf("%d strategies", len(seen))
	}
}
