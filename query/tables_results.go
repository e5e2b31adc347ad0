package query

// Tables of results. They hold the live runs of the account's models, and the runs that
// the request names.
var (
	// Returns is the daily core of a result.
	Returns = &Table{
		Name: "returns",
		Doc:  "One row per session of a run, and one for its base: the session before the first return.",
		Columns: []Column{
			columnModel, columnRun,
			{"date", Date, "session"},
			{"return", Number, "total return of the day, a fraction; null on the base"},
			{"equity", Number, "value at the close, in US dollars; the run's initial_cash on the base"},
			{"gross_exposure", Number, "sum of the absolute weights at the close, without CASH"},
			{"traded", Number, "notional traded that day as a fraction of equity; on the base, that of the trade that established the model"},
			{"peak", Number, "highest equity so far, the base included"},
		},
		Example: `SELECT model_id, stddev_samp("return") * sqrt(252) AS volatility FROM returns GROUP BY model_id ORDER BY volatility`,
	}
	// Equity is the curve of a result.
	Equity = &Table{
		Name: "equity",
		Doc:  "One row per session of a run, and one for its base.",
		Columns: []Column{
			columnModel, columnRun,
			{"date", Date, "session"},
			{"equity", Number, "value at the close, in US dollars"},
			{"peak", Number, "highest equity so far, the base included"},
			{"drawdown", Number, "equity / peak - 1: 0 at a high, negative below it"},
		},
		Example: `SELECT model_id, min(drawdown) AS max_drawdown FROM equity GROUP BY model_id ORDER BY max_drawdown DESC`,
	}
	// Weights are the holdings by the script's own names.
	Weights = &Table{
		Name: "weights",
		Doc:  "One row per session and own member of a run: assets and models by the script's keys, and CASH.",
		Columns: []Column{
			columnModel, columnRun,
			{"date", Date, "session"},
			{"key", Text, "member as the script names it, or CASH"},
			{"weight", Number, "fraction of equity at the close"},
		},
		Example: `SELECT key, avg(weight) AS mean FROM weights GROUP BY key ORDER BY mean DESC`,
	}
	// Allocations are the holdings broken down to tickers.
	Allocations = &Table{
		Name: "allocations",
		Doc:  "One row per session and ticker of a run: member models are broken down through all levels, using the runs that were pinned.",
		Columns: []Column{
			columnModel, columnRun,
			{"date", Date, "session"},
			{"key", Text, "symbol of the asset, or CASH"},
			{"weight", Number, "fraction of equity at the close"},
		},
		Example: `SELECT model_id, weight FROM allocations WHERE key = 'SYN-WORLD' AND date = (SELECT max(date) FROM returns)`,
	}
	// Tree holds the holdings at every level.
	Tree = &Table{
		Name: "tree",
		Doc:  "One row per session and part of a run: its members, their members, and so on. The weights of the parts below a path add up to its own.",
		Columns: []Column{
			columnModel, columnRun,
			{"date", Date, "session"},
			{"path", Texts, "keys from the model's own member down to the part"},
			{"depth", Integer, "length of the path: 1 for own members"},
			{"key", Text, "last key of the path"},
			{"leaf", Boolean, "whether it has no parts: an asset, CASH, or a model whose run was deleted"},
			{"weight", Number, "fraction of the whole model's equity at the close"},
		},
		Example: `SELECT path, weight FROM tree WHERE depth = 2 ORDER BY date DESC, weight DESC LIMIT 10`,
	}
	// Trades is the ledger of a result.
	Trades = &Table{
		Name: "trades",
		Doc:  "One row per member of each filled decision or forced sale.",
		Columns: []Column{
			columnModel, columnRun,
			{"fill", Date, "session of the fill"},
			{"decided", Date, "session of the decision"},
			{"reason", Text, "why: a decision of the schedule, a band, a forced sale"},
			{"key", Text, "member as the script names it, or CASH"},
			{"before", Number, "weight before the fill"},
			{"target", Number, "weight that the decision asked for"},
			{"traded", Number, "|target - before|"},
			{"turnover", Number, "notional of the whole event as a fraction of equity, the same on each of its rows"},
		},
		Example: `SELECT model_id, count(DISTINCT fill) AS rebalances FROM trades GROUP BY model_id`,
	}
	// Contributions describe where returns came from.
	Contributions = &Table{
		Name: "contributions",
		Doc:  "One row per session and own member of a run, without the base; the rows of a day add up to the day's return.",
		Columns: []Column{
			columnModel, columnRun,
			{"date", Date, "session"},
			{"key", Text, "member as the script names it, or CASH"},
			{"contribution", Number, "part of the day's return, a fraction"},
		},
		Example: `SELECT key, sum(contribution) AS total FROM contributions GROUP BY key ORDER BY total DESC`,
	}
	// Diagnostics are what scripts record.
	Diagnostics = &Table{
		Name: "diagnostics",
		Doc:  "One row per session and name that a script recorded with ctx.record; sessions without a value have no row.",
		Columns: []Column{
			columnModel, columnRun,
			{"date", Date, "session"},
			{"name", Text, "name that the script gave"},
			{"value", Number, "value that it recorded"},
		},
		Example: `SELECT name, min(value) AS lowest, max(value) AS highest FROM diagnostics GROUP BY name`,
	}
)
