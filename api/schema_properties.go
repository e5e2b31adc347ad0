package api

import (
	"reflect"

	"ballast/backtest"
	"ballast/catalog/backfill"
	"ballast/internal/fault"
	"ballast/optimize/optimizer"
	"ballast/program"
	"ballast/program/history"
	"ballast/script/dialect"
)

// properties describes the fields of domain types that responses contain unchanged,
// by their JSON names. The domain types know nothing of the document.
var properties = map[reflect.Type]map[string]property{
	reflect.TypeFor[backfill.Tracking](): {
		"start":               {text: "First session of the overlap with a return"},
		"sessions":            {text: "Number of common returns; the figures are null below 63"},
		"correlation":         {text: "Correlation of the asset's daily returns with the proxy's unscaled ones"},
		"beta":                {text: "Slope of the regression of the asset on the proxy"},
		"alpha":               {text: "Intercept of that regression, as an annual fraction; it is not added to spliced returns"},
		"volatility_ratio":    {text: "Volatility of the asset divided by that of the proxy"},
		"tracking_error":      {text: "Annual volatility of the asset's returns minus the proxy's adjusted returns"},
		"tracking_difference": {text: "Annual mean of the asset's returns minus the proxy's adjusted returns"},
	},
	reflect.TypeFor[backfill.Splice](): {
		"symbol": {text: "Symbol of the proxy"},
		"start":  {text: "First date of its returns"},
		"method": {enum: []any{"raw", "scaled", "beta"}},
	},
	reflect.TypeFor[backtest.Causality](): {
		"causal":     {text: "Whether every repetition gave the same rows up to its cut"},
		"cuts":       {text: "The repetitions, by date"},
		"difference": {text: "The first row that differs, if there is one"},
	},
	reflect.TypeFor[backtest.Cut](): {
		"date": {text: "The decision session at which the bars ended"},
		"rows": {text: "Number of rows compared, including the base"},
	},
	reflect.TypeFor[backtest.Difference](): {
		"date":   {text: "Date of the row that differs"},
		"column": {text: "One of view (what the script saw of the symbol), decision, trade, weight, contribution, custom, return, equity, gross_exposure, traded, or error if the repetition failed"},
		"symbol": {text: "The member, or the name of the series"},
		"whole":  {text: "Value with all bars; null if the series has no record"},
		"past":   {text: "Value with the bars up to the cut"},
	},
	reflect.TypeFor[optimizer.Definition](): {
		"objective":     {text: "What the weights are best at, or script for an optimizer whose script returns them", enum: []any{"min_variance", "max_sharpe", "target_return", "target_risk", "mean_variance", "risk_parity", "max_diversification", "hrp", "min_cvar", "black_litterman", "script"}},
		"target":        {text: "Annual return or volatility, as a fraction, for target_return and target_risk"},
		"covariance":    {text: "How the covariance is estimated; Ledoit and Wolf's shrinkage over 252 bars if left out"},
		"expected":      {text: "How expected returns are estimated. max_sharpe, target_return, target_risk and mean_variance need it; others take none"},
		"bounds":        {text: "Least and most weight by symbol; default is for all others, and [0, 1] if left out"},
		"groups":        {text: "Limits of sums of weights; groups may overlap"},
		"turnover":      {text: "Limit of what is traded, from the current weights. Nothing is limited while nothing is held"},
		"tracking":      {text: "Limit of the tracking error"},
		"riskless":      {text: "Annual riskless rate, as a fraction"},
		"risk_aversion": {text: "For mean_variance, black_litterman and implied returns; 2.5 if left out"},
		"market":        {text: "Weights of the market by symbol, for black_litterman and implied returns; those of the panel are scaled to add up to 1"},
		"views":         {text: "Views of black_litterman"},
		"script":        {text: "The script of the objective script; absent for others"},
		"inputs":        {text: "Values of the script's inputs; those that are absent have their defaults"},
		"budget":        {text: "Shares of risk by symbol, for risk_parity; equal if left out"},
		"fallback":      {text: "What a script gets when no weights satisfy the limits: an error, the current weights, or equal weights. error if left out", enum: []any{"error", "hold", "equal_weight"}},
	},
	reflect.TypeFor[program.OptimizerUse](): {
		"certificate":        {text: "What was checked of the weights: optimality, that no weights within the limits are better; or, for a script, feasibility alone, that they are finite, add up to 1 and are within the limits. Absent in results from before scripts, which are optimality", enum: []any{program.CertifiedBest, program.CertifiedFeasible}},
		"worst_kkt_residual": {text: "The largest residual of a certificate; null for a script"},
		"worst_violation":    {text: "For a script, by how much a limit was broken at most"},
	},
	reflect.TypeFor[optimizer.Covariance](): {
		"estimator": {text: "ledoit_wolf if left out", enum: []any{"ledoit_wolf", "sample", "oas", "exponential", "single_index"}},
		"lookback":  {text: "Bars, the last of the panel; 252 if left out or 0. A shorter panel is used whole"},
		"halflife":  {text: "Bars after which a bar counts half, for exponential; 63 if left out or 0"},
	},
	reflect.TypeFor[optimizer.Expected](): {
		"estimator": {text: "mean of the returns; exponential: recent bars count more; implied: the returns for which the market's weights are best", enum: []any{"mean", "exponential", "implied"}},
		"lookback":  {text: "Bars, the last of the panel; 252 if left out or 0"},
		"halflife":  {text: "Bars, for exponential; 63 if left out or 0"},
	},
	reflect.TypeFor[optimizer.Group](): {
		"members": {text: "Symbols; or give a tag"},
		"tag":     {text: "All members of the panel with a tag of the catalog, such as region:europe, or a value of type, asset_class, legal_structure, tax_form, country or domicile, such as asset_class:fixed_income. Models have no tags"},
		"min":     {text: "Least sum of their weights"},
		"max":     {text: "Most sum of their weights"},
	},
	reflect.TypeFor[optimizer.Tagged](): {
		"tag":     {text: "Tag that a group names"},
		"members": {text: "Members that have it"},
	},
	reflect.TypeFor[optimizer.Turnover](): {
		"max": {text: "Most that Σ|w − current| may be; a switch of everything is 2"},
	},
	reflect.TypeFor[optimizer.Tracking](): {
		"benchmark": {text: "Weights by symbol; all must be in the panel"},
		"max":       {text: "Annual tracking error, as a fraction"},
	},
	reflect.TypeFor[optimizer.View](): {
		"weights": {text: "Weights by symbol: {\"SPY\": 1}, or {\"SPY\": 1, \"AGG\": -1} for a difference"},
		"return":  {text: "Annual return, as a fraction"},
	},
	reflect.TypeFor[program.BackfillUse](): {
		"first":   {text: "The asset's own first bar"},
		"spliced": {text: "The spans that proxies provide, earliest first"},
		"bars":    {text: "Version at which the bars of each proxy were read"},
	},
	reflect.TypeFor[program.Progress](): {
		"step": {enum: []any{"queued", "generate", "members", "bars", "backtest", "causality", "compute", "store", "publish", "done"}},
	},
	reflect.TypeFor[program.Usage](): {
		"seconds": {text: "Sandbox seconds, rounded up"},
	},
	reflect.TypeFor[program.Failure](): {
		"type": {enum: []any{"script_error", "memory_limit", "time_limit", "step_limit", "data_error", "generation_failed", "insufficient_funds", "internal"}},
	},
	reflect.TypeFor[program.Summary](): {
		"start_date":      {text: "First date with a return; null if there is none yet", format: "date"},
		"end_date":        {format: "date"},
		"annual_turnover": {text: "One way, without the first purchase"},
		"backfills":       {text: "By member, what a backfill put before its own bars; null if there is none"},
		"custom_keys":     {text: "Names of the model's own diagnostics"},
		"continued_from":  {text: "The run whose saved state this run continued with the sessions since; null if it started from the beginning. The result is the same either way"},
		"causality":       {text: "Evidence that the results of the run's build do not depend on future bars"},
	},
	reflect.TypeFor[program.MemberSource](): {
		"kind":  {enum: []any{"asset", "model"}},
		"id":    {text: "Absent for a member model that the caller may not read"},
		"first": {format: "date"},
		"last":  {format: "date"},
	},
	reflect.TypeFor[program.Alignment](): {
		"as_of": {format: "date"},
	},
	reflect.TypeFor[program.Execution](): {
		"fill":               {enum: []any{"close", "next_close"}},
		"path":               {text: "How holdings move between decisions"},
		"dividends":          {text: "How dividends are treated"},
		"price_basis":        {text: "The series that decisions and fills use"},
		"dividends_credited": {text: "Number of dividends credited as CASH: always 0, because dividends are part of the total returns"},
		"steps":              {text: "Interpreter steps that the script took; they are limited, and equal runs take the same number"},
	},
	reflect.TypeFor[history.Timing](): {
		"schedule": {text: "The model's own schedule, in words"},
		"start":    {text: "First date in the window that all offsets have; null if there is none"},
		"offsets":  {text: "The model's own schedule first, then the others from the first to the last session of the period"},
	},
	reflect.TypeFor[history.Offset](): {
		"own":   {text: "Whether this is the model's own schedule"},
		"error": {text: "Why the script has no result on this schedule"},
	},
	reflect.TypeFor[history.Spread](): {
		"spread": {text: "Highest minus lowest"},
	},
	reflect.TypeFor[dialect.Problem](): {
		"rule":       {text: "Id of the rule of the script contract"},
		"line":       {text: "Line in the script, from 1"},
		"column":     {text: "Column in the line, in characters, from 1"},
		"message":    {text: "What is wrong and what to do"},
		"text":       {text: "The offending text"},
		"accepted":   {text: "What would have been accepted"},
		"suggestion": {text: "The nearest accepted value"},
	},
	reflect.TypeFor[fault.Detail](): {
		"location":   {text: "Where the problem is: body.inputs.lookback, query.limit, script, path.model"},
		"rule":       {text: "Id of the rule of the script contract"},
		"line":       {text: "Line in the script, from 1"},
		"column":     {text: "Column in the script, from 1"},
		"accepted":   {text: "What would have been accepted"},
		"suggestion": {text: "The nearest accepted value"},
	},
}
