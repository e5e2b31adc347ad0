package history

import (
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"ballast/storage/columnar"
	"ballast/timeseries"
)

// DayTable is the per-day blocks as one table: a column of dates, and one column of
// numbers per key, with NaN for missing values.
type DayTable struct {
	Dates   []timeseries.Date
	Names   []string
	Columns [][]float64
	About   []byte // JSON of everything that is not per day, for formats with metadata; nil if there is none
}

// AboutKey is the key of DayTable.About in the schema metadata of Arrow and Parquet.
const AboutKey = "ballast"

// Table puts the per-day blocks side by side. Columns are named block.KEY; columns of
// the tree by the path of keys below the root, separated by slashes.
func (h *History) Table() *DayTable {
	t := &DayTable{Dates: h.Dates}
	if h.Returns != nil {
		t.add("returns", h.Returns)
	}
	if a := h.Allocation; a != nil {
		for i, key := range a.Keys {
			t.add("allocation."+key, a.Weights[i])
		}
	}
	if h.Tree != nil {
		t.addNodes("tree.", h.Tree.Children)
	}
	if c := h.Custom; c != nil {
		for i, key := range c.Series.Keys {
			t.add("custom."+key, c.Series.Values[i])
		}
	}
	if h.Fees != nil {
		t.add("fees.returns", h.Fees.Returns)
	}
	if c := h.Contribution; c != nil {
		for i, key := range c.Keys {
			t.add("contribution."+key, c.Values[i])
		}
		t.add("contribution.total", c.Total)
	}
	return t
}

func (t *DayTable) addNodes(path string, nodes []*Node) {
	for _, n := range nodes {
		t.add(path+n.Key, n.Weights)
		t.addNodes(path+n.Key+"/", n.Children)
	}
}

// add adds a column. If the name is taken, which only happens with names chosen to
// collide, it gets an underscore.
func (t *DayTable) add(name string, values []float64) {
	for _, taken := range t.Names {
		if taken == name {
			name += "_"
		}
	}
	t.Names, t.Columns = append(t.Names, name), append(t.Columns, values)
}

// record returns the table as Arrow, sharing the memory of the columns.
func (t *DayTable) record() arrow.RecordBatch {
	n := len(t.Dates)
	dates := array.NewDate32Builder(memory.DefaultAllocator)
	defer dates.Release()
	dates.Reserve(n)
	for _, d := range t.Dates {
		dates.UnsafeAppend(arrow.Date32(d))
	}
	fields := []arrow.Field{{Name: "date", Type: arrow.FixedWidthTypes.Date32}}
	columns := []arrow.Array{dates.NewArray()}
	for i, name := range t.Names {
		column, nulls := numberColumn(t.Columns[i])
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: nulls})
		columns = append(columns, column)
	}
	var about *arrow.Metadata
	if t.About != nil {
		m := arrow.NewMetadata([]string{AboutKey}, []string{string(t.About)})
		about = &m
	}
	r := array.NewRecordBatch(arrow.NewSchema(fields, about), columns, int64(n))
	for _, c := range columns {
		c.Release()
	}
	return r
}

// numberColumn returns an array that shares the memory of values and whose NaNs are
// null.
func numberColumn(values []float64) (column arrow.Array, nullable bool) {
	var bits *memory.Buffer
	missing := 0
	for i, v := range values {
		if !math.IsNaN(v) {
			continue
		}
		if bits == nil {
			valid := make([]byte, bitutil.BytesForBits(int64(len(values))))
			bitutil.SetBitsTo(valid, 0, int64(len(values)), true)
			bits = memory.NewBufferBytes(valid)
		}
		bitutil.ClearBit(bits.Bytes(), i)
		missing++
	}
	buffers := []*memory.Buffer{bits, memory.NewBufferBytes(arrow.Float64Traits.CastToBytes(values))}
	data := array.NewData(arrow.PrimitiveTypes.Float64, len(values), buffers, nil, missing, 0)
	defer data.Release()
	return array.NewFloat64Data(data), missing > 0
}

// WriteArrow writes the table as an Arrow IPC stream with one record.
func (t *DayTable) WriteArrow(w io.Writer) error {
	r := t.record()
	defer r.Release()
	stream := ipc.NewWriter(w, ipc.WithSchema(r.Schema()))
	if err := stream.Write(r); err != nil {
		return fmt.Errorf("write Arrow: %w", err)
	}
	if err := stream.Close(); err != nil {
		return fmt.Errorf("write Arrow: %w", err)
	}
	return nil
}

// WriteParquet writes the table as a Parquet file with one row group.
func (t *DayTable) WriteParquet(w io.Writer) error {
	r := t.record()
	defer r.Release()
	return columnar.WriteParquet(w, r, columnar.WriteOptions{})
}
