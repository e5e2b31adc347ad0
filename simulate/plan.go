package simulate

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Plan is money, where it is invested, and how futures are drawn.
type Plan struct {
	Months     *Months
	Weights    []float64 // of the members, in their order; what they leave is cash without interest
	Rebalance  Rebalance
	StartValue float64 // money
	Years      int
	Paths      int // ignored by History, which has as many as there are starts
	Seed       uint64
	Source     Source
	Block      float64 // mean months of a block of history; 0 is the best length of the plan's own returns
	Inflation  float64 // a year; ignored if the months have inflation of their own
	Fee        float64 // of the value, a year
	StepMonths int     // months from one decision to the next: 12, 3 or 1
	Glides     bool    // decisions may give weights, or read those that are held
	Remembers  bool    // decisions may read the path's past returns
}

// Rebalance is how often the holdings are brought back to their weights.
type Rebalance string

// The schedules of rebalancing.
const (
	Monthly   Rebalance = "monthly"
	Quarterly Rebalance = "quarterly"
	Yearly    Rebalance = "yearly"
	Never     Rebalance = "never"
)

// Rebalances are all schedules.
var Rebalances = []Rebalance{Monthly, Quarterly, Yearly, Never}

// months is the time between two times of rebalancing, 0 for never.
func (r Rebalance) months() int {
	return map[Rebalance]int{Monthly: 1, Quarterly: 3, Yearly: 12}[r]
}

// Source is where a path's months come from.
type Source string

// The sources of returns.
const (
	// Stationary is the bootstrap of Politis and Romano (1994): blocks of history of
	// a geometric length, which go round from the last month to the first.
	Stationary Source = "stationary"
	// Circular has blocks of one length.
	Circular Source = "circular"
	// Independent draws each month by itself.
	Independent Source = "independent"
	// Normal is a normal distribution with the months' means and covariances.
	Normal Source = "normal"
	// StudentT is a Student t with the same, and degrees of freedom that give the
	// plan's own months their kurtosis.
	StudentT Source = "student_t"
	// History is what has happened: a path for each past start.
	History Source = "history"
)

// Sources are all sources.
var Sources = []Source{Stationary, Circular, Independent, Normal, StudentT, History}

// The bounds of a plan.
const (
	MinMonths = 24 // of data
	MinPaths  = 100
	MaxPaths  = 100_000
	MaxYears  = 200
	MaxSteps  = 200_000_000 // paths × months
	MaxPast   = 20_000_000  // paths × months of a plan that remembers returns
)

// InvalidError describes which field of a plan is wrong, what it may be, and what would
// work.
type InvalidError struct {
	Field   string
	Message string
}

func (e *InvalidError) Error() string { return e.Message }

func invalid(field, format string, args ...any) error {
	return &InvalidError{field, fmt.Sprintf(format, args...)}
}

// inflation is the yearly inflation that a plan begins with.
func (p *Plan) inflation() float64 {
	if p.Months.Inflation != nil {
		return p.Months.MeanInflation()
	}
	return p.Inflation
}

// Horizon is the number of months of a path.
func (p *Plan) Horizon() int { return 12 * p.Years }

// Check reports what is wrong with a plan; the error is an *InvalidError.
func (p *Plan) Check() error {
	for _, check := range []func() error{p.checkNumbers, p.checkWords, p.checkWeights, p.checkSize} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Plan) checkNumbers() error {
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	switch {
	case !finite(p.StartValue) || p.StartValue < 0:
		return invalid("start_value", "start_value is %v: it must be a number of 0 or more", p.StartValue)
	case p.Years < 1 || p.Years > MaxYears:
		return invalid("years", "years is %d: it must be from 1 to %d", p.Years, MaxYears)
	case !(p.Inflation > -0.5 && p.Inflation <= 1):
		return invalid("inflation", "inflation is %v: it must be a yearly rate above -0.5 and of at most 1, such as 0.025", p.Inflation)
	case !(p.Fee >= 0 && p.Fee <= 1):
		return invalid("fee", "fee is %v: it must be a yearly rate from 0 to 1, such as 0.01", p.Fee)
	case p.Block != 0 && !(p.Block >= 1 && p.Block <= 1200):
		return invalid("block", "block is %v: it must be a length from 1 to 1200 months, or 0 for the best length of the data", p.Block)
	}
	return nil
}

func (p *Plan) checkWords() error {
	switch {
	case !slices.Contains(Sources, p.Source):
		return invalid("source", "source is %q: it must be one of %s", p.Source, words(Sources))
	case p.Rebalance.months() == 0 && p.Rebalance != Never:
		return invalid("rebalance", "rebalance is %q: it must be one of %s", p.Rebalance, words(Rebalances))
	case p.StepMonths != 1 && p.StepMonths != 3 && p.StepMonths != 12:
		return invalid("STEP", `STEP must be one of "yearly", "quarterly" and "monthly"`)
	}
	return nil
}

func (p *Plan) checkWeights() error {
	if len(p.Weights) != len(p.Months.Keys) {
		return invalid("weights", "weights has %d numbers and universe has %d members: give one weight for each member, in the same order", len(p.Weights), len(p.Months.Keys))
	}
	return checkShares("weights", p.Weights)
}

// checkShares checks the weights of a plan or of a decision.
func checkShares(field string, weights []float64) error {
	for _, w := range weights {
		if math.IsNaN(w) || math.Abs(w) > 100 {
			return invalid(field, "a weight is %v: it must be a number from -100 to 100", w)
		}
	}
	return nil
}

func (p *Plan) checkSize() error {
	have, horizon := p.Months.Len(), p.Horizon()
	if have < MinMonths {
		return invalid("universe", "%s have %d months in common, from %s: a simulation needs at least %d", p.Months.members(), have, p.Months.Base, MinMonths)
	}
	if p.Source == History {
		if horizon > have {
			return invalid("years", "%d years are %d months, and %s have %d in common, from %s: history can be replayed for at most %d years; use another source, or fewer years",
				p.Years, horizon, p.Months.members(), have, p.Months.Base, have/12)
		}
		return nil
	}
	switch {
	case p.Paths < MinPaths || p.Paths > MaxPaths:
		return invalid("paths", "paths is %d: it must be from %d to %d", p.Paths, MinPaths, MaxPaths)
	case p.Paths*horizon > MaxSteps:
		return invalid("paths", "%d paths of %d months are %d steps, and at most %d are computed: with %d years, paths may be at most %d",
			p.Paths, horizon, p.Paths*horizon, MaxSteps, p.Years, MaxSteps/horizon)
	case p.Remembers && p.Paths*horizon > MaxPast:
		return invalid("paths", "the script reads ctx.returns, so %d paths of %d months keep %d returns, and at most %d are kept: with %d years, paths may be at most %d",
			p.Paths, horizon, p.Paths*horizon, MaxPast, p.Years, MaxPast/horizon)
	}
	return nil
}

// paths is the number of paths that the plan has.
func (p *Plan) paths() int {
	if p.Source == History {
		return p.Months.Len() - p.Horizon() + 1
	}
	return p.Paths
}

func words[T ~string](values []T) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = fmt.Sprintf("%q", v)
	}
	return strings.Join(quoted, ", ")
}
