package execution

import (
	"github.com/apache/arrow-go/v18/arrow"

	"ballast/metrics"
	"ballast/program/result"
)

// wholeSharpe is the annual Sharpe ratio over no riskless rate of a whole result,
// by which trials are told apart.
func wholeSharpe(table arrow.RecordBatch, barsPerYear int) (float64, error) {
	_, returns, err := result.DateAndFloats(table, 0, 1)
	if err != nil {
		return 0, err
	}
	return metrics.Sharpe(metrics.MomentsOf(returns[1:]), 0, barsPerYear), nil // row 0 is the base
}
