package backtest

import "ballast/timeseries"

// Fill says at which close a decision is filled.
type Fill string

// The fills of the script contract.
const (
	FillClose     Fill = "close"      // at the decision's own close; earns from the next session
	FillNextClose Fill = "next_close" // one session later
)

// Start says on which session a model begins.
type Start string

// The start rules of the script contract: the first session on which that many members have a bar.
const (
	StartAllMembers  Start = "all_members"
	StartTwoMembers  Start = "two_members"
	StartFirstMember Start = "first_member"
)

// Schedule is when decisions are taken: the n-th session of each period.
type Schedule struct {
	Every   string // daily, weekly, monthly, quarterly, yearly
	Session int    // 1 the first, -1 the last (the meaning of a bare word), ignored for daily and with a weekday
	Weekday string // mon … fri (sat, sun on calendar days): that day of each week; "" without
}

// Spec is everything the engine is told besides the frame and the decisions.
type Spec struct {
	Schedule    Schedule
	Fill        Fill
	Start       Start
	StartDate   timeseries.Date // nothing is traded before it; NoDate without
	InitialCash float64         // currency
}

// Decider takes the decisions of a model.
type Decider interface {
	// Decide fills target, one weight a member of the frame (zeroed before the
	// call), with fractions of equity; what they leave is cash. It reports false
	// for no trade. An error ends the run; the engine adds the date.
	Decide(s *Session, target []float64) (trade bool, err error)
}

// Session is what a decision may see: the past up to and including its own
// close. It is valid during the call alone.
type Session struct {
	Frame    *timeseries.Frame
	T        int             // axis position of the decision; nothing after it may be read
	Date     timeseries.Date // Frame.Axis[T]
	Weights  []float64       // drifted, one a member, fractions of equity
	Equity   float64         // currency
	Cash     float64         // currency
	Last     int             // axis position of the previous decision, -1 before the first
	Tradable []bool          // one a member: has a bar by now, neither suspended nor delisted
	custom   *recorder
}

// Record keeps a value of the custom series name on this session; a value that
// is not a finite number counts as none. The last value of a session stands.
func (s *Session) Record(name string, value float64) { s.custom.record(s.T, name, value) }

// DeciderFunc is a function that is a Decider.
type DeciderFunc func(s *Session, target []float64) (trade bool, err error)

// Decide calls f.
func (f DeciderFunc) Decide(s *Session, target []float64) (bool, error) { return f(s, target) }
