package query

import (
	_ "embed"
	"slices"
	"strings"
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
	runOfSQL string // which run a macro's model means
)

// The parameters that macros share.
var (
	ofModel = Column{"model", Text, "id, slug or symbol of a model, or id of a run; NULL for all live runs"}
	since   = Column{"start_date", Date, "first date; NULL, the default, for everything computed"}
	until   = Column{"end_date", Date, "last date; NULL, the default, for the last session"}
)

// Macros are all table functions.
var Macros = []*Macro{
	{
		Name: "history", Doc: "The returns of a model in a window, as the block returns of its history.",
		Parameters: []Column{ofModel, since, until},
		Columns: []Column{
			columnModel, columnRun,
			{"date", Date, "session"},
			{"return", Number, "total return of the day, a fraction"},
			{"growth", Number, "value at the close of 1 at the window's base"},
			{"drawdown", Number, "value over its high in the window, the base included, less 1"},
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
			{"management", Number, "deducted that day, a fraction of equity, as are the other costs"},
			{"financing", Number, "for what was held above 1 at the close before"},
			{"commission", Number, "for what was traded"},
			{"slippage", Number, "for what was traded"},
			{"net", Number, "return after costs; never under -1"},
		},
		Needs: []*Table{Models, Returns}, SQL: feesSQL,
		Example: `SELECT model_id, exp(sum(ln(1 + net))) - 1 AS total_return FROM fees(NULL, 0.01) WHERE net > -1 GROUP BY model_id`,
	},
	{
		Name: "tree", Doc: "What a model held at every level in a window, by the runs that were pinned, as the block tree of its history.",
		Parameters: []Column{ofModel, since, until},
		Columns:    Tree.Columns,
		Needs:      []*Table{Models, Returns, Tree}, SQL: treeSQL,
		Example: `SELECT path, weight FROM tree('SIXTY40', '2024-01-02', '2024-01-02')`,
	},
	{
		Name: "metrics", Doc: "The figures of a model in a window, as the block metrics of its history, without those that need every trial of the model or windows that roll.",
		Parameters: []Column{
			ofModel, since, until,
			{"benchmark", Text, "symbol of an asset, or one of your models by id, slug or symbol; NULL, the default, for none"},
			{"risk_free", Number, "annual fraction; 0 by default"},
		},
		Columns: append(slices.DeleteFunc(slices.Clone(Metrics.Columns), func(c Column) bool {
			return c.Name == "probabilistic_sharpe" || strings.HasPrefix(c.Name, "rolling_")
		}),
			Column{"beta", Number, "of the benchmark; null without one, as the following"},
			Column{"alpha", Number, "annual fraction"},
			Column{"correlation", Number, "of daily returns with the benchmark's"},
			Column{"tracking_error", Number, "annual standard deviation of the difference of returns"},
			Column{"information_ratio", Number, "annual mean of the difference over its standard deviation"},
			Column{"active_return", Number, "difference of the compound annual growth rates"},
		),
		Needs: []*Table{Models, Returns, Bars}, SQL: metricsSQL,
		Example: `SELECT cagr, max_drawdown, beta FROM metrics('SIXTY40', '2015-01-01', NULL, 'SYN-WORLD', 0.02)`,
	},
}
