package history

import (
	"math"
	"testing"
)

func TestTrialsOf(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		ratios []float64
		want   trials
	}{
		{"none", nil, trials{}},
		{"one", []float64{0.5}, trials{count: 1}},
		{"one known", []float64{math.NaN(), 0.5, math.NaN()}, trials{count: 3}},
		{"the same", []float64{0.5, 0.5, 0.5}, trials{count: 3}},
		// By hand: the mean of 0.5, 1 and 1.5 is 1, and (0.25 + 0 + 0.25)/2 = 0.25.
		{"three known", []float64{0.5, math.NaN(), 1, 1.5}, trials{count: 4, variance: 0.25}},
	} {
		if got := trialsOf(test.ratios); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}
