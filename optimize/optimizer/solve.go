package optimizer

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ballast/optimize"
	"ballast/optimize/estimate"
)

// Input is what weights are computed from.
type Input struct {
	Symbols     []string
	Returns     [][]float64        // per symbol, oldest first, of the same length
	Current     map[string]float64 // weights that are held; nil if nothing is
	BarsPerYear int
	Lower       []float64 // per symbol; nil for those of the definition
	Upper       []float64
	Total       float64 // of all weights
}

// Bounded sets the bounds of the definition and a total of 1.
func (d *Definition) Bounded(in Input) Input {
	in.Lower, in.Upper = d.limits(in.Symbols)
	in.Total = 1
	return in
}

// Answer is the optimum and what it was computed from.
type Answer struct {
	Weights []float64
	// Objective is the value of the objective per bar: the variance, the ratio of return
	// or volatility to risk, the return, the utility, or the expected shortfall.
	Objective  float64
	Residual   float64 // of the certificate
	Active     []string
	Covariance *mat.SymDense
	Expected   []float64 // per bar; nil if the objective takes none
}

// MostResidual is the residual above which an answer is refused.
const MostResidual = 1e-10

// tau is how uncertain the prior of Black and Litterman is.
const tau = 0.05

// Error says why a definition has no answer for an input.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func errorf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Solve returns the best weights. The definition must have been checked, and the input
// bounded. Errors are *Error: for limits that contradict one another or the data.
func (d *Definition) Solve(in Input) (*Answer, error) {
	n := len(in.Symbols)
	if n == 0 {
		return &Answer{Weights: []float64{}, Covariance: &mat.SymDense{}}, nil
	}
	a, err := d.estimates(in)
	if err != nil {
		return nil, err
	}
	s := solving{Definition: d, in: in, answer: a}
	if err := s.run(); err != nil {
		return nil, s.named(err)
	}
	if !(a.Residual <= MostResidual) {
		return nil, errorf("the weights that were found are not exact enough (residual %.2g, at most %.0e is accepted); the numbers differ too much in size", a.Residual, MostResidual)
	}
	return a, nil
}

// last returns the last bars of each column, or all of them if there are fewer.
func last(columns [][]float64, bars int) [][]float64 {
	out := make([][]float64, len(columns))
	for i, c := range columns {
		out[i] = c[max(0, len(c)-bars):]
	}
	return out
}

// estimates estimates the covariance and the expected returns.
func (d *Definition) estimates(in Input) (*Answer, error) {
	n := len(in.Symbols)
	returns := last(in.Returns, d.Covariance.Lookback)
	bars := len(returns[0])
	if bars < 2 {
		return nil, errorf("the panel has %d bars; a covariance needs at least 2", bars)
	}
	if d.Covariance.Estimator == estimate.Sample && bars < n && d.Objective != HRP {
		return nil, errorf("%d bars do not determine the weights of %d members; use a longer lookback, or the estimator ledoit_wolf", bars, n)
	}
	c, err := estimate.Covariance(returns, d.Covariance.Estimator, d.Covariance.Halflife)
	if err != nil {
		return nil, errorf("%v", err)
	}
	for i, s := range in.Symbols {
		if !(c.At(i, i) > 0) {
			return nil, errorf("%s does not move in the last %d bars, so its risk is not known; leave it out", s, bars)
		}
	}
	a := &Answer{Covariance: c}
	switch {
	case d.Objective == BlackLitterman:
		err = d.posterior(in, a)
	case d.Expected != nil:
		err = d.expected(in, a)
	}
	return a, err
}

// expected estimates expected returns.
func (d *Definition) expected(in Input, a *Answer) error {
	returns := last(in.Returns, d.Expected.Lookback)
	switch d.Expected.Estimator {
	case ExpectExponential:
		a.Expected = estimate.FadingMean(returns, d.Expected.Halflife)
	case ExpectImplied:
		market, err := d.market(in.Symbols)
		if err != nil {
			return err
		}
		a.Expected = estimate.Implied(a.Covariance, market, d.RiskAversion)
		floats.AddConst(d.Riskless/float64(in.BarsPerYear), a.Expected)
	default:
		a.Expected = estimate.Mean(returns)
	}
	return nil
}

// market returns the market's weights of the symbols, which add up to 1.
func (d *Definition) market(symbols []string) ([]float64, error) {
	w := weightsOf(symbols, d.Market)
	total := floats.Sum(w)
	if !(total > 0) {
		return nil, errorf("market has no weight above 0 for a member of the panel")
	}
	floats.Scale(1/total, w)
	return w, nil
}

// posterior sets the estimates to those after the views. Expected returns are above the
// riskless one. A view about members that the panel does not have is an error.
func (d *Definition) posterior(in Input, a *Answer) error {
	market, err := d.market(in.Symbols)
	if err != nil {
		return err
	}
	views := make([]estimate.View, len(d.Views))
	for k, v := range d.Views {
		for s := range v.Weights {
			if !slices.Contains(in.Symbols, s) {
				return errorf("view %d is about %s, which is not in the panel", k+1, s)
			}
		}
		views[k] = estimate.View{Weights: weightsOf(in.Symbols, v.Weights), Return: v.Return / float64(in.BarsPerYear)}
	}
	a.Expected, a.Covariance, err = estimate.Posterior(a.Covariance, estimate.Implied(a.Covariance, market, d.RiskAversion), views, tau)
	if err != nil {
		return errorf("%v", err)
	}
	return nil
}

func weightsOf(symbols []string, by map[string]float64) []float64 {
	w := make([]float64, len(symbols))
	for i, s := range symbols {
		w[i] = by[s]
	}
	return w
}

// solving is one definition on the way to an answer.
type solving struct {
	*Definition
	in      Input
	answer  *Answer
	problem optimize.Problem
}

func (s *solving) run() error {
	switch s.Objective {
	case RiskParity:
		return s.parity()
	case HRP:
		return s.hierarchy()
	}
	if err := s.limited(); err != nil {
		return err
	}
	if s.Objective == MinCVaR {
		return s.shortfall()
	}
	p, a := s.problem, s.answer
	var solution optimize.Solution
	var err error
	switch s.Objective {
	case MinVariance:
		solution, err = optimize.Quadratic(p)
	case TargetReturn:
		row := optimize.Total(len(s.in.Symbols), math.Inf(1))
		size := floats.Norm(a.Expected, math.Inf(1))
		if size == 0 {
			size = 1
		}
		row.Coefficients = slices.Clone(a.Expected)
		floats.Scale(1/size, row.Coefficients)
		row.Min = *s.Target / float64(s.in.BarsPerYear) / size
		p.Rows = append(p.Rows, row)
		s.problem = p
		solution, err = optimize.Quadratic(p)
	case MeanVariance:
		p.Linear = slices.Clone(a.Expected)
		floats.Scale(-1/s.RiskAversion, p.Linear)
		solution, err = optimize.Quadratic(p)
	case TargetRisk:
		p, solution, err = optimize.AtRisk(p, a.Expected, *s.Target**s.Target/float64(s.in.BarsPerYear))
	default:
		p, solution, err = optimize.Ratio(p, s.gain())
	}
	if err != nil {
		return err
	}
	a.Weights, a.Residual = solution.Weights, p.Certify(solution).Residual()
	s.describe(p, solution)
	s.value()
	return nil
}

// gain is what a ratio has above risk.
func (s *solving) gain() []float64 {
	gain := make([]float64, len(s.in.Symbols))
	switch s.Objective {
	case MaxDiversification:
		for i := range gain {
			gain[i] = math.Sqrt(s.answer.Covariance.At(i, i))
		}
	case MaxSharpe:
		copy(gain, s.answer.Expected)
		floats.AddConst(-s.Riskless/float64(s.in.BarsPerYear), gain)
	case BlackLitterman:
		copy(gain, s.answer.Expected)
	}
	return gain
}

// limited sets the problem's limits.
func (s *solving) limited() error {
	n := len(s.in.Symbols)
	s.problem = optimize.Problem{Covariance: s.answer.Covariance, Lower: s.in.Lower, Upper: s.in.Upper, Rows: append([]optimize.Row{optimize.Total(n, s.in.Total)}, s.Rows(s.in.Symbols)...)}
	if s.Turnover != nil {
		current := weightsOf(s.in.Symbols, s.in.Current)
		gone := 0.0 // sold because it is not in the panel any more
		for symbol, w := range s.in.Current {
			if !slices.Contains(s.in.Symbols, symbol) {
				gone += math.Abs(w)
			}
		}
		if floats.Norm(current, 1)+gone > 0 {
			if gone > s.Turnover.Max {
				return errorf("members that are not in the panel hold %v and must be sold, above the turnover limit of %v", gone, s.Turnover.Max)
			}
			s.problem.Turnover = &optimize.Turnover{Current: current, Max: s.Turnover.Max - gone}
		}
	}
	if s.Tracking != nil {
		for symbol, w := range s.Tracking.Benchmark {
			if w != 0 && !slices.Contains(s.in.Symbols, symbol) {
				return errorf("the benchmark holds %s, which is not in the panel", symbol)
			}
		}
		s.problem.Tracking = &optimize.Tracking{
			Benchmark: weightsOf(s.in.Symbols, s.Tracking.Benchmark),
			Variance:  s.Tracking.Max * s.Tracking.Max / float64(s.in.BarsPerYear),
		}
	}
	return nil
}

// Rows returns the groups as rows of a problem. Members that are not among symbols are
// left out. Tags must have been resolved.
func (d *Definition) Rows(symbols []string) []optimize.Row {
	place := make(map[string]int, len(symbols))
	for i, s := range symbols {
		place[s] = i
	}
	var rows []optimize.Row
	for k, g := range d.Groups {
		name := fmt.Sprintf("group %d", k+1)
		if g.Tag != "" {
			name += " (" + g.Tag + ")"
		}
		row := optimize.Row{Name: name, Min: orInfinity(g.Min, -1), Max: orInfinity(g.Max, 1)}
		for _, m := range g.Members {
			if i, held := place[m]; held {
				row.Members = append(row.Members, i)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// parity shares risk within bounds.
func (s *solving) parity() error {
	budget := make([]float64, len(s.in.Symbols))
	for i, symbol := range s.in.Symbols {
		budget[i] = 1
		if len(s.Budget) > 0 {
			share, ok := s.Budget[symbol]
			if !ok {
				return errorf("budget has no %s", symbol)
			}
			budget[i] = share
		}
		if !(s.in.Upper[i] > 0) {
			return errorf("the upper bound of %s is %v; a weight that shares risk is above 0", symbol, s.in.Upper[i])
		}
	}
	floats.Scale(1/floats.Sum(budget), budget)
	w, err := optimize.RiskParity(s.answer.Covariance, budget, s.in.Lower, s.in.Upper, s.in.Total)
	if err != nil {
		return err
	}
	s.answer.Weights = w
	s.answer.Residual = optimize.CertifyParity(s.answer.Covariance, budget, s.in.Lower, s.in.Upper, s.in.Total, w)
	s.bounded(optimize.Solution{Weights: w})
	return nil
}

// worst is the share of the bars whose mean loss is the expected shortfall: a level of
// 95 %.
const worst = 0.05

// tail is the bars of the lookback.
func (s *solving) tail() optimize.Tail {
	return optimize.Tail{Returns: last(s.in.Returns, s.Covariance.Lookback), Share: worst}
}

// shortfall finds the weights of the least expected shortfall.
func (s *solving) shortfall() error {
	p, tail := s.problem, s.tail()
	solution, err := optimize.LeastShortfall(p, tail)
	if err != nil {
		return err
	}
	s.answer.Weights, s.answer.Residual = solution.Weights, p.CertifyShortfall(tail, solution)
	s.describe(p, optimize.Solution{Weights: solution.Weights, Rows: solution.Rows})
	s.value()
	return nil
}

// hierarchy splits weight along a tree. It optimises nothing, so its residual is by how
// much a limit is broken.
func (s *solving) hierarchy() error {
	w, err := optimize.HierarchicalParity(s.answer.Covariance, s.in.Lower, s.in.Upper, s.in.Total)
	if err != nil {
		return err
	}
	s.answer.Weights = w
	s.answer.Residual = math.Abs(floats.Sum(w) - s.in.Total)
	for i, x := range w {
		s.answer.Residual = max(s.answer.Residual, s.in.Lower[i]-x, x-s.in.Upper[i])
	}
	s.bounded(optimize.Solution{Weights: w})
	return nil
}

// bounded describes weights whose only limits are bounds.
func (s *solving) bounded(solution optimize.Solution) {
	s.problem = optimize.Problem{Covariance: s.answer.Covariance, Lower: s.in.Lower, Upper: s.in.Upper, Rows: []optimize.Row{optimize.Total(len(s.in.Symbols), s.in.Total)}}
	s.describe(s.problem, solution)
	s.value()
}

// value sets the value of the objective per bar.
func (s *solving) value() {
	a := s.answer
	w := mat.NewVecDense(len(a.Weights), a.Weights)
	variance := mat.Inner(w, a.Covariance, w)
	switch s.Objective {
	case TargetRisk:
		a.Objective = floats.Dot(a.Expected, a.Weights)
	case MeanVariance:
		a.Objective = floats.Dot(a.Expected, a.Weights) - s.RiskAversion/2*variance
	case MaxSharpe, MaxDiversification, BlackLitterman:
		a.Objective = floats.Dot(s.gain(), a.Weights) / math.Sqrt(variance)
	case MinCVaR:
		a.Objective = s.tail().Shortfall(a.Weights)
	default:
		a.Objective = variance
	}
}

// describe names the limits that the weights are at.
func (s *solving) describe(p optimize.Problem, solution optimize.Solution) {
	a := s.answer
	a.Active = []string{}
	for i, w := range solution.Weights {
		switch w {
		case p.Lower[i]:
			a.Active = append(a.Active, fmt.Sprintf("the lower bound of %s: %v", s.in.Symbols[i], w))
		case p.Upper[i]:
			a.Active = append(a.Active, fmt.Sprintf("the upper bound of %s: %v", s.in.Symbols[i], w))
		}
	}
	for r, row := range p.Rows {
		if r == 0 || r >= len(solution.Rows) || solution.Rows[r] == 0 {
			continue
		}
		name := row.Name
		if name == "" || name == "total" {
			name = "the target return"
		}
		limit := row.Min
		if solution.Rows[r] < 0 {
			limit = row.Max
		}
		if name == "the target return" {
			limit = *s.Target
		}
		a.Active = append(a.Active, fmt.Sprintf("%s: %v", name, limit))
	}
	if p.Turnover != nil && p.Turnover.Of(solution.Weights) > p.Turnover.Max-1e-12 {
		a.Active = append(a.Active, fmt.Sprintf("turnover: %v", s.Turnover.Max))
	}
	if solution.Tracked > 0 {
		a.Active = append(a.Active, fmt.Sprintf("tracking error: %v", s.Tracking.Max))
	}
}

// named turns an error of a solver into an *Error with symbols and annual figures.
func (s *solving) named(err error) error {
	var parts []string
	switch e := err.(type) { //nolint:errorlint // the solvers return these unwrapped
	case *Error:
		return e
	case *optimize.TooFar:
		annual := e.Least * math.Sqrt(float64(s.in.BarsPerYear))
		if e.Tracking {
			return errorf("no weights within the limits have a tracking error of at most %v; the least is %.6g", s.Tracking.Max, annual)
		}
		return errorf("no weights within the limits have a volatility of at most %v; the least is %.6g", *s.Target, annual)
	case *optimize.Clash:
		if len(e.Limits) == 0 {
			break
		}
		p := s.problem
		if p.Lower == nil {
			p = optimize.Problem{Lower: s.in.Lower, Upper: s.in.Upper, Rows: []optimize.Row{optimize.Total(len(s.in.Symbols), s.in.Total)}}
		}
		parts = e.Describe(s.in.Symbols, p, func(l optimize.Limit) string { return s.rowName(l) })
		return errorf("no weights satisfy all limits. These contradict one another: %s. Relax one of them", strings.Join(parts, "; "))
	}
	if err == optimize.ErrNoGain { //nolint:errorlint // returned unwrapped
		if s.Objective == MaxSharpe {
			return errorf("no weights within the limits have an expected return above the riskless one (%v a year), so there is no highest ratio; use another objective, such as min_variance", s.Riskless)
		}
		return errorf("no weights within the limits have an expected return above 0, so there is no highest ratio")
	}
	return errorf("%v", err)
}

// rowName names a row that is not the total or a group.
func (s *solving) rowName(l optimize.Limit) string {
	if s.Objective == TargetReturn && l.Row == len(s.Groups)+1 {
		return fmt.Sprintf("the expected return is at least %v a year", *s.Target)
	}
	if k := l.Row - 1; k < len(s.Groups) && s.Groups[k].Tag != "" && len(s.problem.Rows[l.Row].Members) == 0 {
		return fmt.Sprintf("group %d has at least %v, but no member of the panel has the tag %s", l.Row, s.problem.Rows[l.Row].Min, s.Groups[k].Tag)
	}
	if s.Turnover != nil && l.Row == len(s.problem.Rows) {
		return fmt.Sprintf("the turnover is at most %v", s.Turnover.Max)
	}
	return ""
}
