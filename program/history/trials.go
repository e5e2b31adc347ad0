package history

import (
	"math"
	"slices"

	"ballast/metrics"
)

// trials summarises what was tried on a model.
type trials struct {
	count    int
	variance float64 // sample variance (n − 1) of their annual Sharpe ratios; 0 if fewer than two are known
}

// trialsOf summarises trials from their annual Sharpe ratios, NaN for unknown ones.
func trialsOf(ratios []float64) trials {
	known := slices.DeleteFunc(slices.Clone(ratios), math.IsNaN)
	t := trials{count: len(ratios)}
	if deviation := metrics.MomentsOf(known).Deviation; deviation > 0 {
		t.variance = deviation * deviation
	}
	return t
}
