package timeseries

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// A column from outside is two columns of lists with its key as their name: the dates
// and the values that become known at each session.
var (
	datesType  = arrow.ListOfNonNullable(arrow.FixedWidthTypes.Date32)
	valuesType = arrow.ListOfNonNullable(arrow.PrimitiveTypes.Float64)
)

// encode appends the column's two fields, without copying.
func (o *Outside) encode(fields *[]arrow.Field, columns *[]arrow.Array) {
	*fields = append(*fields, arrow.Field{Name: o.Key, Type: datesType}, arrow.Field{Name: o.Key, Type: valuesType})
	*columns = append(*columns,
		o.list(datesType, column(arrow.FixedWidthTypes.Date32, len(o.Dates), nil, bytesOf(o.Dates), 0)),
		o.list(valuesType, column(arrow.PrimitiveTypes.Float64, len(o.Values), nil, bytesOf(o.Values), 0)))
}

func (o *Outside) list(t arrow.DataType, elements arrow.Array) arrow.Array {
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(bytesOf(o.Ends))}
	return array.MakeFromData(array.NewData(t, len(o.Ends)-1, buffers, []arrow.ArrayData{elements.Data()}, 0, 0))
}

// listsAt returns the position of the first column of lists, or the number of columns.
func listsAt(schema *arrow.Schema) int {
	for i, field := range schema.Fields() {
		if field.Type.ID() == arrow.LIST {
			return i
		}
	}
	return schema.NumFields()
}

// outsideOf reads the columns of lists, which begin at column at.
func outsideOf(record arrow.RecordBatch, at int) ([]Outside, error) {
	n := int(record.NumCols()) - at
	if n == 0 {
		return nil, nil
	}
	out := make([]Outside, 0, n/2)
	seen := map[string]bool{}
	for ; n >= 2; n -= 2 {
		key := record.ColumnName(at)
		if key == "" || seen[key] || record.ColumnName(at+1) != key {
			return nil, fmt.Errorf("the name of column %q from outside is empty or does not appear exactly twice", key)
		}
		seen[key] = true
		o, err := outsideColumn(record.Column(at), record.Column(at+1), int(record.NumRows()))
		if err != nil {
			return nil, fmt.Errorf("column %q from outside: %w", key, err)
		}
		o.Key = key
		out = append(out, o)
		at += 2
	}
	if n != 0 {
		return nil, errors.New("a column from outside has dates but no values")
	}
	return out, nil
}

// outsideColumn checks two columns of lists and returns them as views.
func outsideColumn(dates, values arrow.Array, rows int) (o Outside, err error) {
	d, ok1 := dates.(*array.List)
	v, ok2 := values.(*array.List)
	if !ok1 || !ok2 {
		return o, errors.New("not two columns of lists")
	}
	days, ok1 := d.ListValues().(*array.Date32)
	numbers, ok2 := v.ListValues().(*array.Float64)
	if !ok1 || !ok2 || days.NullN() != 0 || numbers.NullN() != 0 {
		return o, errors.New("not lists of dates and of numbers")
	}
	if o.Ends, err = endsOf(d, rows, days.Len()); err != nil {
		return o, err
	}
	other, err := endsOf(v, rows, numbers.Len())
	if err != nil {
		return o, err
	}
	for t, end := range o.Ends {
		if other[t] != end {
			return o, fmt.Errorf("session %d has another number of dates than of values", t)
		}
	}
	raw := days.Date32Values()
	o.Dates = unsafe.Slice((*Date)(unsafe.Pointer(unsafe.SliceData(raw))), len(raw))
	o.Values = numbers.Float64Values()
	if n := int(o.Ends[rows]); n != len(o.Dates) || n != len(o.Values) {
		return o, errors.New("it has values that no session knows")
	}
	if uintptr(unsafe.Pointer(unsafe.SliceData(o.Dates)))%4 != 0 || uintptr(unsafe.Pointer(unsafe.SliceData(o.Values)))%8 != 0 {
		return o, errors.New("its elements are not aligned")
	}
	return o, o.check()
}

// endsOf returns the offsets of a column of lists.
func endsOf(list *array.List, rows, elements int) ([]int32, error) {
	offsets := list.Offsets()
	if list.Len() != rows || list.NullN() != 0 || list.Data().Offset() != 0 || len(offsets) < rows+1 {
		return nil, errors.New("not one list per session")
	}
	ends := offsets[: rows+1 : rows+1]
	if uintptr(unsafe.Pointer(unsafe.SliceData(ends)))%4 != 0 || ends[0] != 0 {
		return nil, errors.New("its lists do not begin with the first element")
	}
	for t := 1; t <= rows; t++ {
		if ends[t] < ends[t-1] || int(ends[t]) > elements {
			return nil, fmt.Errorf("the list of session %d is outside its elements", t-1)
		}
	}
	return ends, nil
}

// check returns an error for dates that do not ascend and for values that are not finite.
func (o *Outside) check() error {
	for i, v := range o.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("value %d is %v", i, v)
		}
		if i > 0 && o.Dates[i] <= o.Dates[i-1] {
			return fmt.Errorf("date %d is not later than the one before it", i)
		}
	}
	return nil
}
