package api

import (
	"reflect"

	"ballast/backtest"
	"ballast/catalog/backfill"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/history"
	"ballast/script"
)

// properties describes the fields of domain types that answers hold as they are,
// by the names that the fields have in JSON. The types themselves know nothing of
// the document.
var properties = map[reflect.Type]map[string]property{
	reflect.TypeFor[backfill.Tracking](): {
		"start":               {text: "First session of the overlap with a return"},
		"sessions":            {text: "Returns that both have; the figures are null below 63"},
		"correlation":         {text: "Of the asset's daily returns with the proxy's as they are"},
		"beta":                {text: "Slope of the regression of the asset on the proxy"},
		"alpha":               {text: "Its intercept, annual fraction; a splice drops it"},
		"volatility_ratio":    {text: "Of the asset to the proxy"},
		"tracking_error":      {text: "Annual volatility of the asset's returns less what the method makes of the proxy's"},
		"tracking_difference": {text: "Their annual mean: what the asset earned beyond what the method makes of the proxy"},
	},
	reflect.TypeFor[backfill.Splice](): {
		"symbol": {text: "Of the proxy"},
		"start":  {text: "First date of its returns"},
		"method": {enum: []any{"raw", "scaled", "beta"}},
	},
	reflect.TypeFor[backtest.Causality](): {
		"causal":     {text: "Every repetition gave the same rows up to its cut"},
		"cuts":       {text: "The repetitions, by date"},
		"difference": {text: "The first row that differs, where one does"},
	},
	reflect.TypeFor[backtest.Cut](): {
		"date": {text: "The decision session after which there were no bars"},
		"rows": {text: "Rows compared, the base included"},
	},
	reflect.TypeFor[backtest.Difference](): {
		"date":   {text: "Of the row that differs"},
		"column": {text: "One of view (what the script was shown of the symbol), decision, trade, weight, contribution, custom, return, equity, gross_exposure, traded, and error where the repetition failed"},
		"symbol": {text: "The member, or the name of the series"},
		"whole":  {text: "With all bars; null where the series has no record"},
		"past":   {text: "With the bars up to the cut"},
	},
	reflect.TypeFor[program.BackfillUse](): {
		"first":   {text: "First bar of the asset's own"},
		"spliced": {text: "The days that proxies give, the earliest first"},
		"bars":    {text: "The version at which the bars of each proxy were read"},
	},
	reflect.TypeFor[program.Progress](): {
		"step": {enum: []any{"queued", "generate", "members", "bars", "backtest", "causality", "store", "publish", "done"}},
	},
	reflect.TypeFor[program.Usage](): {
		"seconds": {text: "Sandbox seconds, rounded up"},
	},
	reflect.TypeFor[program.Failure](): {
		"type": {enum: []any{"script_error", "memory_limit", "time_limit", "step_limit", "data_error", "generation_failed", "insufficient_funds", "internal"}},
	},
	reflect.TypeFor[program.Summary](): {
		"start_date":      {text: "First date with a return; null where there is none yet", format: "date"},
		"end_date":        {format: "date"},
		"annual_turnover": {text: "One way, the establishing trade left out"},
		"backfills":       {text: "By member, what stood before its own bars; null without"},
		"custom_keys":     {text: "Names of the model's own diagnostics"},
		"continued_from":  {text: "The run whose saved state this one went on from, with the sessions that came since; null where it began from the beginning. The result is the same either way"},
		"causality":       {text: "The evidence that the build behind the run does not depend on the future"},
	},
	reflect.TypeFor[program.MemberSource](): {
		"kind":  {enum: []any{"asset", "model"}},
		"id":    {text: "Absent of a member model that the reader may not see"},
		"first": {format: "date"},
		"last":  {format: "date"},
	},
	reflect.TypeFor[program.Alignment](): {
		"as_of": {format: "date"},
	},
	reflect.TypeFor[program.Execution](): {
		"fill":               {enum: []any{"close", "next_close"}},
		"path":               {text: "How holdings move between decisions"},
		"dividends":          {text: "What becomes of dividends"},
		"price_basis":        {text: "The series that decisions and fills are reckoned on"},
		"dividends_credited": {text: "Payments that were credited as CASH apart from the returns: always 0, since dividends are part of the total returns"},
		"steps":              {text: "Of the script, which may take a limited number; equal runs take equally many"},
	},
	reflect.TypeFor[history.Timing](): {
		"schedule": {text: "The model's own, in words"},
		"start":    {text: "First date that all offsets have in the window; null where there is none"},
		"offsets":  {text: "The model's own schedule first, then the others from the first session of the period to the last"},
	},
	reflect.TypeFor[history.Offset](): {
		"own":   {text: "The schedule of the model itself"},
		"error": {text: "Why the script gives no result on this schedule"},
	},
	reflect.TypeFor[history.Spread](): {
		"spread": {text: "Highest less lowest"},
	},
	reflect.TypeFor[script.Problem](): {
		"rule":       {text: "Id of the rule of the script contract"},
		"line":       {text: "Line in the script, from 1"},
		"column":     {text: "Column in the line, in characters, from 1"},
		"message":    {text: "What is wrong and what to do"},
		"text":       {text: "The offending text"},
		"accepted":   {text: "What would have been accepted"},
		"suggestion": {text: "The nearest accepted value"},
	},
	reflect.TypeFor[fault.Detail](): {
		"location":   {text: "Where: body.inputs.lookback, query.limit, script, path.model"},
		"rule":       {text: "Id of the rule of the script contract"},
		"line":       {text: "Line in the script, from 1"},
		"column":     {text: "Column in the script, from 1"},
		"accepted":   {text: "What would have been accepted"},
		"suggestion": {text: "The nearest accepted value"},
	},
}
