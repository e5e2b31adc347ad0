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
	BlackLitterman     = "black_litterman"
)

// Objectives are all of them.
var Objectives = []string{MinVariance, MaxSharpe, TargetReturn, TargetRisk, MeanVariance, RiskParity, MaxDiversification, HRP, BlackLitterman}

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
	Objective    string             `json:"objective" enum:"min_variance,max_sharpe,target_return,target_risk,mean_variance,risk_parity,max_diversification,hrp,black_litterman" doc:"What the weights are best at"`
	Target       *float64           `json:"target" nullable:"true" required:"false" doc:"Annual return or volatility, as a fraction, for target_return and target_risk"`
	Covariance   *Covariance        `json:"covariance" required:"false" doc:"How the covariance is estimated; Ledoit and Wolf's shrinkage over 252 bars if left out"`
	Expected     *Expected          `json:"expected" nullable:"true" required:"false" doc:"How expected returns are estimated. max_sharpe, target_return, target_risk and mean_variance need it; others take none"`
	Bounds       map[string]Bounds  `json:"bounds" required:"false" doc:"Least and most weight by symbol; default is for all others, and [0, 1] if left out"`
	Groups       []Group            `json:"groups" required:"false" maxItems:"50" doc:"Limits of sums of weights; groups may overlap"`
	Turnover     *Turnover          `json:"turnover" nullable:"true" required:"false" doc:"Limit of what is traded, from the current weights. Nothing is limited while nothing is held"`
	Tracking     *Tracking          `json:"tracking" nullable:"true" required:"false" doc:"Limit of the tracking error"`
	Riskless     float64            `json:"riskless" required:"false" minimum:"-0.5" maximum:"1" doc:"Annual riskless rate, as a fraction"`
	RiskAversion float64            `json:"risk_aversion" required:"false" minimum:"0" maximum:"1000000" doc:"For mean_variance, black_litterman and implied returns; 2.5 if left out"`
	Market       map[string]float64 `json:"market" required:"false" doc:"Weights of the market by symbol, for black_litterman and implied returns; those of the panel are scaled to add up to 1"`
	Views        []View             `json:"views" required:"false" maxItems:"50" doc:"Views of black_litterman"`
	Budget       map[string]float64 `json:"budget" required:"false" doc:"Shares of risk by symbol, for risk_parity; equal if left out"`
	Fallback     string             `json:"fallback" required:"false" enum:"error,hold,equal_weight" doc:"What a script gets when no weights satisfy the limits: an error, the current weights, or equal weights. error if left out"`
}

// Bounds are the least and the most weight of a member.
type Bounds [2]float64

// Covariance says how the covariance is estimated.
type Covariance struct {
	Estimator estimate.Estimator `json:"estimator" required:"false" enum:"ledoit_wolf,sample,oas,exponential,single_index" doc:"ledoit_wolf if left out"`
	Lookback  int                `json:"lookback" required:"false" minimum:"0" maximum:"20000" doc:"Bars, the last of the panel; 252 if left out or 0. A shorter panel is used whole"`
	Halflife  float64            `json:"halflife" required:"false" minimum:"0" maximum:"20000" doc:"Bars after which a bar counts half, for exponential; 63 if left out or 0"`
}

// Ways to estimate expected returns.
const (
	ExpectMean        = "mean"
	ExpectExponential = "exponential"
	ExpectImplied     = "implied"
)

// Expected says how expected returns are estimated.
type Expected struct {
	Estimator string  `json:"estimator" enum:"mean,exponential,implied" doc:"mean of the returns; exponential: recent bars count more; implied: the returns for which the market's weights are best"`
	Lookback  int     `json:"lookback" required:"false" minimum:"0" maximum:"20000" doc:"Bars, the last of the panel; 252 if left out or 0"`
	Halflife  float64 `json:"halflife" required:"false" minimum:"0" maximum:"20000" doc:"Bars, for exponential; 63 if left out or 0"`
}

// Group limits the sum of some weights.
type Group struct {
	Members []string `json:"members" minItems:"1" maxItems:"2000" doc:"Symbols"`
	Min     *float64 `json:"min" nullable:"true" required:"false" doc:"Least sum of their weights"`
	Max     *float64 `json:"max" nullable:"true" required:"false" doc:"Most sum of their weights"`
}

// Turnover limits Σ|w − current|.
type Turnover struct {
	Max float64 `json:"max" minimum:"0" maximum:"100" doc:"Most that Σ|w − current| may be; a switch of everything is 2"`
}

// Tracking limits the volatility of the difference to a benchmark.
type Tracking struct {
	Benchmark map[string]float64 `json:"benchmark" doc:"Weights by symbol; all must be in the panel"`
	Max       float64            `json:"max" minimum:"0" maximum:"10" doc:"Annual tracking error, as a fraction"`
}

// View is an opinion about a portfolio's return.
type View struct {
	Weights map[string]float64 `json:"weights" doc:"Weights by symbol: {\"SPY\": 1}, or {\"SPY\": 1, \"AGG\": -1} for a difference"`
	Return  float64            `json:"return" minimum:"-10" maximum:"10" doc:"Annual return, as a fraction"`
}
