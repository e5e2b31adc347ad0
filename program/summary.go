package program

import (
	"encoding/json"

	"ballast/backtest"
	"ballast/internal/number"
)

// Summary is the result summary of a run, metadata of the fact sheet.
type Summary struct {
	Universe               []string                `json:"universe"`
	MemberSources          map[string]MemberSource `json:"member_sources"`
	StartDate              *string                 `json:"start_date"` // first date with a return; null where there is none yet
	EndDate                string                  `json:"end_date"`
	InitialCash            float64                 `json:"initial_cash"`
	FinalValue             float64                 `json:"final_value"`
	TradesTotal            int                     `json:"trades_total"`
	RebalanceDates         int                     `json:"rebalance_dates"`
	RebalancesPerYear      number.Float            `json:"rebalances_per_year"`
	AnnualTurnover         number.Float            `json:"annual_turnover"` // one way, the establishing trade left out
	MaxGrossExposure       float64                 `json:"max_gross_exposure"`
	HarnessVersion         string                  `json:"harness_version"`
	Backfills              *BackfillUses           `json:"backfills"` // by member, what stood before its own bars; null without
	Optimizers             *json.RawMessage        `json:"optimizers"`
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
	ContinuedFrom          *string                 `json:"continued_from"` // the run whose saved state this one went on from, with the sessions that came since
	Causality              *backtest.Causality     `json:"causality"`      // the evidence that the build behind the run does not depend on the future
}

// MemberSource is where a member's returns were read.
type MemberSource struct {
	Kind        MemberKind `json:"kind"`
	ID          string     `json:"id,omitempty"` // absent of a member model that the reader may not see
	RunID       string     `json:"run_id,omitempty"`
	DataVersion string     `json:"data_version,omitempty"`
	First       string     `json:"first"`
	Last        string     `json:"last"`
}

// Truncation says how many rows of a log are kept, the newest.
type Truncation struct {
	Kept  int `json:"kept"`
	Total int `json:"total"`
}

// SummaryWindow is the rule by which a model started.
type SummaryWindow struct {
	StartRule string `json:"start_rule"`
}

// Alignment is the time axis of a run.
type Alignment struct {
	AsOf            string `json:"as_of"`
	BarsPerYear     int    `json:"bars_per_year"`
	SessionCalendar string `json:"session_calendar"`
}

// Execution is how decisions were filled.
type Execution struct {
	Fill              string             `json:"fill"`
	Path              string             `json:"path"` // how holdings move between decisions
	Decisions         backtest.Decisions `json:"decisions"`
	Dividends         string             `json:"dividends"`          // what becomes of dividends
	PriceBasis        string             `json:"price_basis"`        // the series that decisions and fills are reckoned on
	DividendsCredited int                `json:"dividends_credited"` // payments that were credited as CASH apart from the returns
	Steps             uint64             `json:"steps"`              // of the script, which may take a limited number; equal runs take equally many
}

// BackfillUses are backfills that were read, by the member's key.
type BackfillUses map[string]BackfillUse

// BackfillsRead collects what members were read with, nil where there is none.
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
