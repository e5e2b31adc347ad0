package grammar

// Plan is one model that was understood: everything that its script and description
// say. Weights, bands and targets are fractions, lookbacks are in sessions.
type Plan struct {
	Name   string
	Symbol string // "" if none was given

	Schedule Schedule
	Fill     string // close, next_close
	Hold     bool   // bought once and held

	Pool      []Holding // what is held or chosen from, in the order named
	Weighting Weighting
	Rule      *Published // a published rule that chooses from the pool; nothing else below is set then
	Optimizer string     // whose weights are held, if Weighting is ByOptimizer
	Select    *Selection // nil: the whole pool
	Each      *Test      // a member is held only while it passes; its share goes to Else otherwise
	Gate      *Test      // everything is held only while it passes, otherwise Else
	Else      []Holding  // held instead of the pool, with weights that add up to at most 1; empty: CASH

	RiskLookback int // for inverse volatility, risk parity, variances and the volatility target
	RiskAversion float64
	Cap          float64 // 0 without
	Bounds       []Bound // of the pool, if the weights are optimised within them; nil without
	Target       float64 // annual volatility; 0: none
	MaxGross     float64 // of the volatility target
	Rest         string  // member that takes what the volatility target leaves; "": CASH
	Leverage     float64 // 1 without
	Band         *Band

	Usual string   // a named rule that is decided monthly by its author; "" without
	Notes []string // assumptions, as sentences
}

// Holding is a member of the universe, with its share if shares are fixed.
type Holding struct {
	Key    string
	Weight float64
}

// Weighting specifies how the held members are weighted.
type Weighting string

// Weightings.
const (
	Fixed             Weighting = "fixed"
	Equal             Weighting = "equal"
	InverseVolatility Weighting = "inverse_volatility"
	RiskParity        Weighting = "risk_parity"
	MinimumVariance   Weighting = "minimum_variance"
	MeanVariance      Weighting = "mean_variance"
	ByOptimizer       Weighting = "optimizer" // one of the account's optimizers
)

// optimal reports whether a cap is a constraint of the optimisation, rather than
// cutting its result.
func (w Weighting) optimal() bool {
	return w == MinimumVariance || w == MeanVariance || w == RiskParity
}

// Schedule is when decisions are taken.
type Schedule struct {
	Every   string // daily, weekly, monthly, quarterly, yearly
	Session int    // 1 the first, -1 the last
	Weekday string // mon … fri; "" if none
	Months  []int  // months in which decisions are taken, in order; nil: all
}

// Score is what members are chosen by.
type Score string

// Scores.
const (
	ByReturn     Score = ""           // the mean of the total returns over the lookbacks
	ByRSI        Score = "rsi"        // Wilder's index
	ByVolatility Score = "volatility" // of daily returns
	ByDrawdown   Score = "drawdown"   // the largest, as a positive fraction
	BySharpe     Score = "sharpe"     // the ratio of mean and standard deviation of daily returns
)

// Selection takes the members with the highest score, or with the lowest.
type Selection struct {
	By        Score
	Lowest    bool
	Count     int
	Lookbacks []int // the score is the mean of the returns over them; one for other scores
	Skip      int   // sessions left out at the end
	Positive  Positive
	Hurdle    string // member whose score has to be beaten; "": 0 has to be beaten
}

// Positive specifies what is required of a chosen member's momentum.
type Positive int

// Requirements on momentum.
const (
	NotAsked  Positive = iota
	PerMember          // the share of a falling member goes to Else
	AnyMember          // everything goes to Else if all members fall
)

// TestKind is what a test looks at.
type TestKind string

// Kinds of tests.
const (
	AboveAverage TestKind = "above_average" // price against its moving average over Slow
	Cross        TestKind = "cross"         // average over Fast against that over Slow
	Rising       TestKind = "rising"        // return over Slow against 0, or against Other's
	Strength     TestKind = "rsi"           // relative strength index over Slow against Level
	Breadth      TestKind = "breadth"       // share of the pool above its average over Slow against Level
)

// Test is a condition on one member.
type Test struct {
	Kind        TestKind
	Signal      string // the member that it looks at; "" in a test of each member
	Other       string // for Rising
	Fast, Slow  int
	Exponential bool
	Level       float64
	Below       bool // the test passes below instead of above
}

// Band keeps holdings unchanged while they are close to their targets.
type Band struct {
	Size     float64
	Relative bool   // relative to each target
	Key      string // the one member whose weight counts; "" if all do
}
