package segments

import (
	"github.com/apache/arrow-go/v18/arrow"

	"ballast/storage/columnar"
)

// Table names one of the tables of a segment.
type Table string

// Each row names its model and run. Weights, returns and contributions are fractions.
const (
	Returns       Table = "returns"       // a row a session and the base, whose return is null
	Weights       Table = "weights"       // a row a session and member that was ever held, and CASH
	Contributions Table = "contributions" // likewise, without the base
	Trades        Table = "trades"        // a row a member of a filled decision or forced sale
	Diagnostics   Table = "diagnostics"   // a row a session and value that the script recorded
)

// Tables lists all tables.
var Tables = []Table{Returns, Weights, Contributions, Trades, Diagnostics}

var (
	text   = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
	number = arrow.PrimitiveTypes.Float64
	day    = arrow.FixedWidthTypes.Date32
)

// columns are the columns of each table after model_id and run_id, which come first in
// every table.
var columns = map[Table][]arrow.Field{
	Returns: {
		{Name: "date", Type: day}, {Name: "return", Type: number, Nullable: true}, {Name: "equity", Type: number},
		{Name: "gross_exposure", Type: number}, {Name: "traded", Type: number},
		// The highest equity so far. With it the drawdown of a whole history is
		// min(equity / peak - 1), without a window function.
		{Name: "peak", Type: number},
	},
	Weights:       {{Name: "date", Type: day}, {Name: "key", Type: text}, {Name: "weight", Type: number}},
	Contributions: {{Name: "date", Type: day}, {Name: "key", Type: text}, {Name: "contribution", Type: number}},
	Diagnostics:   {{Name: "date", Type: day}, {Name: "name", Type: text}, {Name: "value", Type: number}},
	Trades: {
		{Name: "fill", Type: day}, {Name: "decided", Type: day}, {Name: "reason", Type: text}, {Name: "key", Type: text},
		{Name: "before", Type: number}, {Name: "target", Type: number}, {Name: "traded", Type: number},
		{Name: "turnover", Type: number}, // of the whole event, repeated on each of its rows
	},
}

// Schema returns the columns of a table. Strings are dictionary-encoded; readers of the
// files see plain strings.
func (t Table) Schema() *arrow.Schema {
	fields := append([]arrow.Field{{Name: "model_id", Type: text}, {Name: "run_id", Type: text}}, columns[t]...)
	return arrow.NewSchema(fields, nil)
}

// encoding describes how a table is encoded as Parquet. It uses Snappy, because Zstd hardly
// makes the numbers smaller and takes twice as long to scan.
func (t Table) encoding() columnar.WriteOptions {
	o := columnar.WriteOptions{Bare: true}
	for _, f := range t.Schema().Fields() {
		switch f.Type {
		case text, day:
			// A row group has few dates, repeated for every model: with a dictionary a
			// filter on a date needs to compare only these.
			o.Dictionary = append(o.Dictionary, f.Name)
			o.Statistics = append(o.Statistics, f.Name)
		}
	}
	return o
}
