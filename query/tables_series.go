package query

var (
	columnSeries = Column{"series_id", Text, "id of the series"}
	columnName   = Column{"name", Text, "name of the series"}
	columnKey    = Column{"key", Text, "key of the column; NAME.KEY names it everywhere else"}
)

// The tables of series from outside.
var (
	// Series are the columns of the series that the account may read.
	Series = &Table{
		Name: "series",
		Doc:  "One row per column of each series that you may read: yours, and those of the operator. If one of yours has the name of one of the operator's, yours alone is here, as everywhere.",
		Columns: []Column{
			columnSeries, columnName, columnKey,
			{"public", Boolean, "whether the operator provides it for all accounts"},
			{"version", Integer, "current version, from 1"},
			{"frequency", Text, "daily or monthly"},
			{"kind", Text, "return, rate (annual) or index"},
			{"unit", Text, "fraction; null for an index, whose values are levels"},
			{"lag", Integer, "publication lag: sessions from a value's date until it is known"},
			{"first_date", Date, "date of the column's first value; null if it has none"},
			{"last_date", Date, "date of its last value"},
			{"value_count", Integer, "number of its values"},
			{"missing_count", Integer, "dates of the series in between without a value"},
			{"created_at", Moment, "when the series was created"},
			{"updated_at", Moment, "when the version was made"},
		},
		Example: `SELECT name || '.' || key AS reference, frequency, kind, last_date FROM series ORDER BY name, key`,
	}
	// SeriesValues are the values of the current versions.
	SeriesValues = &Table{
		Name: "series_values",
		Doc:  "One row per value of each column of these series, at their current versions. Missing values have no row.",
		Columns: []Column{
			columnSeries, columnName, columnKey,
			{"date", Date, "date of the value; that of a month is its last day"},
			{"value", Number, "value; returns and rates are fractions"},
		},
		Example: `SELECT key, avg(value) * 12 AS a_year, stddev(value) * sqrt(12) AS deviation FROM series_values WHERE name = 'FF5' GROUP BY key`,
	}
)
