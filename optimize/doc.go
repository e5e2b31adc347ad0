// Package optimize solves the problems of portfolio choice: weights of least
// variance or highest utility within bounds and linear constraints, and weights that
// share risk in given proportions.
//
//	p := optimize.Problem{Covariance: c, Lower: low, Upper: high, Rows: []optimize.Row{optimize.Total(n, 1)}}
//	s, err := optimize.Quadratic(p)   // the weights and a multiplier for every limit
//	fmt.Println(p.Certify(s).Residual())  // how far they are from optimal
//	f, err := optimize.NewFrontier(p, means)  // least risk at each return
//	f.ByGain(50)                          // portfolios for a figure
//
// It is mathematics over gonum and knows nothing of symbols, dates or scripts. Limits
// that no weights can satisfy give a *Clash, which names the fewest of them that
// contradict one another. Certify checks a solution without the solver's code: with the
// multipliers it is a proof of optimality that anyone can repeat.
package optimize
