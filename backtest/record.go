package backtest

// record writes the weights and contributions of the sessions a+1 to b from the
// holdings at the close of a. Their equity must have been computed.
func (e *engine) record(a, b int) {
	ra, rb := e.row(a)+1, e.row(b)+1
	before, equity := e.rows.equity[ra-1:rb-1], e.rows.equity[ra:rb]
	for _, members := range [2][]int{e.longs, e.shorts} {
		for _, i := range members {
			r := e.panel.Column(i)[a+1 : b+1]
			var weights, parts []float64
			if e.opt.Weights {
				weights = e.column(e.rows.weights, i)[ra:rb]
			}
			if e.opt.Contributions {
				parts = e.column(e.rows.contributions, i)[ra:rb]
			}
			recordMember(weights, parts, r, before, equity, e.opening[i])
		}
	}
	if e.opt.Weights {
		for k, v := range equity {
			e.rows.cashWeight[ra+k] = e.cash / v
		}
	}
}

// recordMember writes the weights and contributions of a holding h that drifts by r;
// either may be nil. If both are given, the chain of products is computed only once.
func recordMember(weights, parts, r, before, equity []float64, h float64) {
	before, equity = before[:len(r)], equity[:len(r)]
	switch {
	case parts == nil:
		weights = weights[:len(r)]
		for k, x := range r {
			h = float64(h * (1 + x))
			weights[k] = h / equity[k]
		}
	case weights == nil:
		parts = parts[:len(r)]
		for k, x := range r {
			parts[k] = float64(h*x) / before[k]
			h = float64(h * (1 + x))
		}
	default:
		weights, parts = weights[:len(r)], parts[:len(r)]
		for k, x := range r {
			parts[k] = float64(h*x) / before[k]
			h = float64(h * (1 + x))
			weights[k] = h / equity[k]
		}
	}
}

// recordRuin writes the sessions from a+1 to t, the session of ruin, and those after
// it. The contributions on the day of ruin are scaled to add up to −1, because the
// lender bears the loss beyond the equity.
func (e *engine) recordRuin(a, t int) {
	if t-1 > a {
		e.record(a, t-1)
	}
	r := e.row(t)
	if e.opt.Weights {
		for _, column := range e.rows.weights {
			if column != nil {
				clear(column[r:])
			}
		}
		for k := r; k < len(e.rows.cashWeight); k++ {
			e.rows.cashWeight[k] = 1
		}
	}
	if !e.opt.Contributions {
		return
	}
	var total float64
	for i, h := range e.hold {
		if h == 0 {
			continue
		}
		for _, x := range e.panel.Column(i)[a+1 : t] {
			h = float64(h * (1 + x))
		}
		part := float64(h * e.panel.Column(i)[t])
		e.column(e.rows.contributions, i)[r] = part
		total += part
	}
	for i, h := range e.hold {
		if h != 0 {
			e.rows.contributions[i][r] /= -total
		}
	}
}

// rewriteWeights sets the weights of session t again after a fill or forced sale.
func (e *engine) rewriteWeights(t int) {
	r := e.row(t)
	for i, h := range e.hold {
		if h != 0 || e.rows.weights[i] != nil {
			e.column(e.rows.weights, i)[r] = h / e.equity
		}
	}
	e.rows.cashWeight[r] = e.cash / e.equity
}

// column returns column i of columns, which is created on first use.
func (e *engine) column(columns [][]float64, i int) []float64 {
	if columns[i] == nil {
		columns[i] = make([]float64, len(e.rows.equity))
	}
	return columns[i]
}
