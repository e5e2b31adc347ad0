package program

import (
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

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

// wholeSharpe is the annual Sharpe ratio over no riskless rate of a whole result,
// by which trials are told apart.
func wholeSharpe(table arrow.RecordBatch, barsPerYear int) (float64, error) {
	_, returns, err := dateAndFloats(table, 0, 1)
	if err != nil {
		return 0, err
	}
	return metrics.Sharpe(metrics.MomentsOf(returns[1:]), 0, barsPerYear), nil // row 0 is the base
}
