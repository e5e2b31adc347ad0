package result

import (
	"strings"
	"testing"

	"ballast/timeseries/sample"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"ballast/timeseries"
)

// numbers creates a table of one float column; nil is null.
func numbers(name string, values ...*float64) arrow.RecordBatch {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	for _, v := range values {
		if v == nil {
			b.AppendNull()
		} else {
			b.Append(*v)
		}
	}
	return table([]arrow.Field{{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true}}, b.NewArray())
}

// texts creates a table of one text column.
func texts(name string, values ...string) arrow.RecordBatch {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return table([]arrow.Field{{Name: name, Type: arrow.BinaryTypes.String}}, b.NewArray())
}

func table(fields []arrow.Field, columns ...arrow.Array) arrow.RecordBatch {
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(columns[0].Len()))
}

func TestResultHash(t *testing.T) {
	t.Parallel()
	one, zero := 1.0, 0.0
	base := []arrow.RecordBatch{numbers("return", nil, &one, &zero), texts("key", "AB", "C")}
	want, err := Hash(base...)
	if err != nil {
		t.Fatal(err)
	}
	same := []arrow.RecordBatch{numbers("return", nil, &one, &zero), texts("key", "AB", "C")}
	if got, err := Hash(same...); err != nil || got != want {
		t.Errorf("equal tables: %s, %v, want %s", got, err, want)
	}
	// The value stored under a null does not count.
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues([]float64{42, 1, 0}, []bool{false, true, true})
	under := table([]arrow.Field{{Name: "return", Type: arrow.PrimitiveTypes.Float64, Nullable: true}}, b.NewArray())
	if got, err := Hash(under, base[1]); err != nil || got != want {
		t.Errorf("another value under the null: %s, %v, want %s", got, err, want)
	}
	// A slice of a larger table hashes like the slice alone.
	longer := numbers("return", &one, nil, &one, &zero).NewSlice(1, 4)
	if got, err := Hash(longer, base[1]); err != nil || got != want {
		t.Errorf("a slice: %s, %v, want %s", got, err, want)
	}
	for name, other := range map[string][]arrow.RecordBatch{
		"null for zero":         {numbers("return", nil, &one, nil), base[1]},
		"zero for null":         {numbers("return", &zero, &one, &zero), base[1]},
		"another name":          {numbers("returns", nil, &one, &zero), base[1]},
		"another order":         {base[1], base[0]},
		"text divided":          {base[0], texts("key", "A", "BC")},
		"a row less":            {numbers("return", nil, &one), base[1]},
		"a table less":          {base[0]},
		"rows in another order": {numbers("return", nil, &zero, &one), base[1]},
	} {
		if got, err := Hash(other...); err != nil || got == want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	bools := array.NewBooleanBuilder(memory.DefaultAllocator)
	bools.Append(true)
	unknown := table([]arrow.Field{{Name: "flag", Type: arrow.FixedWidthTypes.Boolean}}, bools.NewArray())
	if _, err := Hash(unknown); err == nil || !strings.Contains(err.Error(), "column flag") {
		t.Errorf("a column of another type: %v", err)
	}
}

// ledgerRow is a row of a ledger.
type ledgerRow struct {
	fill, decided          timeseries.Date
	reason                 string
	turnover               float64
	key                    string
	before, target, traded float64
}

func ledger(rows ...ledgerRow) arrow.RecordBatch {
	fill, decided := array.NewDate32Builder(memory.DefaultAllocator), array.NewDate32Builder(memory.DefaultAllocator)
	reason, key := array.NewStringBuilder(memory.DefaultAllocator), array.NewStringBuilder(memory.DefaultAllocator)
	var floats [4]*array.Float64Builder
	for i := range floats {
		floats[i] = array.NewFloat64Builder(memory.DefaultAllocator)
	}
	for _, r := range rows {
		fill.Append(arrow.Date32(r.fill))
		decided.Append(arrow.Date32(r.decided))
		reason.Append(r.reason)
		key.Append(r.key)
		for i, v := range []float64{r.turnover, r.before, r.target, r.traded} {
			floats[i].Append(v)
		}
	}
	date, text, float := arrow.FixedWidthTypes.Date32, arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64
	return table([]arrow.Field{
		{Name: "fill", Type: date}, {Name: "decided", Type: date}, {Name: "reason", Type: text}, {Name: "turnover", Type: float},
		{Name: "key", Type: text}, {Name: "before", Type: float}, {Name: "target", Type: float}, {Name: "traded", Type: float},
	}, fill.NewArray(), decided.NewArray(), reason.NewArray(), floats[0].NewArray(), key.NewArray(),
		floats[1].NewArray(), floats[2].NewArray(), floats[3].NewArray())
}

func TestEventsOf(t *testing.T) {
	t.Parallel()
	d := sample.Days(0, 1, 2)
	rows := []ledgerRow{
		{d[0], d[0], "start", 1, "A", 0, 0.6, 0.6},
		{d[0], d[0], "start", 1, "B", 0, 0.4, 0.4},
		{d[1], d[0], "schedule", 0.2, "A", 0.7, 0.6, 0.1},
		{d[1], d[0], "schedule", 0.2, "B", 0.3, 0.4, 0.1},
		{d[1], d[1], "suspended", 0.4, "B", 0.4, 0, 0.4}, // the same session, another event
		{d[2], d[2], "schedule", 0, "CASH", 1, 1, 0},
	}
	want := []Rebalance{
		{Date: d[0], Decided: d[0], Reason: "start", Turnover: 1, Trades: []Trade{{"A", 0, 0.6, 0.6}, {"B", 0, 0.4, 0.4}}},
		{Date: d[1], Decided: d[0], Reason: "schedule", Turnover: 0.2, Trades: []Trade{{"A", 0.7, 0.6, 0.1}, {"B", 0.3, 0.4, 0.1}}},
		{Date: d[1], Decided: d[1], Reason: "suspended", Turnover: 0.4, Trades: []Trade{{"B", 0.4, 0, 0.4}}},
		{Date: d[2], Decided: d[2], Reason: "schedule", Turnover: 0, Trades: []Trade{{"CASH", 1, 1, 0}}},
	}
	events, err := eventsOf(ledger(rows...))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Error(diff)
	}
	l := &eventLog{events: events}
	for _, test := range []struct {
		begin, end timeseries.Date
		from, to   int
	}{{d[0], d[2], 0, 4}, {d[1], d[1], 1, 3}, {d[2] + 1, d[2] + 9, 4, 4}, {d[0] - 9, d[0] - 1, 0, 0}, {d[2], d[0], 3, 3}} {
		if diff := cmp.Diff(want[test.from:test.to], l.Between(test.begin, test.end)); diff != "" {
			t.Errorf("from %s to %s: %s", test.begin, test.end, diff)
		}
	}
}

func TestEventsOfAnotherTable(t *testing.T) {
	t.Parallel()
	good := ledger(ledgerRow{reason: "start", key: "A"})
	columns := append([]arrow.Array(nil), good.Columns()...)
	columns[2], columns[3] = columns[3], columns[2]
	fields := good.Schema().Fields()
	fields[2], fields[3] = fields[3], fields[2]
	if _, err := eventsOf(table(fields, columns...)); err == nil || !strings.Contains(err.Error(), "unexpected columns") {
		t.Errorf("error %v", err)
	}
}

func TestDailyOfUnknownType(t *testing.T) {
	t.Parallel()
	if err := (&Daily{}).take(texts("date")); err == nil || !strings.Contains(err.Error(), "0 columns are named return") {
		t.Errorf("error %v", err)
	}
	var fields []arrow.Field
	var columns []arrow.Array
	for _, name := range coreColumns {
		fields, columns = append(fields, arrow.Field{Name: name, Type: arrow.BinaryTypes.String}), append(columns, texts(name).Column(0))
	}
	if _, err := DailyOf(table(fields, columns...)); err == nil || !strings.Contains(err.Error(), "column date is not dates") {
		t.Errorf("error %v", err)
	}
}
