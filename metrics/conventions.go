package metrics

import "ballast/internal/number"

// Conventions describes how each statistic is computed.
type Conventions struct {
	BarsPerYear    int          `json:"bars_per_year"`
	RiskFree       number.Float `json:"risk_free"`             // annual fraction; of a series, what it compounds to over the window
	RiskFreeSeries *string      `json:"risk_free_series"`      // the series and its version; null for a constant rate
	Trials         int          `json:"trials"`                // number of distinct runs; 0 if not known
	TrialVariance  number.Float `json:"trial_sharpe_variance"` // of annual ratios, the one that was used; null without trials
	Annualization  string       `json:"annualization"`
	CAGR           string       `json:"cagr"`
	RiskFreePerBar string       `json:"risk_free_per_bar"`
	Volatility     string       `json:"volatility"`
	Sharpe         string       `json:"sharpe"`
	Sortino        string       `json:"sortino"`
	Probabilistic  string       `json:"probabilistic_sharpe"`
	Deflated       string       `json:"deflated_sharpe"`
	Drawdown       string       `json:"drawdown"`
	Calmar         string       `json:"calmar"`
	Ulcer          string       `json:"ulcer"`
	Omega          string       `json:"omega"`
	Tails          string       `json:"tails"`
	Moments        string       `json:"moments"`
	Periods        string       `json:"periods"`
	Rolling        string       `json:"rolling"`
	Turnover       string       `json:"turnover"`
	Exposure       string       `json:"exposure"`
	Benchmark      string       `json:"benchmark"`
}

func conventions(barsPerYear int, opt Options, riskFree, trialVariance float64) Conventions {
	trials := max(0, opt.Trials)
	if trials == 0 {
		trialVariance = nan
	}
	perBar := "(1 + risk_free) ^ (1 / bars_per_year) - 1"
	var named *string
	if opt.RiskFreeReturns != nil {
		perBar = "each bar's own, from the series; ratios are of the returns in excess of them"
		named = &opt.RiskFreeSeries
	}
	return Conventions{
		BarsPerYear:    barsPerYear,
		RiskFree:       number.Float(riskFree),
		Trials:         trials,
		TrialVariance:  number.Float(trialVariance),
		Annualization:  "means times bars_per_year, standard deviations times its square root",
		CAGR:           "growth ^ (365.25 / calendar days from the base to the end) - 1",
		RiskFreeSeries: named,
		RiskFreePerBar: perBar,
		Volatility:     "sample standard deviation (n - 1)",
		Sharpe:         "mean excess return / standard deviation, annualised",
		Sortino:        "mean excess return / root mean square of min(excess, 0) over all bars, annualised",
		Probabilistic:  "probability that the true Sharpe ratio is above 0, from the ratio of one bar, skewness, excess kurtosis and the number of returns (Bailey and Lopez de Prado 2012)",
		Deflated:       "probability that it is above what the best of the trials would show by luck alone (Bailey and Lopez de Prado 2014); without measured ratios their variance is bars_per_year / (sessions - 1)",
		Drawdown:       "on equity that includes the base; peak is the last session at the old high, recovery the first back at it, days are calendar days from peak to recovery or to the end",
		Calmar:         "cagr / |max_drawdown|",
		Ulcer:          "root mean square of the daily drawdowns, a fraction; performance index (cagr - risk_free) / ulcer_index",
		Omega:          "sum of gains / sum of losses, threshold 0",
		Tails:          "historical, of one bar: linear percentiles; conditional value at risk is the mean of the worst floor(0.05 (n - 1)) + 1 bars; tail ratio |95th / 5th percentile|",
		Moments:        "skewness and excess kurtosis corrected for bias",
		Periods:        "calendar months and years compounded from the base; best, worst and positive_months count partial periods",
		Rolling:        "annualised compound return over 1, 3 and 5 times bars_per_year sessions",
		Turnover:       "half the traded notional a year, without the establishing trade",
		Exposure:       "at each date's own close",
		Benchmark:      "returns compounded onto the sessions of the series, over those that both cover; captures are geometric, of calendar months",
	}
}
