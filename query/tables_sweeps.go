package query

// Tables of sweeps and walk-forwards, which are analyses. What the points vary differs
// from one to the next, so it is an object of JSON.
var (
	columnInputs = Column{"inputs", Text, `inputs that vary, as an object of JSON: inputs->>'lookback' is one of them`}

	// AnalysisPoints is the table points of results.
	AnalysisPoints = &Table{
		Name: "analysis_points", answer: "points", family: analysisKind,
		Doc: "One row per point of a sweep: a run of a model with other inputs.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"point", Integer, "number of the point, from 1"},
			columnInputs,
			{"sharpe", Number, "Sharpe ratio; null if the point failed or has none, as the figures that follow"},
			{"sortino", Number, "Sortino ratio"},
			{"calmar", Number, "Calmar ratio"},
			{"cagr", Number, "compound return a year"},
			{"volatility", Number, "deviation of daily returns, a year"},
			{"max_drawdown", Number, "deepest fall, negative"},
			{"turnover", Number, "half of what is traded a year, a fraction of equity"},
			{"rank", Integer, "place by the sweep's metric, from 1; null without one"},
			{"neighbours", Number, "mean metric of the points next to it; null without any"},
			{"error", Text, "why the point failed; empty if it did not"},
		},
		Example: `SELECT inputs, sharpe FROM analysis_points ORDER BY rank LIMIT 10`,
	}
	// AnalysisFolds is the table folds of results.
	AnalysisFolds = &Table{
		Name: "analysis_folds", answer: "folds", family: analysisKind,
		Doc: "One row per fold of a walk-forward.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"fold", Integer, "number of the fold, from 1"},
			{"train_first", Date, "first day of training"},
			{"train_last", Date, "last day of training"},
			{"test_first", Date, "first day of the test"},
			{"test_last", Date, "last day of the test"},
			{"point", Integer, "point that was best in training"},
			columnInputs,
			{"in_sample", Number, "its metric in training"},
			{"out_of_sample", Number, "its metric in the test; null if there is none"},
		},
		Example: `SELECT test_first, inputs, in_sample, out_of_sample FROM analysis_folds ORDER BY fold`,
	}
	// AnalysisStitched is the table stitched of results.
	AnalysisStitched = &Table{
		Name: "analysis_stitched", answer: "stitched", family: analysisKind,
		Doc: "One row per day of the tests of a walk-forward.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"date", Date, "session"},
			{"return", Number, "return of the point that was chosen before"},
			{"growth", Number, "what 1 has become, out of sample"},
			{"in_sample_return", Number, "return of the point that was best in hindsight"},
			{"in_sample_growth", Number, "what 1 has become of it"},
		},
		Example: `SELECT max(growth) AS out_of_sample, max(in_sample_growth) AS in_hindsight FROM analysis_stitched`,
	}
)
