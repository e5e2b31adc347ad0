package backtest

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/timeseries"
)

// SummaryKey is the key of the summary in the schema metadata of the daily table.
const SummaryKey = "summary"

// CashKey is the key of the cash that remains beside the members.
const CashKey = "CASH"

// The prefixes of the daily table's columns that exist once per member or series.
const (
	WeightPrefix       = "weight."
	ContributionPrefix = "contribution."
	CustomPrefix       = "custom."
)

// LedgerSchema is the schema of the ledger table.
var LedgerSchema = arrow.NewSchema([]arrow.Field{
	{Name: "fill", Type: arrow.FixedWidthTypes.Date32},
	{Name: "decided", Type: arrow.FixedWidthTypes.Date32},
	{Name: "reason", Type: arrow.BinaryTypes.String},
	{Name: "turnover", Type: arrow.PrimitiveTypes.Float64},
	{Name: "key", Type: arrow.BinaryTypes.String},
	{Name: "before", Type: arrow.PrimitiveTypes.Float64},
	{Name: "target", Type: arrow.PrimitiveTypes.Float64},
	{Name: "traded", Type: arrow.PrimitiveTypes.Float64},
}, nil)

// Tables returns the result as two tables. The caller must release both. The columns of
// daily are views of the result's own.
//
// daily has one row for the base and one per session. Its columns are date, return
// (null on the base), equity, gross_exposure and traded; then, if requested, weight.KEY
// for each member that was ever held, in the order of the universe, weight.CASH,
// contribution.KEY for the same members (null on the base) and contribution.CASH; then
// custom.NAME (null on sessions without a value). Its metadata has the summary, and the
// state if the result has one. ledger has one row for each member that an event
// changed, with the columns of LedgerSchema.
func (r *Result) Tables(mem memory.Allocator) (daily, ledger arrow.RecordBatch, err error) {
	summary, err := EncodeSummary(r.Summary)
	if err != nil {
		return nil, nil, fmt.Errorf("encode the summary: %w", err)
	}
	w := &tableWriter{rows: len(r.Dates)}
	w.dates("date", r.Dates)
	w.floats("return", r.Returns, nullOnBase)
	w.floats("equity", r.Equity, neverNull)
	w.floats("gross_exposure", r.Gross, neverNull)
	w.floats("traded", r.Traded, neverNull)
	w.members(WeightPrefix, r.Keys, r.Weights, r.CashWeight, neverNull)
	w.members(ContributionPrefix, r.Keys, r.Contributions, r.CashContribution, nullOnBase)
	for _, c := range r.Custom {
		w.floats(CustomPrefix+c.Name, c.Values, nullWhereNaN)
	}
	keys, values := []string{SummaryKey}, []string{string(summary)}
	if r.State != nil {
		state, err := EncodeState(r.State)
		if err != nil {
			return nil, nil, fmt.Errorf("encode the state: %w", err)
		}
		keys, values = append(keys, StateKey, stateSumKey), append(values, string(state), sumOf(state))
	}
	metadata := arrow.NewMetadata(keys, values)
	return w.batch(&metadata), r.ledgerTable(mem), nil
}

// SummaryOf decodes the summary in the schema of a daily table.
func SummaryOf(schema *arrow.Schema) (Summary, error) {
	metadata := schema.Metadata()
	text, ok := metadata.GetValue(SummaryKey)
	if !ok {
		return Summary{}, fmt.Errorf("the table has no %s in its metadata", SummaryKey)
	}
	return DecodeSummary([]byte(text))
}

func (r *Result) ledgerTable(mem memory.Allocator) arrow.RecordBatch {
	b := array.NewRecordBuilder(mem, LedgerSchema)
	defer b.Release()
	rows := 0
	for i := range r.Ledger {
		rows += len(r.Ledger[i].Trades)
	}
	b.Reserve(rows)
	var (
		fill     = b.Field(0).(*array.Date32Builder)
		decided  = b.Field(1).(*array.Date32Builder)
		reason   = b.Field(2).(*array.StringBuilder)
		turnover = b.Field(3).(*array.Float64Builder)
		key      = b.Field(4).(*array.StringBuilder)
		before   = b.Field(5).(*array.Float64Builder)
		target   = b.Field(6).(*array.Float64Builder)
		traded   = b.Field(7).(*array.Float64Builder)
	)
	for i := range r.Ledger {
		e := &r.Ledger[i]
		for _, t := range e.Trades {
			fill.Append(arrow.Date32(e.Fill))
			decided.Append(arrow.Date32(e.Decided))
			reason.Append(string(e.Reason))
			turnover.Append(e.Turnover)
			if t.Member == CashMember {
				key.Append(CashKey)
			} else {
				key.Append(r.Keys[t.Member])
			}
			before.Append(t.Before)
			target.Append(t.Target)
			traded.Append(t.Traded())
		}
	}
	return b.NewRecordBatch()
}

// nulls marks the rows of a column that are null.
type nulls int

const (
	neverNull nulls = iota
	nullOnBase
	nullWhereNaN
)

// tableWriter collects the columns of a record batch.
type tableWriter struct {
	rows    int
	fields  []arrow.Field
	columns []arrow.Array
}

// dates adds a column that is a view of values.
func (w *tableWriter) dates(name string, values []timeseries.Date) {
	days := unsafe.Slice((*arrow.Date32)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Date32Traits.CastToBytes(days))}
	data := array.NewData(arrow.FixedWidthTypes.Date32, len(values), buffers, nil, 0, 0)
	defer data.Release()
	w.add(arrow.Field{Name: name, Type: arrow.FixedWidthTypes.Date32}, array.NewDate32Data(data))
}

// floats adds a column that is a view of values.
func (w *tableWriter) floats(name string, values []float64, null nulls) {
	bits := make([]byte, bitutil.BytesForBits(int64(len(values))))
	missing := 0
	switch null {
	case neverNull:
		bits = nil
	case nullOnBase:
		bitutil.SetBitsTo(bits, 1, int64(len(values)-1), true)
		missing = 1
	case nullWhereNaN:
		for i, v := range values {
			if math.IsNaN(v) {
				missing++
			} else {
				bitutil.SetBit(bits, i)
			}
		}
	}
	var bitmap *memory.Buffer
	if bits != nil {
		bitmap = memory.NewBufferBytes(bits)
	}
	buffers := []*memory.Buffer{bitmap, memory.NewBufferBytes(arrow.Float64Traits.CastToBytes(values))}
	data := array.NewData(arrow.PrimitiveTypes.Float64, len(values), buffers, nil, missing, 0)
	defer data.Release()
	w.add(arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: null != neverNull}, array.NewFloat64Data(data))
}

// members adds a column for each member that has one, then CASH.
func (w *tableWriter) members(prefix string, keys []string, columns [][]float64, cash []float64, null nulls) {
	if cash == nil {
		return
	}
	for i, column := range columns {
		if column != nil {
			w.floats(prefix+keys[i], column, null)
		}
	}
	w.floats(prefix+CashKey, cash, null)
}

func (w *tableWriter) add(field arrow.Field, column arrow.Array) {
	w.fields = append(w.fields, field)
	w.columns = append(w.columns, column)
}

func (w *tableWriter) batch(metadata *arrow.Metadata) arrow.RecordBatch {
	b := array.NewRecordBatch(arrow.NewSchema(w.fields, metadata), w.columns, int64(w.rows))
	for _, c := range w.columns {
		c.Release()
	}
	return b
}
