package query

// The tables of optimizers.
var (
	// Optimizers are the versions of the account's optimizers.
	Optimizers = &Table{
		Name: "optimizers",
		Doc:  "One row per version of each of your optimizers.",
		Columns: []Column{
			{"optimizer_id", Text, "id of the optimizer"},
			{"name", Text, "name of the optimizer, the same in all rows"},
			{"version", Integer, "version, from 1"},
			{"current", Boolean, "whether runs that start now use this version"},
			{"objective", Text, "what is optimized: min_variance, for example, or script"},
			{"definition", Text, "the whole definition, as an object of JSON: definition->>'fallback' is one of its fields"},
			{"created_at", Moment, "when the version was made"},
		},
		Example: `SELECT name, version, objective FROM optimizers WHERE current ORDER BY name`,
	}
	// OptimizerUses are the optimizers that runs have used.
	OptimizerUses = &Table{
		Name: "optimizer_uses",
		Doc:  "One row per optimizer that a complete run of a model has used.",
		Columns: []Column{
			columnModel, columnRun,
			{"optimizer_id", Text, "id of the optimizer"},
			{"name", Text, "its name when the run began"},
			{"version", Integer, "version that the run has used"},
			{"solves", Integer, "problems that were solved"},
			{"fallbacks", Integer, "how many of them had no weights within the limits, so that the fallback was used"},
			{"worst_residual", Number, "the largest residual of the certificates; null for a script"},
		},
		Example: `SELECT m.name, u.name AS optimizer, u.version, u.worst_residual FROM optimizer_uses u JOIN models m USING (run_id)`,
	}
)
