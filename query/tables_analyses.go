package query

import "ballast/script/harness"

// analysisKind is the kind of programs whose results have the tables of analyses.
const analysisKind = harness.Analysis

var (
	columnAnalysis = Column{"analysis_id", Text, "id of the analysis"}
	columnMember   = Column{"key", Text, "member"}
)

// Tables of analyses. Those of their results hold the live runs of the account's
// analyses, and the runs that the request names. A table of the same name that a script
// wrote itself has its values where it has these columns, and null in the others.
var (
	// Analyses are the account's analyses.
	Analyses = &Table{
		Name: "analyses",
		Doc:  "One row per analysis of yours that is not in the Trash.",
		Columns: []Column{
			columnAnalysis,
			{"symbol", Text, "symbol; null if its script has none"},
			{"name", Text, "name"},
			{"slug", Text, "last part of its address"},
			{"status", Text, "building, active, updating, paused or failed"},
			{"public", Boolean, "whether others may read it"},
			{"labels", Texts, "labels"},
			{"run_id", Text, "live run; null before the first result"},
			{"first_date", Date, "base of the first return that the live run used"},
			{"last_date", Date, "last day of data that the live run used"},
			{"created_at", Moment, "when it was created"},
			{"updated_at", Moment, "when it last changed"},
		},
		Example: `SELECT name, status, last_date FROM analyses ORDER BY name`,
	}
	// AnalysisScalars are the numbers of whole results.
	AnalysisScalars = &Table{
		Name: "analysis_scalars",
		Doc:  "One row per scalar of each complete run of your analyses.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"name", Text, "name, such as alpha_annual or r_squared"},
			{"value", Number, "value; null if there is none"},
			{"unit", Text, "unit; null if it has none"},
			{"title", Text, "name in words; null if it has none"},
		},
		Example: `SELECT a.name, s.value AS r_squared FROM analyses a JOIN analysis_scalars s USING (run_id) WHERE s.name = 'r_squared' ORDER BY r_squared DESC`,
	}
	// AnalysisFactors is the table factors of results.
	AnalysisFactors = &Table{
		Name: "analysis_factors", answer: "factors", family: analysisKind,
		Doc: "One row per factor of a regression; the constant is alpha.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"series", Text, "member that is explained"},
			{"factor", Text, "factor"},
			{"loading", Number, "coefficient"},
			{"std_error", Number, "its standard error after Newey and West"},
			{"t", Number, "loading divided by its error"},
			{"p", Number, "chance of such a loading if the true one were 0"},
			{"low", Number, "lower end of its 95 % interval"},
			{"high", Number, "upper end of its 95 % interval"},
			{"variance_inflation", Number, "how much the other factors enlarge the variance of the loading; null for the constant"},
		},
		Example: `SELECT series, factor, loading, t FROM analysis_factors WHERE abs(t) > 2 ORDER BY abs(t) DESC`,
	}
	// AnalysisRollingFactors is the table rolling_factors of results.
	AnalysisRollingFactors = &Table{
		Name: "analysis_rolling_factors", answer: "rolling_factors", family: analysisKind,
		Doc: "One row per factor and date: the loadings over the 36 months before.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"series", Text, "member that is explained"}, {"factor", Text, "factor"},
			{"date", Date, "last day of the window"},
			{"loading", Number, "coefficient"},
		},
		Example: `SELECT factor, min(loading) AS lowest, max(loading) AS highest FROM analysis_rolling_factors GROUP BY factor ORDER BY factor`,
	}
	// AnalysisCorrelation is the table correlation of results.
	AnalysisCorrelation = &Table{
		Name: "analysis_correlation", answer: "correlation", family: analysisKind,
		Doc: "One row per ordered pair of members.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"a", Text, "member"}, {"b", Text, "other member"},
			{"value", Number, "correlation; null if one of the two does not vary"},
			{"n", Integer, "returns that both have"},
		},
		Example: `SELECT a, b, value FROM analysis_correlation WHERE a < b ORDER BY value DESC`,
	}
	// AnalysisComponents is the table components of results.
	AnalysisComponents = &Table{
		Name: "analysis_components", answer: "components", family: analysisKind,
		Doc: "One row per principal component, the largest first.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"component", Integer, "number, from 1"},
			{"eigenvalue", Number, "eigenvalue of the correlation matrix"},
			{"share", Number, "part of the variance that it explains"},
		},
		Example: `SELECT component, share FROM analysis_components ORDER BY component`,
	}
	// AnalysisLoadings is the table loadings of results.
	AnalysisLoadings = &Table{
		Name: "analysis_loadings", answer: "loadings", family: analysisKind,
		Doc: "One row per principal component and member.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"component", Integer, "number, from 1"}, columnMember,
			{"loading", Number, "element of the eigenvector; the largest of a component is positive"},
		},
		Example: `SELECT key, loading FROM analysis_loadings WHERE component = 1 ORDER BY loading DESC`,
	}
	// AnalysisStyle is the table style of results.
	AnalysisStyle = &Table{
		Name: "analysis_style", answer: "style", family: analysisKind,
		Doc: "One row per index of a style analysis.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"series", Text, "member that is explained"}, {"factor", Text, "index"},
			{"weight", Number, "weight in the mix, from 0 to 1"},
		},
		Example: `SELECT series, factor, weight FROM analysis_style ORDER BY weight DESC`,
	}
	// AnalysisTails is the table tails of results.
	AnalysisTails = &Table{
		Name: "analysis_tails", answer: "tails", family: analysisKind,
		Doc: "One row per member and method. Losses are positive.",
		Columns: []Column{
			columnAnalysis, columnRun, columnMember,
			{"method", Text, "historical, cornish_fisher or generalised_pareto"},
			{"level", Number, "level, such as 0.95"},
			{"value_at_risk", Number, "loss of a day that is exceeded on 1 − level of the days"},
			{"expected_shortfall", Number, "mean loss of the days beyond it"},
		},
		Example: `SELECT key, method, value_at_risk FROM analysis_tails ORDER BY key, method`,
	}
	// AnalysisDrawdowns is the table drawdowns of results.
	AnalysisDrawdowns = &Table{
		Name: "analysis_drawdowns", answer: "drawdowns", family: analysisKind,
		Doc: "One row per drawdown of a member, the deepest first.",
		Columns: []Column{
			columnAnalysis, columnRun, columnMember,
			{"peak", Date, "day of the high before it"},
			{"trough", Date, "day of the lowest value"},
			{"recovery", Date, "first day back at the high; null if there is none yet"},
			{"depth", Number, "fall from the high, a negative fraction"},
			{"days", Integer, "days from the peak to the recovery, or to the last day"},
		},
		Example: `SELECT key, peak, trough, depth FROM analysis_drawdowns ORDER BY depth LIMIT 10`,
	}
	// AnalysisRolling is the table rolling of results.
	AnalysisRolling = &Table{
		Name: "analysis_rolling", answer: "rolling", family: analysisKind,
		Doc: "One row per member, window and date.",
		Columns: []Column{
			columnAnalysis, columnRun, columnMember,
			{"date", Date, "last day of the window"},
			{"years", Number, "length of the window"},
			{"return", Number, "return a year"},
			{"volatility", Number, "deviation a year"},
			{"beta", Number, "beta against the benchmark; null without one"},
		},
		Example: `SELECT key, years, min("return") AS worst FROM analysis_rolling GROUP BY key, years ORDER BY key, years`,
	}
	// AnalysisAttribution is the table attribution of results.
	AnalysisAttribution = &Table{
		Name: "analysis_attribution", answer: "attribution", family: analysisKind,
		Doc: "One row per member and period of an attribution.",
		Columns: []Column{
			columnAnalysis, columnRun, columnMember,
			{"period", Text, "a year, or all"},
			{"allocation", Number, "effect of weights that differ"},
			{"selection", Number, "effect of returns that differ"},
			{"interaction", Number, "effect of both"},
			{"total", Number, "sum of the three"},
		},
		Example: `SELECT period, sum(total) AS active FROM analysis_attribution GROUP BY period ORDER BY period`,
	}
	// AnalysisStress is the table stress of results.
	AnalysisStress = &Table{
		Name: "analysis_stress", answer: "stress", family: analysisKind,
		Doc: "One row per time of stress and member.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"episode", Text, "name of the episode"},
			{"first", Date, "its first day"},
			{"last", Date, "its last day"},
			columnMember,
			{"own_return", Number, "return of the member as it was; null if its data do not cover the episode"},
			{"today_return", Number, "return of what it holds today; null if the data do not cover the episode"},
			{"drawdown", Number, "deepest fall of the member within the episode"},
		},
		Example: `SELECT episode, key, own_return, today_return FROM analysis_stress ORDER BY first, key`,
	}
	// AnalysisShocks is the table shocks of results.
	AnalysisShocks = &Table{
		Name: "analysis_shocks", answer: "shocks", family: analysisKind,
		Doc: "One row per member: what it would do if factors moved.",
		Columns: []Column{
			columnAnalysis, columnRun, columnMember,
			{"return", Number, "return that its loadings on the factors imply"},
			{"std_error", Number, "standard error of it, from the errors of the loadings"},
			{"low", Number, "lower end of its 95 % interval"},
			{"high", Number, "upper end of its 95 % interval"},
			{"r_squared", Number, "share of the member's variance that the factors explain"},
			{"n", Number, "days in the regression"},
		},
		Example: `SELECT key, "return", low, high FROM analysis_shocks ORDER BY "return"`,
	}
	// AnalysisShockFactors is the table shock_factors of results.
	AnalysisShockFactors = &Table{
		Name: "analysis_shock_factors", answer: "shock_factors", family: analysisKind,
		Doc: "One row per member and factor that moves.",
		Columns: []Column{
			columnAnalysis, columnRun, columnMember,
			{"factor", Text, "factor"},
			{"move", Number, "how far it moves, a fraction"},
			{"loading", Number, "loading of the member on it"},
			{"std_error", Number, "standard error of the loading"},
			{"effect", Number, "loading times move"},
		},
		Example: `SELECT factor, effect FROM analysis_shock_factors WHERE key = 'MOM' ORDER BY effect`,
	}
	// AnalysisFrontier is the table frontier of results.
	AnalysisFrontier = &Table{
		Name: "analysis_frontier", answer: "frontier", family: analysisKind,
		Doc: "One row per portfolio of an efficient frontier and member.",
		Columns: []Column{
			columnAnalysis, columnRun,
			{"point", Integer, "number of the portfolio, from 1, the one of least risk"},
			{"risk", Number, "its volatility a year"},
			{"return", Number, "its expected return a year"},
			columnMember,
			{"weight", Number, "weight of the member in it"},
		},
		Example: `SELECT point, key, weight FROM analysis_frontier WHERE weight > 0 ORDER BY point, weight DESC`,
	}
	// AnalysisFrontierMembers is the table frontier_members of results.
	AnalysisFrontierMembers = &Table{
		Name: "analysis_frontier_members", answer: "frontier_members", family: analysisKind,
		Doc: "One row per member of an efficient frontier: where it lies by itself.",
		Columns: []Column{
			columnAnalysis, columnRun, columnMember,
			{"risk", Number, "its volatility a year"},
			{"return", Number, "its expected return a year"},
		},
		Example: `SELECT key, risk, "return" FROM analysis_frontier_members ORDER BY risk`,
	}
	// AnalysisRegimes is the table regimes of results.
	AnalysisRegimes = &Table{
		Name: "analysis_regimes", answer: "regimes", family: analysisKind,
		Doc: "One row per member and regime.",
		Columns: []Column{
			columnAnalysis, columnRun, columnMember,
			{"regime", Text, "regime"},
			{"days", Integer, "days of the regime"},
			{"return", Number, "return a year on these days"},
			{"volatility", Number, "deviation a year on these days"},
		},
		Example: `SELECT regime, key, "return" FROM analysis_regimes ORDER BY regime, key`,
	}
)
