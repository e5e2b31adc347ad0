package program

import "encoding/json"

// Summary is the result summary of a run, metadata of the fact sheet.
type Summary struct {
	Universe               []string                `json:"universe"`
	MemberSources          map[string]MemberSource `json:"member_sources"`
	StartDate              string                  `json:"start_date" format:"date" doc:"First date with a return"`
	EndDate                string                  `json:"end_date" format:"date"`
	InitialCash            float64                 `json:"initial_cash"`
	FinalValue             float64                 `json:"final_value"`
	TradesTotal            int                     `json:"trades_total"`
	RebalanceDates         int                     `json:"rebalance_dates"`
	RebalancesPerYear      float64                 `json:"rebalances_per_year"`
	AnnualTurnover         float64                 `json:"annual_turnover" doc:"One way, the establishing trade left out"`
	MaxGrossExposure       float64                 `json:"max_gross_exposure"`
	HarnessVersion         string                  `json:"harness_version"`
	Backfills              *json.RawMessage        `json:"backfills"`
	Optimizers             *json.RawMessage        `json:"optimizers"`
	TradeLogTruncated      *Truncation             `json:"trade_log_truncated"`
	TargetHistoryTruncated *Truncation             `json:"target_history_truncated"`
	Inputs                 json.RawMessage         `json:"inputs"`
	Window                 SummaryWindow           `json:"window"`
	Alignment              Alignment               `json:"alignment"`
	Execution              Execution               `json:"execution"`
	ModelName              string                  `json:"model_name"`
	ModelSymbol            string                  `json:"model_symbol"`
	Warnings               []string                `json:"warnings"`
}

// MemberSource is where a member's returns were read.
type MemberSource struct {
	Kind        MemberKind `json:"kind" enum:"asset,model"`
	ID          string     `json:"id"`
	RunID       string     `json:"run_id,omitempty"`
	DataVersion string     `json:"data_version,omitempty"`
	First       string     `json:"first" format:"date"`
	Last        string     `json:"last" format:"date"`
}

// Truncation says what a log leaves out.
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
	AsOf            string `json:"as_of" format:"date"`
	BarsPerYear     int    `json:"bars_per_year"`
	SessionCalendar string `json:"session_calendar"`
}

// Execution is how decisions were filled.
type Execution struct {
	Fill              string    `json:"fill" enum:"close,next_close"`
	Path              string    `json:"path" doc:"How holdings move between decisions"`
	Decisions         Decisions `json:"decisions"`
	Dividends         string    `json:"dividends"`
	PriceBasis        string    `json:"price_basis"`
	DividendsCredited int       `json:"dividends_credited"`
}

// Decisions counts the decisions of a run.
type Decisions struct {
	Count          int                       `json:"count"`
	PerYear        float64                   `json:"per_year"`
	Weekday        map[string]int            `json:"weekday"`
	PeriodPosition map[string]PeriodPosition `json:"period_position"`
}

// PeriodPosition is where in its period a decision session lies, as the range
// that was seen of positions from the period's first session (1) on.
type PeriodPosition struct {
	First int `json:"first"`
	Last  int `json:"last"`
}
