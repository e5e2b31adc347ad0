package grammar

// Plan is one model, understood: everything that its script and its description
// say. Weights, bands and targets are fractions, lookbacks sessions.
type Plan struct {
	Name   string
	Symbol string // "" without

	Schedule Schedule
	Fill     string // close, next_close
	Hold     bool   // bought once and held

	Pool      []Holding // what is held or chosen from, in the order named
	Weighting Weighting
	Select    *Selection // nil: all of the pool
	Each      *Test      // a member is held only while it passes; its share goes to Else otherwise
	Gate      *Test      // all is held only while it passes, else Else
	Else      []Holding  // instead of the pool, with weights that add up to at most 1; none is CASH

	RiskLookback int // of inverse volatility, risk parity, variances and the volatility target
	RiskAversion float64
	Cap          float64 // 0 without
	Target       float64 // annual volatility, 0 without
	MaxGross     float64 // of the volatility target
	Leverage     float64 // 1 without
	Band         *Band

	Notes []string // what was taken for what
}

// Holding is a member of the universe, with its share where shares are fixed.
type Holding struct {
	Key    string
	Weight float64
}

// Weighting says how the members that are held are weighed.
type Weighting string

// The weightings.
const (
	Fixed             Weighting = "fixed"
	Equal             Weighting = "equal"
	InverseVolatility Weighting = "inverse_volatility"
	RiskParity        Weighting = "risk_parity"
	MinimumVariance   Weighting = "minimum_variance"
	MeanVariance      Weighting = "mean_variance"
)

// optimal reports weights that are the best of those that a cap allows, rather
// than cut at it.
func (w Weighting) optimal() bool { return w == MinimumVariance || w == MeanVariance }

// Schedule is when decisions are taken.
type Schedule struct {
	Every   string // daily, weekly, monthly, quarterly, yearly
	Session int    // 1 the first, -1 the last
	Weekday string // mon … fri, "" without
	Months  []int  // the months of the year in which decisions are taken, in order; nil for all
}

// Selection takes the members with the highest momentum.
type Selection struct {
	Count     int
	Lookbacks []int // the score is the mean of the returns over them
	Skip      int   // sessions left out at the end
	Positive  Positive
	Hurdle    string // the member whose score has to be beaten instead of 0, "" without
}

// Positive says what is asked of a chosen member's momentum.
type Positive int

// What is asked of momentum.
const (
	NotAsked  Positive = iota
	PerMember          // the share of one that falls goes to Else
	AnyMember          // all goes to Else where every one falls
)

// TestKind is what a test looks at.
type TestKind string

// The tests.
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
	Signal      string // the member it looks at; "" in a test of each
	Other       string // of Rising
	Fast, Slow  int
	Exponential bool
	Level       float64
	Below       bool // it passes below instead of above
}

// Band keeps holdings as they are while they are near their targets.
type Band struct {
	Size     float64
	Relative bool // to each target
}
