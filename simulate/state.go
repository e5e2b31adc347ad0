package simulate

// State is what a decision may know of its path: the past alone.
type State struct {
	Month      int       // months gone, 0 at the first decision
	StepMonths int       // months that the decision is for
	Horizon    int       // months of the plan
	StartValue float64   // money
	Value      float64   // money, before the decision
	Peak       float64   // the highest value so far
	Price      float64   // the price level, 1 at the start
	YearGrowth float64   // factor of the plan's returns since its last year began: of that whole year where another begins
	Inflation  float64   // a year: the plan's rate; if inflation is drawn, that of the plan's last whole year, and before it the mean of the data
	Weights    []float64 // of the members, as held before the decision; nil unless the plan glides. Do not change or keep it.
	Past       []float64 // the plan's monthly returns so far, before fees; nil unless the plan remembers. Do not change or keep it.
}

// YearsLeft is the time to the end of the plan.
func (s *State) YearsLeft() float64 { return float64(s.Horizon-s.Month) / 12 }

// ofStep is the part of a year's money that falls to the step.
func (s *State) ofStep(yearly float64) float64 { return yearly * float64(s.StepMonths) / 12 }

// years is the time gone.
func (s *State) years() float64 { return float64(s.Month) / 12 }

// yearBegins reports whether the decision is the first one of a year of the plan.
func (s *State) yearBegins() bool { return s.Month%12 == 0 }

// Decision is what is paid in a step, in equal parts at the beginning of its months.
type Decision struct {
	Money   float64   // out of the plan; negative is paid in
	Weights []float64 // of the members from now on; nil as before
}

// Decider decides for all paths. Calls for different paths are made at the same
// time, by as many workers as the run has; those of one path are made in order.
type Decider interface {
	// Decide is for a path of the run, 0 the first. Worker is below Workers.
	Decide(worker, path int, s *State) (Decision, error)
}
