package grammar

// Simulation is one simulation that was understood: everything that its script and
// description say. Rates and weights are fractions, amounts are money a year.
type Simulation struct {
	Name   string
	Symbol string // "" if none was given

	Members   []Holding // with their weights, unless there is one
	Glide     *Glide
	Rebalance string // monthly, quarterly, yearly, never

	Start  float64
	Years  int
	Step   string  // yearly, quarterly, monthly: how often simulate decides
	Phases []Phase // one after the other; at least one
	Flows  []Flow  // beside them
	Goal   float64 // in prices of the start; saving stops when the value reaches it; 0 without

	Settings Settings
	Lasting  bool    // how long the money lasts was asked
	Spending bool    // how much can be spent was asked
	Success  float64 // with this chance; 0 if none was given

	Notes []string // assumptions, as sentences
}

// Settings are inputs of every simulation that a description may give; nil and ""
// leave their defaults.
type Settings struct {
	Source         string
	Paths, Seed    *int
	Block          *float64 // months
	Inflation, Fee *float64 // a year
	Prices         string   // the column of a series that inflation is from, instead of a rate
	Since          int      // the first calendar year whose months are drawn; 0: all
}

// Phase is a part of a plan with one rule.
type Phase struct {
	Years int
	Rule  Rule
}

// RuleKind is how a phase spends or saves.
type RuleKind string

// Kinds of rules.
const (
	Nothing        RuleKind = "nothing"
	FixedRate      RuleKind = "fixed_rate"   // of the start value, rising with prices
	FixedAmount    RuleKind = "fixed_amount" // rising with prices
	LevelRate      RuleKind = "level_rate"   // of the start value, never rising
	Percentage     RuleKind = "percentage"   // of the value
	FloorCeiling   RuleKind = "floor_ceiling"
	GuytonKlinger  RuleKind = "guyton_klinger"
	Annuity        RuleKind = "vpw"
	LifeExpectancy RuleKind = "life_expectancy"
	Ratchet        RuleKind = "ratchet"
	Contribute     RuleKind = "contribute"
)

// Rule is a rule with its arguments.
type Rule struct {
	Kind           RuleKind
	Rate           float64  // a year; the real return that an annuity counts on
	Amount         float64  // money a year
	Floor, Ceiling float64  // fractions of the first withdrawal
	Guard, Change  float64  // of guardrails
	RaiseBy, Above float64  // of a ratchet
	Age            int      // at the start of the plan
	Growth         *float64 // of contributions, a year; nil: with prices
}

// Flow is a dated payment beside the rules.
type Flow struct {
	First, Last int     // years of the plan, from 1
	Amount      float64 // money a year; positive leaves the plan
	Real        bool
	Open        bool   // it lasts as long as the plan, however long that is
	About       string // pension, college: what it was called, or ""
}

// Glide moves the weights in a straight line.
type Glide struct {
	To    []float64 // in the order of the members
	Years int
}
