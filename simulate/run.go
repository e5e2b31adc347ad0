package simulate

import (
	"context"
)

// blockMonths is how many months all paths go before their quantiles are taken.
const blockMonths = 12

// Run carries all paths of a plan. Decide makes the decisions of a number of paths.
// Progress is told the part that is done, from 0 to 1; nil for nobody. An error of
// the plan or of a decision that is invalid is an *InvalidError.
func Run(ctx context.Context, p *Plan, decide func(paths int) Decider, progress func(done float64)) (*Result, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	own := p.ownMonths()
	r := &Result{Months: p.Months.Len(), Windows: float64(p.Months.Len()) / float64(p.Horizon())}
	r.Lengths.Stationary, r.Lengths.Circular = BlockLengths(own)
	n := p.paths()
	c := newCarrier(p, decide(n), &r.Lengths, own, 0, n)
	r.Used = blockUsed(c.source)
	start := Band{Mean: p.StartValue}
	for i := range start.Quantiles {
		start.Quantiles[i] = p.StartValue
	}
	r.Bands, r.RealBands = append(r.Bands, start), append(r.RealBands, start)
	r.SamplePaths = make([][]float64, min(samplePaths, n))
	for i := range r.SamplePaths {
		r.SamplePaths[i] = append(make([]float64, 0, p.Horizon()+1), p.StartValue)
	}
	w := c.newWindow(blockMonths)
	banders := make([]bander, Workers())
	for from := 0; from < p.Horizon(); from += blockMonths {
		if err := c.carry(ctx, from, from+blockMonths, w); err != nil {
			return nil, err
		}
		if err := c.gather(ctx, r, from, w, banders); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(float64(from+blockMonths) / float64(p.Horizon()))
		}
	}
	if err := c.finish(ctx, r); err != nil {
		return nil, err
	}
	return r, nil
}

// blockUsed is the mean block length of a drawer.
func blockUsed(d drawer) float64 {
	switch d := d.(type) {
	case stationary:
		return 1 / d.chance
	case circular:
		return float64(d.length)
	}
	return 0
}

// gather takes the quantiles of the window's months.
func (c *carrier) gather(ctx context.Context, r *Result, from int, w *window, banders []bander) error {
	months := len(w.value)
	values, spends := make([]Band, months), make([]Band, months)
	realValues, realSpends := make([]Band, months), make([]Band, months)
	err := parallel(ctx, 2*months, func(worker, task int) error {
		b, t := &banders[worker], task/2
		if task%2 == 0 {
			values[t] = b.band(w.value[t])
			if w.realValue == nil {
				realValues[t] = values[t].over(c.prices[from+t+1])
			} else {
				realValues[t] = b.band(w.realValue[t])
			}
			return nil
		}
		spends[t] = b.band(w.spent[t])
		if w.realSpent == nil {
			realSpends[t] = spends[t].over(c.prices[from+t])
		} else {
			realSpends[t] = b.band(w.realSpent[t])
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.Bands, r.RealBands = append(r.Bands, values...), append(r.RealBands, realValues...)
	r.Spending, r.RealSpending = append(r.Spending, spends...), append(r.RealSpending, realSpends...)
	for i := range r.SamplePaths {
		for t := range months {
			r.SamplePaths[i] = append(r.SamplePaths[i], w.value[t][i])
		}
	}
	return nil
}

// PathMonth is a month of one path.
type PathMonth struct {
	Value     float64 // at its end
	RealValue float64
	Withdrawn float64 // at its beginning; negative was paid in
}

// Path carries one path of a plan, 0 the first. The first row is the start.
func Path(ctx context.Context, p *Plan, decide func(paths int) Decider, number int) ([]PathMonth, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if n := p.paths(); number < 0 || number >= n {
		return nil, invalid("path", "path is %d: the simulation has the paths 0 to %d", number, n-1)
	}
	own := p.ownMonths()
	var lengths Lengths
	lengths.Stationary, lengths.Circular = BlockLengths(own)
	c := newCarrier(p, decide(1), &lengths, own, number, 1)
	w := c.newWindow(1)
	rows := []PathMonth{{Value: p.StartValue, RealValue: p.StartValue}}
	for t := range p.Horizon() {
		before := c.paths[0].value
		if err := c.carry(ctx, t, t+1, w); err != nil {
			return nil, err
		}
		rows = append(rows, PathMonth{w.value[0][0], w.value[0][0] / c.paths[0].price, min(c.paths[0].money, before)})
	}
	return rows, nil
}
