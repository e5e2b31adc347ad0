package backfill

// Terms turn a proxy's daily return p into the asset's: Scale·p − Drag.
type Terms struct {
	Scale float64 // of the proxy's returns, signed
	Drag  float64 // fraction per session: the asset's costs beyond the proxy's
}

// Costs are annual fractions.
type Costs struct {
	Financing float64 // the rate at which leverage is borrowed, and which cash earns
	Expense   float64 // the asset's charges beyond those within the proxy's returns
}

// NewTerms spreads costs over the sessions of a year. A fund of leverage L earns L·r −
// (L−1)·financing − expense: it borrows what it holds beyond its assets, and a fund with
// L below 1, or a short one, earns interest on its cash (Avellaneda and Zhang,
// Path-Dependence of Leveraged ETF Returns, SIAM Journal on Financial Mathematics 1,
// 2010, equation 2). At a scale of 1 there is nothing to finance.
func NewTerms(scale float64, c Costs, sessionsPerYear int) Terms {
	return Terms{Scale: scale, Drag: (float64((scale-1)*c.Financing) + c.Expense) / float64(sessionsPerYear)}
}

// Expense returns the annual difference in costs between a fund that charges asset and
// scale times a proxy that charges proxy, whose returns are net of it.
func Expense(asset, proxy, scale float64) float64 { return asset - float64(scale*proxy) }

// Of returns the asset's return on a session with the proxy's return p.
func (t Terms) Of(p float64) float64 { return float64(t.Scale*p) - t.Drag }
