package backtest

import "ballast/timeseries"

// Fill says at which close a decision is filled.
type Fill string

// The fills of the script contract.
const (
	FillClose     Fill = "close"      // at the decision's own close; earns from the next session
	FillNextClose Fill = "next_close" // one session later
)

// Start says on which session a model starts.
type Start string

// The start rules of the script contract: the first session by which this many members
// have a bar.
const (
	StartAllMembers  Start = "all_members"
	StartTwoMembers  Start = "two_members"
	StartFirstMember Start = "first_member"
)

// Schedule says when decisions are taken: on the n-th session of each period.
type Schedule struct {
	Every   string // daily, weekly, monthly, quarterly, yearly
	Session int    // 1 is the first, -1 the last (the default of a plain word); ignored for daily and with a weekday
	Weekday string // mon … fri, or sat and sun on calendar days: this day of each week; or ""
}

// Spec is everything that the engine needs besides the frame and the decider.
type Spec struct {
	Schedule    Schedule
	Fill        Fill
	Start       Start
	StartDate   timeseries.Date // nothing is traded before it; or NoDate
	InitialCash float64         // in currency
}

// Decider makes the decisions of a model.
type Decider interface {
	// Decide sets target to the target weights, one per member of the frame, as
	// fractions of equity; the remainder is cash. target is zeroed before the call.
	// Decide returns false for no trade. An error ends the run; the engine adds the
	// date.
	Decide(s *Session, target []float64) (trade bool, err error)
}

// Session is what a decision may see: the past up to and including its own close. It
// is valid only during the call.
type Session struct {
	Frame    *timeseries.Frame
	T        int             // axis position of the decision; nothing after it may be read
	Date     timeseries.Date // Frame.Axis[T]
	Weights  []float64       // drifted weights, one per member, fractions of equity
	Equity   float64         // in currency
	Cash     float64         // in currency
	Last     int             // axis position of the previous decision, or -1
	Tradable []bool          // one per member: whether it has had a bar and is neither suspended nor delisted
	custom   *recorder
}

// Record stores a value of the custom series name for this session. A value that is
// not finite counts as missing. The last value of a session wins.
func (s *Session) Record(name string, value float64) { s.custom.record(s.T, name, value) }

// DeciderFunc adapts a function to the Decider interface.
type DeciderFunc func(s *Session, target []float64) (trade bool, err error)

// Decide calls f.
func (f DeciderFunc) Decide(s *Session, target []float64) (bool, error) { return f(s, target) }
