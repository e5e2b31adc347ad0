package simulate

import "math"

// Rule is a built-in way to decide. It gives a step's money, and keeps what it has
// to remember of a path in the path's own memory.
type Rule interface {
	// Check reports what is wrong with the rule's arguments; the error is an
	// *InvalidError.
	Check() error
	// Pay is the money of the step.
	Pay(s *State, m *Memory) float64
}

// Memory is what a rule remembers of a path.
type Memory struct {
	First float64 // what the rule began with
	Last  float64 // its last yearly amount
	Price float64 // the price level of that
	rule  string  // that it is of; empty before the first
}

// begins reports whether a rule is new to the memory, which then forgets the one before:
// a script may save for some years and withdraw from then on.
func (m *Memory) begins(rule string) bool {
	if m.rule == rule {
		return false
	}
	*m = Memory{rule: rule}
	return true
}

// Ruled decides by a rule alone. A rule that is used twice has two memories.
type Ruled struct {
	rule   Rule
	memory []Memory
}

// NewRuled decides by a rule for a number of paths.
func NewRuled(rule Rule, paths int) *Ruled {
	return &Ruled{rule, make([]Memory, paths)}
}

// Decide gives the rule's money.
func (r *Ruled) Decide(_, path int, s *State) (Decision, error) {
	return Decision{Money: r.rule.Pay(s, &r.memory[path])}, nil
}

// Fixed withdraws the same each year, rising with prices: a share of the start
// value, or an amount of money.
type Fixed struct {
	Rate   float64 // of the start value; where it is 0, Amount counts
	Amount float64 // a year
}

// Check wants one of the two.
func (r Fixed) Check() error {
	switch {
	case r.Rate != 0 && r.Amount != 0:
		return invalid("rate", "withdraw_fixed takes rate or amount: give one of them")
	case !(r.Rate >= 0 && r.Rate <= 1):
		return invalid("rate", "rate is %v: it must be a share of the start value from 0 to 1, such as 0.04", r.Rate)
	}
	return checkMoney("amount", r.Amount)
}

// Pay is the amount at today's prices.
func (r Fixed) Pay(s *State, _ *Memory) float64 {
	return s.ofStep((r.Rate*s.StartValue + r.Amount) * s.Price)
}

// Percentage withdraws a share of the value.
type Percentage struct {
	Rate float64 // a year
}

// Check wants a share.
func (r Percentage) Check() error { return checkRate(r.Rate) }

// Pay is the share of what is there.
func (r Percentage) Pay(s *State, _ *Memory) float64 { return s.ofStep(r.Rate * s.Value) }

// FloorCeiling withdraws a share of the value, within bounds that are fractions of
// the first withdrawal at today's prices.
type FloorCeiling struct {
	Rate    float64 // of the value, a year
	Floor   float64 // of the first withdrawal, such as 0.85
	Ceiling float64 // likewise, such as 1.2
}

// Check wants a share and bounds in their order.
func (r FloorCeiling) Check() error {
	if !(r.Floor >= 0 && r.Floor <= r.Ceiling) {
		return invalid("floor", "floor is %v and ceiling is %v: both are fractions of the first withdrawal, and floor may be at most ceiling", r.Floor, r.Ceiling)
	}
	return checkRate(r.Rate)
}

// Pay is the share, brought within the bounds.
func (r FloorCeiling) Pay(s *State, m *Memory) float64 {
	yearly := r.Rate * s.Value
	if m.begins("floor and ceiling") {
		m.First = yearly / s.Price
	}
	return s.ofStep(min(max(yearly, r.Floor*m.First*s.Price), r.Ceiling*m.First*s.Price))
}

// GuytonKlinger withdraws by the decision rules of Guyton and Klinger (2006),
// "Decision rules and maximum initial withdrawal rates": it begins with a share of
// the value and decides each year. The withdrawal rises with prices, but not
// after a year with a loss if it is a larger share of the value than the first one
// was. Where that share is then above the upper guard, the withdrawal is cut, except
// in the last fifteen years; below the lower one it is raised.
type GuytonKlinger struct {
	Rate   float64 // of the value at its beginning, a year
	Guard  float64 // how far the share may move from the first one, a fraction of it: 0.2
	Change float64 // of a cut or a raise: 0.1
}

// lastYears are those without a cut.
const lastYears = 15

// Check wants fractions.
func (r GuytonKlinger) Check() error {
	switch {
	case !(r.Guard >= 0 && r.Guard <= 1):
		return invalid("guard", "guard is %v: it must be a fraction of the first rate from 0 to 1, such as 0.2", r.Guard)
	case !(r.Change >= 0 && r.Change <= 1):
		return invalid("change", "change is %v: it must be a fraction from 0 to 1, such as 0.1", r.Change)
	}
	return checkRate(r.Rate)
}

// Pay decides at the beginning of a year of the plan and pays the same in all of its
// steps.
func (r GuytonKlinger) Pay(s *State, m *Memory) float64 {
	switch {
	case m.begins("Guyton and Klinger"):
		m.Last, m.Price = r.Rate*s.Value, s.Price
	case s.yearBegins():
		m.Last, m.Price = r.next(s, m), s.Price
	}
	return s.ofStep(m.Last)
}

func (r GuytonKlinger) next(s *State, m *Memory) float64 {
	yearly := m.Last
	if s.YearGrowth >= 1 || yearly/s.Value <= r.Rate {
		yearly *= s.Price / m.Price
	}
	switch share := yearly / s.Value; {
	case share > (1+r.Guard)*r.Rate && s.YearsLeft() > lastYears:
		return yearly * (1 - r.Change)
	case share < (1-r.Guard)*r.Rate:
		return yearly * (1 + r.Change)
	}
	return yearly
}

// Annuity withdraws what would use up the value in equal real payments at the
// beginnings of the years that are left: variable percentage withdrawal.
type Annuity struct {
	Rate float64 // real return that the payments count on, a year
}

// Check wants a rate.
func (r Annuity) Check() error {
	if !(r.Rate > -0.5 && r.Rate <= 1) {
		return invalid("rate", "rate is %v: it must be a yearly real return above -0.5 and of at most 1, such as 0.03", r.Rate)
	}
	return nil
}

// Pay is the first payment of the annuity.
func (r Annuity) Pay(s *State, _ *Memory) float64 {
	left := s.YearsLeft()
	if r.Rate == 0 {
		return s.ofStep(s.Value / left)
	}
	return s.ofStep(s.Value * r.Rate / -math.Expm1(-left*math.Log1p(r.Rate)) / (1 + r.Rate))
}

// Contribute pays in.
type Contribute struct {
	Amount float64  // a year
	Growth *float64 // of the amount, a year; nil with prices
}

// Check wants an amount.
func (r Contribute) Check() error {
	if r.Growth != nil && !(*r.Growth > -0.5 && *r.Growth <= 1) {
		return invalid("growth", "growth is %v: it must be a yearly rate above -0.5 and of at most 1, or None to rise with prices", *r.Growth)
	}
	return checkMoney("amount", r.Amount)
}

// Pay is negative: it comes in.
func (r Contribute) Pay(s *State, _ *Memory) float64 {
	grown := s.Price
	if r.Growth != nil {
		grown = math.Pow(1+*r.Growth, s.years())
	}
	return -s.ofStep(r.Amount * grown)
}

// Ratchet withdraws the same real amount each year, and raises it for good at the
// beginning of each year in which the real value is far above what it was when the
// rule began.
type Ratchet struct {
	Rate    float64 // of the value at its beginning, a year
	RaiseBy float64 // 0.1
	Above   float64 // multiple of the value at its beginning: 1.5
}

// Check wants a share, a raise and a multiple.
func (r Ratchet) Check() error {
	switch {
	case !(r.RaiseBy >= 0 && r.RaiseBy <= 1):
		return invalid("raise_by", "raise_by is %v: it must be a fraction from 0 to 1, such as 0.1", r.RaiseBy)
	case !(r.Above > 0):
		return invalid("above", "above is %v: it must be a multiple of the start value, such as 1.5", r.Above)
	}
	return checkRate(r.Rate)
}

// Pay is the real amount at today's prices.
func (r Ratchet) Pay(s *State, m *Memory) float64 {
	switch {
	case m.begins("ratchet"):
		m.First = s.Value / s.Price
		m.Last = r.Rate * m.First
	case s.yearBegins() && s.Value/s.Price > r.Above*m.First:
		m.Last *= 1 + r.RaiseBy
	}
	return s.ofStep(m.Last * s.Price)
}

// Flows are dated payments: income, pensions, spending.
type Flows []Flow

// Flow is a yearly amount from one year of the plan to another.
type Flow struct {
	First, Last int     // years of the plan, 1 the first
	Amount      float64 // a year; positive leaves the plan
	Real        bool    // at the prices of the start
}

// Check wants years in their order.
func (r Flows) Check() error {
	for i, f := range r {
		if f.First < 1 || f.Last < f.First {
			return invalid("flows", "flow %d is from year %d to year %d: years count from 1, and first is at most last", i+1, f.First, f.Last)
		}
		if math.IsNaN(f.Amount) || math.IsInf(f.Amount, 0) {
			return invalid("flows", "flow %d has the amount %v: it must be a number", i+1, f.Amount)
		}
	}
	return nil
}

// Pay is the sum of what falls to the year.
func (r Flows) Pay(s *State, _ *Memory) float64 {
	year, sum := s.Month/12+1, 0.0
	for i := range r {
		f := &r[i]
		switch {
		case year < f.First || year > f.Last:
		case f.Real:
			sum += f.Amount * s.Price
		default:
			sum += f.Amount
		}
	}
	return s.ofStep(sum)
}

func checkRate(v float64) error {
	if !(v >= 0 && v <= 1) {
		return invalid("rate", "rate is %v: it must be a yearly share of the value from 0 to 1, such as 0.04", v)
	}
	return nil
}

func checkMoney(name string, v float64) error {
	if !(v >= 0 && v <= 1e15) {
		return invalid(name, "%s is %v: it must be money, of 0 or more", name, v)
	}
	return nil
}
