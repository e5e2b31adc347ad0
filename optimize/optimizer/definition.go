package optimizer

import "ballast/optimize/estimate"

// Objectives.
const (
	MinVariance        = "min_variance"
	MaxSharpe          = "max_sharpe"
	TargetReturn       = "target_return"
	TargetRisk         = "target_risk"
	MeanVariance       = "mean_variance"
	RiskParity         = "risk_parity"
	MaxDiversification = "max_diversification"
	HRP                = "hrp"
	MinCVaR            = "min_cvar"
	BlackLitterman     = "black_litterman"
)

// Objectives are all of them.
var Objectives = []string{MinVariance, MaxSharpe, TargetReturn, TargetRisk, MeanVariance, RiskParity, MaxDiversification, HRP, MinCVaR, BlackLitterman, Scripted}

// Fallbacks: what a script gets when no weights satisfy the limits.
const (
	FallbackError       = "error"
	FallbackHold        = "hold" // the current weights
	FallbackEqualWeight = "equal_weight"
)

// Fallbacks are all of them, the default first.
var Fallbacks = []string{FallbackError, FallbackHold, FallbackEqualWeight}

// Definition says which weights are wanted.
type Definition struct {
	Objective    string             `json:"objective"`
	Target       *float64           `json:"target"`
	Covariance   *Covariance        `json:"covariance"`
	Expected     *Expected          `json:"expected"`
	Bounds       map[string]Bounds  `json:"bounds"`
	Groups       []Group            `json:"groups"`
	Turnover     *Turnover          `json:"turnover"`
	Tracking     *Tracking          `json:"tracking"`
	Riskless     float64            `json:"riskless"`
	RiskAversion float64            `json:"risk_aversion"`
	Market       map[string]float64 `json:"market"`
	Views        []View             `json:"views"`
	Budget       map[string]float64 `json:"budget"`
	Fallback     string             `json:"fallback"`
	Script       string             `json:"script,omitempty"` // of the objective Scripted
	Inputs       map[string]any     `json:"inputs,omitempty"` // values of the script's inputs
}

// Bounds are the least and the most weight of a member.
type Bounds [2]float64

// Covariance says how the covariance is estimated.
type Covariance struct {
	Estimator estimate.Estimator `json:"estimator,omitempty"`
	Lookback  int                `json:"lookback,omitempty"`
	Halflife  float64            `json:"halflife,omitempty"`
}

// Ways to estimate expected returns.
const (
	ExpectMean        = "mean"
	ExpectExponential = "exponential"
	ExpectImplied     = "implied"
)

// Expected says how expected returns are estimated.
type Expected struct {
	Estimator string  `json:"estimator"`
	Lookback  int     `json:"lookback,omitempty"`
	Halflife  float64 `json:"halflife,omitempty"`
}

// Group limits the sum of some weights: of members by symbol, or of all that have a tag.
// The members of a tag are set by Resolve.
type Group struct {
	Members []string `json:"members,omitempty"`
	Tag     string   `json:"tag,omitempty"`
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
}

// Turnover limits Σ|w − current|.
type Turnover struct {
	Max float64 `json:"max"`
}

// Tracking limits the volatility of the difference to a benchmark.
type Tracking struct {
	Benchmark map[string]float64 `json:"benchmark"`
	Max       float64            `json:"max"`
}

// View is an opinion about a portfolio's return.
type View struct {
	Weights map[string]float64 `json:"weights"`
	Return  float64            `json:"return"`
}
