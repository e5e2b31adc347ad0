package history

import (
	"math"
	"slices"

	"ballast/metrics"
)

// trials is what was tried on a model.
type trials struct {
	count    int
	variance float64 // of their annual Sharpe ratios (n − 1), 0 where under two are known
}

// trialsOf describes what was tried by its annual Sharpe ratios, NaN where one
// is not known.
func trialsOf(ratios []float64) trials {
	known := slices.DeleteFunc(slices.Clone(ratios), math.IsNaN)
	t := trials{count: len(ratios)}
	if deviation := metrics.MomentsOf(known).Deviation; deviation > 0 {
		t.variance = deviation * deviation
	}
	return t
}
