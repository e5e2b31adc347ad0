package query

import (
	"cmp"
	"slices"
	"strings"

	"ballast/script/harness"
)

// Type is the SQL type of a column, in DuckDB's spelling.
type Type string

// The types that columns have.
const (
	Text    Type = "VARCHAR"
	Texts   Type = "VARCHAR[]"
	Boolean Type = "BOOLEAN"
	Integer Type = "BIGINT"
	Number  Type = "DOUBLE"
	Date    Type = "DATE"
	Moment  Type = "TIMESTAMP WITH TIME ZONE"
)

// Column is one column of a table.
type Column struct {
	Name string
	Type Type
	Doc  string // what it is, its unit, and when it is null
}

// Table is a logical table that SQL can read.
type Table struct {
	Name    string
	Doc     string // what one row is
	Columns []Column
	Example string // one SELECT over the table

	answer string // table of a program's result that it has the rows of, or ""
	family string // kind of those programs; "" for simulations
}

// Answer returns the table of a program's result that the table has the rows of, or "".
func (t *Table) Answer() string { return t.answer }

// Family returns the kind of the programs whose results have that table.
func (t *Table) Family() string { return cmp.Or(t.family, harness.Simulation) }

// Find returns the table with a name, or nil.
func Find(name string) *Table {
	i := slices.IndexFunc(Tables, func(t *Table) bool { return strings.EqualFold(t.Name, name) })
	if i < 0 {
		return nil
	}
	return Tables[i]
}

// Column returns the column with a name, or nil.
func (t *Table) Column(name string) *Column {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return strings.EqualFold(c.Name, name) })
	if i < 0 {
		return nil
	}
	return &t.Columns[i]
}

// Tables lists all logical tables: first models and their results, then simulations and
// analyses and theirs, optimizers, then the market and what comes from outside.
var Tables = []*Table{
	Models, Runs, Members, Metrics,
	Returns, Equity, Weights, Allocations, Tree, Trades, Contributions, Diagnostics,
	Simulations, Scalars, SimulationBands, SimulationSpending, SimulationOutcomes, SimulationRates, SimulationPaths, SimulationRecords,
	Analyses, AnalysisScalars, AnalysisFactors, AnalysisRollingFactors, AnalysisCorrelation, AnalysisComponents, AnalysisLoadings, AnalysisStyle,
	AnalysisTails, AnalysisDrawdowns, AnalysisRolling, AnalysisAttribution, AnalysisStress, AnalysisShocks, AnalysisShockFactors, AnalysisRegimes, AnalysisFrontier, AnalysisFrontierMembers,
	AnalysisPoints, AnalysisFolds, AnalysisStitched,
	Optimizers, OptimizerUses,
	Bars, Assets, Backfills, Series, SeriesValues,
}

// columnModel and columnRun say which model and run a row of a result belongs to.
var (
	columnModel = Column{"model_id", Text, "id of the model"}
	columnRun   = Column{"run_id", Text, "id of the run"}
)
