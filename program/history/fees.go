package history

import (
	"ballast/metrics"
	"ballast/program/result"
)

// Fees holds returns after costs, and the sums of the daily deductions.
type Fees struct {
	Returns []float64
	Metrics *metrics.Block
	Costs   Costs
}

// Costs are sums of daily fractions of equity.
type Costs struct {
	Management, Financing, Commission, Slippage, Total float64
}

// fees subtracts costs from the window's gross returns, and computes the metrics of
// the net returns.
func (w *window) fees(r Rates, o metrics.Options) *Fees {
	f := afterCosts(w.daily, w.from, w.to, o.BarsPerYear, r)
	series := w.series()
	series.Returns = f.Returns
	f.Metrics = metrics.Compute(series, o)
	return f
}

// afterCosts subtracts costs from the gross returns of rows from to to of a result.
// For each day:
//
//	net = gross − management/bpy − financing/bpy · max(0, exposure at the close before − 1)
//	      − (commission + slippage)/10,000 · traded notional
//
// bpy is the number of bars per year, and the notional is a fraction of equity. The
// first trade, filled on the base, costs on the first return. A net return is never
// below −1, because nobody can pay more than everything.
func afterCosts(d *result.Daily, from, to, barsPerYear int, r Rates) *Fees {
	f := &Fees{Returns: make([]float64, to-from-1)}
	management := r.Management / float64(barsPerYear)
	financing := r.Financing / float64(barsPerYear)
	for i := range f.Returns {
		row := from + 1 + i
		traded := d.Traded[row]
		if row == 1 {
			traded += d.Traded[0]
		}
		financed := float64(financing * max(0, d.Gross[row-1]-1))
		commission := float64(r.Commission / 10_000 * traded)
		slippage := float64(r.Slippage / 10_000 * traded)
		f.Costs.Management += management
		f.Costs.Financing += financed
		f.Costs.Commission += commission
		f.Costs.Slippage += slippage
		f.Returns[i] = max(-1, d.Returns[row]-management-financed-commission-slippage)
	}
	c := &f.Costs
	c.Total = c.Management + c.Financing + c.Commission + c.Slippage
	return f
}
