package export

import (
	"cmp"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/metrics"
	"ballast/storage/columnar"
)

// Table names what is exported.
type Table string

// The tables.
const (
	Assets      Table = "assets"
	Bars        Table = "bars"
	Returns     Table = "returns"
	Allocations Table = "allocations"
	Runs        Table = "runs"

	Contributions Table = "contributions"
	Tree          Table = "tree"
	Diagnostics   Table = "diagnostics"
	Trades        Table = "trades"
	Metrics       Table = "metrics"
)

// Tables lists all tables.
var Tables = slices.Concat([]Table{Assets, Bars}, Results, []Table{Runs}, Answers)

// Results lists the tables of results: of the runs that models serve, or of runs by id.
var Results = []Table{Returns, Allocations, Contributions, Tree, Diagnostics, Trades, Metrics}

// Owned lists the tables whose rows belong to an account.
var Owned = slices.Concat(Results, []Table{Runs}, Answers)

// Dated lists the tables that can be cut to a window of dates.
var Dated = append([]Table{Bars}, Results...)

// Schema returns the columns of a table, or nil if the table is not in Tables.
func (t Table) Schema() *arrow.Schema { return cmp.Or(schemas[t], answerSchemas[t]) }

var (
	text    = arrow.BinaryTypes.String
	boolean = arrow.FixedWidthTypes.Boolean
	number  = arrow.PrimitiveTypes.Float64
	day     = arrow.FixedWidthTypes.Date32
	whole   = arrow.PrimitiveTypes.Int32
	moment  = arrow.FixedWidthTypes.Timestamp_us
)

func some(name string, kind arrow.DataType) arrow.Field { return arrow.Field{Name: name, Type: kind} }

func maybe(name string, kind arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: kind, Nullable: true}
}

// ofResult returns the schema of a table of results: the columns that name model and
// run, then the table's own.
func ofResult(own ...arrow.Field) *arrow.Schema {
	return arrow.NewSchema(append([]arrow.Field{
		some("program_id", text), maybe("program_symbol", text), some("program_name", text), some("run_id", text),
	}, own...), nil)
}

// metricFields returns the columns of a window's dates and metrics.
func metricFields() []arrow.Field {
	fields := []arrow.Field{
		maybe("start_date", day), maybe("end_date", day),
		maybe("max_drawdown_peak", day), maybe("max_drawdown_valley", day), maybe("max_drawdown_recovery", day),
	}
	for _, name := range metrics.FigureNames {
		fields = append(fields, maybe(name, number))
	}
	return fields
}

// schemas are the columns of the tables; docs/exports.md describes them for users.
var schemas = map[Table]*arrow.Schema{
	Assets: arrow.NewSchema([]arrow.Field{
		some("id", text), some("symbol", text), some("name", text), maybe("type", text), maybe("exchange", text),
		maybe("currency", text), maybe("country", text), maybe("domicile", text), maybe("sector", text), maybe("industry", text),
		maybe("asset_class", text), maybe("wrapper", text), maybe("legal_structure", text), maybe("tax_form", text),
		some("tax_evidence", text), some("leverage", number), some("inverse", boolean), some("hedged", boolean),
		maybe("issuer", text), some("tags", text), maybe("market_cap", number), maybe("aum", number),
		maybe("expense_ratio", number), maybe("inception_date", day), maybe("first_price_date", day),
		maybe("last_price_date", day), some("price_coverage", text), some("delisted", boolean), maybe("isin", text),
		maybe("summary", text),
	}, nil),
	Bars: arrow.NewSchema([]arrow.Field{
		some("asset_id", text), some("symbol", text), some("date", day), maybe("total_return", number),
		maybe("close", number), maybe("dividend", number), maybe("split", number),
	}, nil),
	Returns: arrow.NewSchema([]arrow.Field{
		some("program_id", text), maybe("program_symbol", text), some("program_name", text), some("run_id", text),
		some("date", day), some("total_return", number),
	}, nil),
	Allocations: arrow.NewSchema([]arrow.Field{
		some("program_id", text), maybe("program_symbol", text), some("program_name", text), some("run_id", text),
		some("date", day), some("key", text), maybe("name", text), some("weight", number),
	}, nil),
	Contributions: ofResult(some("date", day), some("key", text), maybe("name", text), some("contribution", number)),
	Tree:          ofResult(some("date", day), some("path", text), some("depth", whole), some("key", text), maybe("name", text), some("weight", number)),
	Diagnostics:   ofResult(some("date", day), some("key", text), some("value", number)),
	Trades: ofResult(
		some("date", day), some("decided", day), some("reason", text), some("key", text), maybe("name", text),
		some("before", number), some("target", number), some("traded", number), some("turnover", number),
	),
	Metrics: ofResult(metricFields()...),
	Runs: arrow.NewSchema([]arrow.Field{
		some("id", text), some("kind", text), some("program_id", text), some("program_name", text), some("status", text),
		some("live", boolean), some("source", text), maybe("intent", text), maybe("label", text), some("shared", boolean),
		some("inputs", text), some("script_hash", text), some("build_id", text), maybe("data_version", text),
		maybe("result_hash", text), some("superseded", boolean), maybe("error_type", text), maybe("error_message", text),
		some("created_at", moment), maybe("started_at", moment), maybe("finished_at", moment),
	}, nil),
}

// coded is the type of a column whose texts repeat: batches have it as a dictionary.
var coded = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: text}

// carried are the schemas of batches that differ from those of the tables.
var carried = map[Table]*arrow.Schema{
	Bars:        withCoded(schemas[Bars], "asset_id", "symbol"),
	Returns:     withCoded(schemas[Returns], "program_id", "program_symbol", "program_name", "run_id"),
	Allocations: withCoded(schemas[Allocations], "program_id", "program_symbol", "program_name", "run_id", "key", "name"),

	Contributions: withCoded(schemas[Contributions], "program_id", "program_symbol", "program_name", "run_id", "key", "name"),
	Tree:          withCoded(schemas[Tree], "program_id", "program_symbol", "program_name", "run_id", "path", "key", "name"),
	Diagnostics:   withCoded(schemas[Diagnostics], "program_id", "program_symbol", "program_name", "run_id", "key"),
}

func withCoded(schema *arrow.Schema, names ...string) *arrow.Schema {
	fields := slices.Clone(schema.Fields())
	for i := range fields {
		if slices.Contains(names, fields[i].Name) {
			fields[i].Type = coded
		}
	}
	return arrow.NewSchema(fields, nil)
}

// carried returns the schema of a table's batches.
func (t Table) carried() *arrow.Schema {
	if s := carried[t]; s != nil {
		return s
	}
	if s := answerSchemas[t]; s != nil {
		return withCoded(s, whose...)
	}
	return schemas[t]
}

// whose are the columns that name the program and the run of a row of a result.
var whose = []string{"program_id", "program_symbol", "program_name", "run_id"}

// encoding describes how Parquet stores the columns of a table.
func (t Table) encoding() columnar.WriteOptions {
	if answerSchemas[t] != nil {
		return columnar.WriteOptions{Bare: true, Dictionary: whose, Statistics: []string{"program_id", "run_id"}}
	}
	return encodings[t]
}

// encodings describe how Parquet stores the columns of a table: repeated values as a
// dictionary, dates as differences, and statistics for columns that readers filter by.
var encodings = map[Table]columnar.WriteOptions{
	Assets: {Bare: true, Dictionary: []string{
		"type", "exchange", "currency", "country", "domicile", "sector", "industry", "asset_class", "wrapper", "legal_structure",
		"tax_form", "tax_evidence", "issuer", "tags", "price_coverage",
	}, Statistics: []string{"symbol"}},
	Bars: {
		Bare:       true,
		Dictionary: []string{"asset_id", "symbol", "dividend", "split"}, Delta: []string{"date"},
		Statistics: []string{"symbol", "date"},
	},
	Returns: {
		Bare:       true,
		Dictionary: []string{"program_id", "program_symbol", "program_name", "run_id"}, Delta: []string{"date"},
		Statistics: []string{"program_id", "run_id", "date"},
	},
	Allocations: {
		Bare:       true,
		Dictionary: []string{"program_id", "program_symbol", "program_name", "run_id", "key", "name"}, Delta: []string{"date"},
		Statistics: []string{"program_id", "run_id", "date", "key"},
	},
	Contributions: ofKeys("key", "name"),
	Tree:          ofKeys("path", "key", "name"),
	Diagnostics:   ofKeys("key"),
	Trades:        ofKeys("reason", "key", "name"),
	Metrics:       {Bare: true, Statistics: []string{"program_id", "run_id", "sharpe", "cagr"}},
	Runs: {
		Bare:       true,
		Dictionary: []string{"kind", "program_id", "program_name", "status", "source", "intent", "script_hash", "build_id", "data_version", "error_type"},
		Statistics: []string{"program_id", "created_at"},
	},
}

// ofKeys returns the Parquet encodings of a table with a row per key of a run.
func ofKeys(repeated ...string) columnar.WriteOptions {
	return columnar.WriteOptions{
		Bare:       true,
		Dictionary: append([]string{"program_id", "program_symbol", "program_name", "run_id"}, repeated...), Delta: []string{"date"},
		Statistics: []string{"program_id", "run_id", "date", "key"},
	}
}
