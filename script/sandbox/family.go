package sandbox

import (
	"context"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/script"
	"ballast/timeseries"
)

// Family specifies how scripts of a kind other than models are executed. A pool and
// its children must be given the same families.
type Family struct {
	Kind *script.Kind
	// Execute calls the script's entry point. It runs in a child. A *script.RunError
	// is an error of the script; any other is internal.
	Execute func(ctx context.Context, c Call) (*script.Answer, error)
}

// Call is what a family executes.
type Call struct {
	Caller *script.Caller
	Inputs script.Inputs
	Frame  *timeseries.Frame // a view of shared memory; it must not be written to
	// Path asks for one path of a simulation, from 0; nil for the whole result.
	Path *int
	// Swept are the sweeps that an analysis has asked for so far. Their returns are views
	// of shared memory.
	Swept []script.Swept
	// Progress reports the part that is done, from 0 to 1. It is never nil.
	Progress func(done float64)
}

// kindsOf returns the kind of models and the kinds of families.
func kindsOf(families []Family) script.Kinds {
	kinds := script.Kinds{script.Model}
	for _, f := range families {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

// Table is a table of a result.
type Table struct {
	Name   string
	Record arrow.RecordBatch
}

// The tables of a model's result.
const (
	DailyTable  = "daily"
	LedgerTable = "ledger"
)

// recordOf converts a checked table to a record. A number that is not finite, and
// NoDate, become null.
func recordOf(t *script.Table) Table {
	fields := make([]arrow.Field, len(t.Columns))
	columns := make([]arrow.Array, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		fields[i].Name = c.Name
		switch {
		case c.Dates != nil:
			b := array.NewDate32Builder(memory.DefaultAllocator)
			b.Reserve(len(c.Dates))
			for _, d := range c.Dates {
				if d == timeseries.NoDate {
					b.UnsafeAppendBoolToBitmap(false)
					fields[i].Nullable = true
				} else {
					b.UnsafeAppend(arrow.Date32(d))
				}
			}
			fields[i].Type, columns[i] = arrow.FixedWidthTypes.Date32, b.NewArray()
		case c.Texts != nil:
			b := array.NewStringBuilder(memory.DefaultAllocator)
			b.AppendValues(c.Texts, nil)
			fields[i].Type, columns[i] = arrow.BinaryTypes.String, b.NewArray()
		default:
			b := array.NewFloat64Builder(memory.DefaultAllocator)
			b.Reserve(len(c.Numbers))
			for _, v := range c.Numbers {
				if finite(v) {
					b.UnsafeAppend(v)
				} else {
					b.UnsafeAppendBoolToBitmap(false)
				}
			}
			fields[i].Type, fields[i].Nullable, columns[i] = arrow.PrimitiveTypes.Float64, true, b.NewArray()
		}
	}
	record := array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(t.Rows()))
	for _, c := range columns {
		c.Release()
	}
	return Table{Name: t.Name, Record: record}
}

// Table returns the table with a name, or nil.
func (o *Outcome) Table(name string) arrow.RecordBatch {
	i := slices.IndexFunc(o.Tables, func(t Table) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return o.Tables[i].Record
}

// Daily returns a model's daily table.
func (o *Outcome) Daily() arrow.RecordBatch { return o.Table(DailyTable) }

// Ledger returns a model's ledger, the table of its fills.
func (o *Outcome) Ledger() arrow.RecordBatch { return o.Table(LedgerTable) }

// Records returns all tables, in order.
func (o *Outcome) Records() []arrow.RecordBatch {
	records := make([]arrow.RecordBatch, len(o.Tables))
	for i, t := range o.Tables {
		records[i] = t.Record
	}
	return records
}

// Release releases all tables.
func (o *Outcome) Release() {
	for _, t := range o.Tables {
		t.Record.Release()
	}
}
