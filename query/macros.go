package query

import (
	_ "embed"
	"slices"
)

// Macro is a table function over the tables.
type Macro struct {
	Name       string
	Doc        string
	Parameters []Column
	Columns    []Column
	Needs      []*Table // tables that its SQL reads
	SQL        string   // CREATE MACRO
	Example    string
}

var (
	//go:embed macros/history.sql
	historySQL string
	//go:embed macros/fees.sql
	feesSQL string
	//go:embed macros/tree.sql
	treeSQL string
	//go:embed macros/metrics.sql
	metricsSQL string
	//go:embed macros/run_of.sql
	runOfSQL string // resolves a macro's model to a run
	//go:embed macros/normal_cdf.sql
	normalSQL string // the standard normal distribution, which DuckDB lacks
)

// Parameters that several macros share.
var (
	ofModel = Column{"model", Text, "id, slug or symbol of a model, or id of a run; NULL for all runs in the tables"}
	since   = Column{"start_date", Date, "first date; NULL, the default, for the whole history"}
	until   = Column{"end_date", Date, "last date; NULL, the default, for the last session"}
)

// Macros lists all table functions.
var Macros = []*Macro{
	{
		Name: "history", Doc: "The returns of a model in a window, as the block returns of its history.",
		Parameters: []Column{ofModel, since, until},
		Columns: []Column{
			columnModel, columnRun,
			{"date", Date, "session"},
			{"return", Number, "total return of the day, a fraction"},
			{"growth", Number, "value at the close of 1 invested at the window's base"},
			{"drawdown", Number, "value / its high in the window, the base included, - 1"},
			{"gross_exposure", Number, "sum of the absolute weights at the close, without CASH"},
			{"traded", Number, "notional traded that day as a fraction of equity"},
		},
		Needs: []*Table{Models, Returns}, SQL: historySQL,
		Example: `SELECT date, growth FROM history('SIXTY40', '2020-01-01') ORDER BY date`,
	},
	{
		Name: "fees", Doc: "The returns of a model after costs, and the daily deductions, as the block fees of its history.",
		Parameters: []Column{
			ofModel,
			{"management_fee", Number, "annual fraction of equity; 0 by default"},
			{"financing_rate", Number, "annual fraction of gross exposure above 1; 0 by default"},
			{"commission_bps", Number, "basis points of traded notional; 0 by default"},
			{"slippage_bps", Number, "basis points of traded notional; 0 by default"},
			since, until,
		},
		Columns: []Column{
			columnModel, columnRun,
			{"date", Date, "session"},
			{"gross", Number, "total return of the day before costs, a fraction"},
			{"management", Number, "deducted that day, as a fraction of equity like the other costs"},
			{"financing", Number, "for gross exposure above 1 at the previous close"},
			{"commission", Number, "for the notional traded"},
			{"slippage", Number, "for the notional traded"},
			{"net", Number, "return after costs, at least -1"},
		},
		Needs: []*Table{Models, Returns}, SQL: feesSQL,
		Example: `SELECT model_id, exp(sum(ln(1 + net))) - 1 AS total_return FROM fees(NULL, 0.01) WHERE net > -1 GROUP BY model_id`,
	},
	{
		Name: "tree", Doc: "What a model held at every level in a window, using the runs that were pinned, as the block tree of its history.",
		Parameters: []Column{ofModel, since, until},
		Columns:    Tree.Columns,
		Needs:      []*Table{Models, Returns, Tree}, SQL: treeSQL,
		Example: `SELECT path, weight FROM tree('SIXTY40', '2024-01-02', '2024-01-02')`,
	},
	{
		Name: "metrics", Doc: "The figures of a model in a window, as the block metrics of its history, without the deflated Sharpe ratio, which needs every trial of the model.",
		Parameters: []Column{
			ofModel, since, until,
			{"benchmark", Text, "asset by symbol or id, or one of your models by id, slug or symbol; asset:GOLD and model:GOLD say which is meant; NULL, the default, for none"},
			{"risk_free", Number, "annual fraction; 0 by default"},
		},
		Columns: append(slices.Clone(Metrics.Columns),
			Column{"beta", Number, "to the benchmark; null without one or without a common session, like the columns below"},
			Column{"alpha", Number, "annual fraction"},
			Column{"correlation", Number, "of the daily returns with the benchmark's"},
			Column{"r_squared", Number, "square of the correlation"},
			Column{"tracking_error", Number, "annual standard deviation of the difference of returns"},
			Column{"information_ratio", Number, "annual mean of the difference over its standard deviation"},
			Column{"up_capture", Number, "annual return over the benchmark's, in the months in which the benchmark rose"},
			Column{"down_capture", Number, "the same in the months in which it fell"},
			Column{"active_return", Number, "difference of the compound annual growth rates"},
		),
		Needs: []*Table{Models, Returns, Bars}, SQL: metricsSQL,
		Example: `SELECT cagr, max_drawdown, beta FROM metrics('SIXTY40', '2015-01-01', NULL, 'SYN-WORLD', 0.02)`,
	},
}
