package backfill

// Terms turn a proxy's daily return p into the asset's: Scale·p − Drag.
type Terms struct {
	Scale float64 // of the proxy's returns, signed
	Drag  float64 // a session, fraction: what the asset costs beyond the proxy
}

// Costs are annual fractions.
type Costs struct {
	Financing float64 // the rate at which leverage is borrowed, and cash earns
	Expense   float64 // what the asset charges beyond what is in the proxy's returns
}

// NewTerms spreads costs over the sessions of a year. A fund of leverage L earns
// L·r − (L−1)·financing − expense: it borrows what it holds beyond its assets,
// and a fund below 1, or short, earns interest on the cash (Avellaneda and
// Zhang, Path-Dependence of Leveraged ETF Returns, SIAM Journal on Financial
// Mathematics 1, 2010, equation 2). At a scale of 1 there is nothing to finance.
func NewTerms(scale float64, c Costs, sessionsPerYear int) Terms {
	return Terms{Scale: scale, Drag: (float64((scale-1)*c.Financing) + c.Expense) / float64(sessionsPerYear)}
}

// Expense is the annual difference of costs where a fund that charges asset holds
// scale times what is behind a proxy that charges proxy and shows returns net of it.
func Expense(asset, proxy, scale float64) float64 { return asset - float64(scale*proxy) }

// Of is the asset's return on a session on which the proxy's is p.
func (t Terms) Of(p float64) float64 { return float64(t.Scale*p) - t.Drag }
