package program

import (
	"encoding/json"

	"ballast/backtest"
	"ballast/catalog/series"
	"ballast/internal/number"
	"ballast/optimize/optimizer"
)

// Summary summarises the result of a run. The fact sheet shows it as metadata.
type Summary struct {
	Universe               []string                `json:"universe"`
	MemberSources          map[string]MemberSource `json:"member_sources"`
	SeriesSources          map[string]SeriesSource `json:"series_sources,omitempty"`
	StartDate              *string                 `json:"start_date"` // first date with a return; null if there is none yet
	EndDate                string                  `json:"end_date"`
	InitialCash            float64                 `json:"initial_cash"`
	FinalValue             float64                 `json:"final_value"`
	TradesTotal            int                     `json:"trades_total"`
	RebalanceDates         int                     `json:"rebalance_dates"`
	RebalancesPerYear      number.Float            `json:"rebalances_per_year"`
	AnnualTurnover         number.Float            `json:"annual_turnover"` // one way, without the first purchase
	MaxGrossExposure       float64                 `json:"max_gross_exposure"`
	HarnessVersion         string                  `json:"harness_version"`
	Backfills              *BackfillUses           `json:"backfills"`  // by member, what a backfill put before its own bars; null if there is none
	Optimizers             *[]OptimizerUse         `json:"optimizers"` // null if the script uses none
	TradeLogTruncated      *Truncation             `json:"trade_log_truncated"`
	TargetHistoryTruncated *Truncation             `json:"target_history_truncated"`
	Inputs                 json.RawMessage         `json:"inputs"`
	Window                 SummaryWindow           `json:"window"`
	Alignment              Alignment               `json:"alignment"`
	Execution              Execution               `json:"execution"`
	ModelName              string                  `json:"model_name"`
	ModelSymbol            string                  `json:"model_symbol"`
	Warnings               []backtest.Warning      `json:"warnings"`
	CustomKeys             []string                `json:"custom_keys"`    // names of the model's own diagnostics
	ContinuedFrom          *string                 `json:"continued_from"` // the run whose saved state this run continued with the sessions since
	Causality              *backtest.Causality     `json:"causality"`      // evidence that the build's results do not depend on future bars
}

// What is checked of an optimizer's weights.
const (
	CertifiedBest     = "optimality"  // they satisfy the limits, and no others are better
	CertifiedFeasible = "feasibility" // they satisfy the limits
)

// OptimizerUse is what a run has used of an optimizer.
type OptimizerUse struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Version   int    `json:"version"`
	Solves    int    `json:"solves"`
	Fallbacks int    `json:"fallbacks"`
	// Certificate says what was checked of the weights: CertifiedBest, or
	// CertifiedFeasible for those of a script; "" in results from before scripts.
	Certificate      string   `json:"certificate,omitempty"`
	WorstKKTResidual *float64 `json:"worst_kkt_residual"`        // null for a script
	WorstViolation   *float64 `json:"worst_violation,omitempty"` // of a limit, for a script
	// Tags are the members that the tags of its groups meant when the run began.
	Tags []optimizer.Tagged `json:"tags,omitempty"`
}

// MemberSource is where a member's returns were read from.
type MemberSource struct {
	Kind        MemberKind `json:"kind"`
	ID          string     `json:"id,omitempty"` // absent for a member model that the reader may not see
	RunID       string     `json:"run_id,omitempty"`
	DataVersion string     `json:"data_version,omitempty"`
	First       string     `json:"first"`
	Last        string     `json:"last"`
}

// SeriesSource is where a column of a series from outside was read from.
type SeriesSource struct {
	ID        string           `json:"id,omitempty"` // absent for a series that the reader may not see
	Version   int              `json:"version"`
	Frequency series.Frequency `json:"frequency"`
	Kind      series.Kind      `json:"kind"`
	Lag       int              `json:"lag"`
	First     string           `json:"first"` // date of the first value
	Last      string           `json:"last"`
}

// SeriesSources describes pinned columns, by NAME.KEY; nil if there are none.
func SeriesSources(pins []series.Pin) map[string]SeriesSource {
	if len(pins) == 0 {
		return nil
	}
	sources := make(map[string]SeriesSource, len(pins))
	for _, p := range pins {
		sources[p.Name()] = SeriesSource{
			ID: p.Of.ID, Version: p.Of.Version, Frequency: p.Of.Frequency, Kind: p.Of.Kind, Lag: p.Of.Lag,
			First: p.Column().First.String(), Last: p.Column().Last.String(),
		}
	}
	return sources
}

// Truncation is the number of rows of a log and of those that are kept, the newest.
type Truncation struct {
	Kept  int `json:"kept"`
	Total int `json:"total"`
}

// SummaryWindow is the rule that decided where a model starts.
type SummaryWindow struct {
	StartRule string `json:"start_rule"`
}

// Alignment is the time axis of a run.
type Alignment struct {
	AsOf            string `json:"as_of"`
	BarsPerYear     int    `json:"bars_per_year"`
	SessionCalendar string `json:"session_calendar"`
}

// Execution describes how decisions were filled.
type Execution struct {
	Fill              string             `json:"fill"`
	Path              string             `json:"path"` // how holdings move between decisions
	Decisions         backtest.Decisions `json:"decisions"`
	Dividends         string             `json:"dividends"`          // how dividends are treated
	PriceBasis        string             `json:"price_basis"`        // the series that decisions and fills use
	DividendsCredited int                `json:"dividends_credited"` // number of dividends credited as CASH
	Steps             uint64             `json:"steps"`              // interpreter steps of the script; equal runs take the same number
}

// BackfillUses are the backfills that a run read, by the member's key.
type BackfillUses map[string]BackfillUse

// BackfillsRead collects the backfills that members were read with, or returns nil if
// there are none.
func BackfillsRead(members []Member) *BackfillUses {
	uses := BackfillUses{}
	for _, m := range members {
		if m.Backfill != nil {
			uses[m.Key] = *m.Backfill
		}
	}
	if len(uses) == 0 {
		return nil
	}
	return &uses
}
