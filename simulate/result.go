package simulate

import (
	"context"
	"math"

	"ballast/timeseries"
)

// Result is what a simulation has found.
type Result struct {
	Bands         []Band // of the value, by month, from 0
	RealBands     []Band
	Alive         []float64 // share of paths that have paid everything so far, by month, from 0
	Spending      []Band    // by month, from 1
	RealSpending  []Band
	Outcomes      []Outcome
	Rates         []RatePoint
	SamplePaths   [][]float64 // values by month, from 0
	Success       float64
	Low, High     float64 // Wilson's interval of that, 95 %
	Shortfall     float64 // mean years that a failing path misses; not a number without one
	SafeRate      float64 // the share of the start value that can be spent a year: the least of all past starts, the 5th percentile of drawn paths
	PerpetualRate float64 // likewise, and keeps the real value
	MedianFinal   float64
	MedianReal    float64
	Lengths       Lengths
	Used          float64 // mean block length that was drawn with; 0 where none is
	Windows       float64 // how many independent windows of the horizon the data holds
	Months        int     // of data
}

// Outcome is how a path ends.
type Outcome struct {
	Path        int             // 0 the first
	Start       timeseries.Date // end of the first month of a path of History; 0 of others
	Final       float64
	FinalReal   float64
	Depleted    int     // month in which a payment was not met in full, 1 the first; 0 for none
	Spent       float64 // in all
	LowestSpent float64 // in a month
	MaxDrawdown float64 // of the value, at most 0
}

// samplePaths is how many paths are kept whole.
const samplePaths = 50

// finish gathers what is known at the end.
func (c *carrier) finish(ctx context.Context, r *Result) error {
	horizon := c.plan.Horizon()
	r.Outcomes = make([]Outcome, len(c.paths))
	ended := make([]int, horizon+1)
	finals, reals := make([]float64, len(c.paths)), make([]float64, len(c.paths))
	safe, perpetual := make([]float64, len(c.paths)), make([]float64, len(c.paths))
	failed, missing := 0, 0
	for p := range r.Outcomes {
		at := &c.paths[p]
		o := Outcome{
			Path: c.first + p, Final: at.value, FinalReal: at.value / at.price, Depleted: int(at.depleted),
			Spent: at.spent, LowestSpent: at.lowest, MaxDrawdown: at.kept - 1,
		}
		if c.plan.Source == History {
			o.Start = c.plan.Months.Ends[o.Path]
		}
		r.Outcomes[p] = o
		finals[p], reals[p] = o.Final, o.FinalReal
		safe[p], perpetual[p] = 12/at.annuity, 12*(1-at.discount)/at.annuity
		if o.Depleted > 0 {
			ended[o.Depleted]++
			failed++
			missing += horizon - o.Depleted + 1
		}
	}
	r.Alive = make([]float64, horizon+1)
	alive := len(c.paths)
	for t := range r.Alive {
		alive -= ended[t]
		r.Alive[t] = float64(alive) / float64(len(c.paths))
	}
	r.Success = float64(len(c.paths)-failed) / float64(len(c.paths))
	r.Low, r.High = Wilson(len(c.paths)-failed, len(c.paths))
	r.Shortfall = math.NaN()
	if failed > 0 {
		r.Shortfall = float64(missing) / float64(failed) / 12
	}
	level := 0.05
	if c.plan.Source == History {
		level = 0
	}
	quantiles := []struct {
		of    []float64
		level float64
		into  *float64
	}{{safe, level, &r.SafeRate}, {perpetual, level, &r.PerpetualRate}, {finals, 0.5, &r.MedianFinal}, {reals, 0.5, &r.MedianReal}}
	if err := parallel(ctx, len(quantiles), func(_, i int) error {
		*quantiles[i].into = quantile(quantiles[i].of, quantiles[i].level)
		return nil
	}); err != nil {
		return err
	}
	r.Rates = c.rates()
	return nil
}
