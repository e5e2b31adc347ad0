package program

import (
	"context"
	"math"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/metrics"
)

// trials is what was tried on a model when one of its runs ended.
type trials struct {
	count    int
	variance float64 // of their annual Sharpe ratios (n − 1), 0 where under two are known
}

func (trials) size() int64 { return 16 }

// trialsOf describes what was tried by its annual Sharpe ratios, NaN where one
// is not known.
func trialsOf(ratios []float64) trials {
	known := make([]float64, 0, len(ratios))
	for _, ratio := range ratios {
		if !math.IsNaN(ratio) {
			known = append(known, ratio)
		}
	}
	t := trials{count: len(ratios)}
	if deviation := metrics.MomentsOf(known).Deviation; deviation > 0 {
		t.variance = deviation * deviation
	}
	return t
}

// trials reads what was tried when a run ended, once: what is tried later does
// not make an earlier result luckier.
func (s *Service) trials(ctx context.Context, run *Run) (trials, error) {
	return remembered(s.results, run, partTrials, func() (trials, error) {
		ratios, err := s.store.Trials(ctx, run)
		return trialsOf(ratios), err
	})
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
