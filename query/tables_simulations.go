package query

import "slices"

var columnSimulation = Column{"simulation_id", Text, "id of the simulation"}

// Tables of simulations. Those of their results hold the live runs of the account's
// simulations, and the runs that the request names.
var (
	// Simulations are the account's simulations.
	Simulations = &Table{
		Name: "simulations",
		Doc:  "One row per simulation of yours that is not in the Trash.",
		Columns: []Column{
			columnSimulation,
			{"symbol", Text, "symbol; null if its script has none"},
			{"name", Text, "name"},
			{"slug", Text, "last part of its address"},
			{"status", Text, "building, active, updating, paused or failed"},
			{"public", Boolean, "whether others may read it"},
			{"labels", Texts, "labels"},
			{"run_id", Text, "live run; null before the first result"},
			{"first_date", Date, "base of the first month of data that the live run used"},
			{"last_date", Date, "last day of data that the live run used"},
			{"created_at", Moment, "when it was created"},
			{"updated_at", Moment, "when it last changed"},
		},
		Example: `SELECT name, status, last_date FROM simulations ORDER BY name`,
	}
	// Scalars are the numbers of whole results.
	Scalars = &Table{
		Name: "scalars",
		Doc:  "One row per scalar of each complete run of your simulations.",
		Columns: []Column{
			columnSimulation, columnRun,
			{"name", Text, "name, such as success or safe_rate"},
			{"value", Number, "value; null if there is none"},
			{"unit", Text, "unit; null if it has none"},
			{"title", Text, "name in words; null if it has none"},
		},
		Example: `SELECT s.name, r.value AS success FROM simulations s JOIN scalars r USING (run_id) WHERE r.name = 'success' ORDER BY success`,
	}
	// SimulationBands is the table bands of results.
	SimulationBands = &Table{
		Name: "simulation_bands", answer: "bands",
		Doc: "One row per month of a run, from 0: how the values of all paths lie.",
		Columns: slices.Concat([]Column{columnSimulation, columnRun, {"step", Integer, "months since the start"}}, bandColumns("value"),
			[]Column{{"alive", Number, "share of the paths that have paid everything so far"}}),
		Example: `SELECT step / 12 AS year, p5_real, p50_real, p95_real, alive FROM simulation_bands WHERE step % 12 = 0 ORDER BY year`,
	}
	// SimulationSpending is the table spending of results.
	SimulationSpending = &Table{
		Name: "simulation_spending", answer: "spending",
		Doc:     "One row per month of a run, from 1: how the payments of all paths lie.",
		Columns: slices.Concat([]Column{columnSimulation, columnRun, {"step", Integer, "month, 1 the first"}}, bandColumns("payment")),
		Example: `SELECT max(p50_real) AS highest, min(p50_real) AS lowest FROM simulation_spending`,
	}
	// SimulationOutcomes is the table outcomes of results.
	SimulationOutcomes = &Table{
		Name: "simulation_outcomes", answer: "outcomes",
		Doc: "One row per path of a run: how it ends.",
		Columns: []Column{
			columnSimulation, columnRun,
			{"path", Integer, "number of the path, 0 the first"},
			{"final", Number, "value at the end"},
			{"final_real", Number, "the same in prices of the start"},
			{"depleted_step", Integer, "month in which a payment could not be met in full; null if there is none"},
			{"spent", Number, "sum of all payments"},
			{"lowest_spent", Number, "lowest payment of a month"},
			{"max_drawdown", Number, "deepest fall of the value from a high, at most 0"},
			{"start", Date, "end of the path's first month, for runs that replay history; null for others"},
		},
		Example: `SELECT count(*) FILTER (depleted_step <= 240) / count(*) AS failed_in_20_years FROM simulation_outcomes`,
	}
	// SimulationRates is the table rates of results.
	SimulationRates = &Table{
		Name: "simulation_rates", answer: "rates",
		Doc: "One row per rate and run: the chance that a fixed real withdrawal lasts.",
		Columns: []Column{
			columnSimulation, columnRun,
			{"rate", Number, "yearly fraction of the start value"},
			{"success", Number, "share of the paths that can pay it to the end"},
			{"low", Number, "lower end of its 95 % interval"},
			{"high", Number, "upper end of its 95 % interval"},
			{"shortfall", Number, "mean years missing where it does not last; null if it always does"},
		},
		Example: `SELECT simulation_id, max(rate) AS rate FROM simulation_rates WHERE success >= 0.9 GROUP BY simulation_id`,
	}
	// SimulationPaths is the table sample_paths of results.
	SimulationPaths = &Table{
		Name: "simulation_paths", answer: "sample_paths",
		Doc: "One row per month of each of the first 50 paths of a run.",
		Columns: []Column{
			columnSimulation, columnRun,
			{"path", Integer, "number of the path, 0 the first"},
			{"step", Integer, "months since the start"},
			{"value", Number, "value"},
		},
		Example: `SELECT path, max(value) AS highest FROM simulation_paths GROUP BY path ORDER BY highest DESC LIMIT 5`,
	}
	// SimulationRecords is the table recorded of results.
	SimulationRecords = &Table{
		Name: "simulation_records", answer: "recorded",
		Doc: "One row per name and step that a script recorded with ctx.record: how its values lie over all paths.",
		Columns: slices.Concat([]Column{columnSimulation, columnRun, {"name", Text, "name that the script gave"}, {"step", Integer, "number of the step, from 0"}},
			levelColumns("value", "")),
		Example: `SELECT name, step, p50 FROM simulation_records ORDER BY name, step`,
	}
)

// bandColumns are the quantiles and the mean, in money of the time and of the start.
func bandColumns(of string) []Column {
	columns := levelColumns(of, "")
	for _, c := range levelColumns(of, ", in prices of the start") {
		columns = append(columns, Column{c.Name + "_real", c.Type, c.Doc})
	}
	return columns
}

func levelColumns(of, prices string) []Column {
	var columns []Column
	for _, level := range []string{"5", "10", "25", "50", "75", "90", "95"} {
		columns = append(columns, Column{"p" + level, Number, level + "th percentile of the " + of + prices})
	}
	return append(columns, Column{"mean", Number, "mean " + of + prices})
}
