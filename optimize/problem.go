package optimize

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Problem is a convex quadratic problem: the weights w of least w'Σw/2 + l'w with
// Lower ≤ w ≤ Upper and, for each row, Min ≤ a'w ≤ Max.
type Problem struct {
	Covariance   *mat.SymDense // Σ, positive semidefinite
	Linear       []float64     // l; nil is zeros
	Lower, Upper []float64     // finite, one of each per weight, Lower ≤ Upper
	Rows         []Row
	Tracking     *Tracking // nil if nothing limits it
	Turnover     *Turnover // nil if nothing limits it
}

// Tracking limits the variance against a benchmark b: (w − b)'Σ(w − b) ≤ Variance.
type Tracking struct {
	Benchmark []float64
	Variance  float64
}

// Turnover limits what is traded: Σ|wᵢ − Currentᵢ| ≤ Max.
type Turnover struct {
	Current []float64
	Max     float64
}

// Of returns Σ|wᵢ − Currentᵢ|.
func (t *Turnover) Of(w []float64) float64 { return floats.Distance(w, t.Current, 1) }

// Row limits a sum of weights. Min and Max may be infinite; if they are equal, the row
// is an equation.
type Row struct {
	Name         string
	Members      []int     // positions of weights, each at most once
	Coefficients []float64 // of the members; nil is ones
	Min, Max     float64
}

// Total returns the row that fixes the sum of n weights.
func Total(n int, sum float64) Row {
	members := make([]int, n)
	for i := range members {
		members[i] = i
	}
	return Row{Name: "total", Members: members, Min: sum, Max: sum}
}

// Of returns a'w.
func (r Row) Of(w []float64) float64 {
	var s float64
	for k, i := range r.Members {
		s += float64(r.coefficient(k) * w[i])
	}
	return s
}

func (r Row) coefficient(k int) float64 {
	if r.Coefficients == nil {
		return 1
	}
	return r.Coefficients[k]
}

// side returns one of the row's limits.
func (r Row) side(upper bool) float64 {
	if upper {
		return r.Max
	}
	return r.Min
}

// norm returns the length of a.
func (r Row) norm() float64 {
	var s float64
	for k := range r.Members {
		s += r.coefficient(k) * r.coefficient(k)
	}
	return math.Sqrt(s)
}

// Solution is an optimum with the multipliers that prove it.
type Solution struct {
	Weights []float64
	// Bounds has a multiplier per weight: positive if its lower bound holds it up,
	// negative if its upper bound holds it down, otherwise 0. Rows has one per row, with
	// the same signs for Min and Max.
	Bounds, Rows []float64
	// Raised is what was added to each variance because the covariance does not
	// determine the weights: Raised·w'w/2 then counts as part of the objective.
	Raised float64
	// Tracked is the multiplier of the tracking limit, at least 0: the gradient of the
	// variance against the benchmark counts this many times.
	Tracked float64
	// Traded has, per weight, the cost of trading more: the multiplier of the turnover
	// limit for weights above what is held, its negative for those below, and anything
	// between for those that are not traded. It is nil without a limit.
	Traded []float64
}
