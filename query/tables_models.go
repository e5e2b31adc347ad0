package query

// The tables of models and their runs.
var (
	// Models are the account's models.
	Models = &Table{
		Name: "models",
		Doc:  "One row per model of yours that is not in the Trash.",
		Columns: []Column{
			{"model_id", Text, "id"},
			{"symbol", Text, "symbol"},
			{"name", Text, "name"},
			{"slug", Text, "last part of its address"},
			{"status", Text, "creating, building, active, updating, paused or failed"},
			{"public", Boolean, "whether others may read it"},
			{"labels", Texts, "labels"},
			{"run_id", Text, "live run; null before the first result"},
			{"base", Date, "session before the first return of the live run"},
			{"first_date", Date, "first session with a return of the live run"},
			{"last_date", Date, "last session of the live run"},
			{"created_at", Moment, "when it was created"},
			{"updated_at", Moment, "when it last changed"},
		},
		Example: `SELECT symbol, name, last_date FROM models WHERE status = 'active' ORDER BY symbol`,
	}
	// Runs are the account's runs.
	Runs = &Table{
		Name: "runs",
		Doc:  "One row per run of your models. The tables of results have the live runs, and those that the request names.",
		Columns: []Column{
			{"run_id", Text, "id"},
			columnModel,
			{"status", Text, "queued, running, complete or failed"},
			{"live", Boolean, "whether the model serves it"},
			{"source", Text, "what started it"},
			{"intent", Text, "test or refresh; null for others"},
			{"label", Text, "label; null if it has none"},
			{"inputs", Text, "inputs as JSON"},
			{"script_hash", Text, "SHA-256 of the script"},
			{"data_version", Text, "version of the bars that it read; null until it ran"},
			{"result_hash", Text, "hash of the result; null until complete"},
			{"bars_per_year", Integer, "252, or 365 on calendar days; null until complete"},
			{"base", Date, "session before the first return; null until complete"},
			{"first_date", Date, "first session with a return"},
			{"last_date", Date, "last session"},
			{"superseded", Boolean, "whether a newer result replaced it before it was served"},
			{"error_type", Text, "why it failed; null otherwise"},
			{"error_message", Text, "the same in words"},
			{"created_at", Moment, "when it was queued"},
			{"started_at", Moment, "when it began"},
			{"finished_at", Moment, "when it ended"},
		},
		Example: `SELECT source, status, count(*) AS runs FROM runs GROUP BY ALL ORDER BY runs DESC`,
	}
	// Members are what runs hold.
	Members = &Table{
		Name: "members",
		Doc:  "One row per member of a run: what its script's keys mean.",
		Columns: []Column{
			columnModel, columnRun,
			{"key", Text, "member as the script names it"},
			{"kind", Text, "asset or model"},
			{"member_id", Text, "id of the asset or model"},
			{"symbol", Text, "its symbol when the run was made"},
			{"name", Text, "its name when the run was made"},
			{"member_run_id", Text, "run of the member model that was read; null for assets"},
		},
		Example: `SELECT symbol, count(DISTINCT model_id) AS holders FROM members WHERE kind = 'asset' GROUP BY symbol ORDER BY holders DESC`,
	}
)
