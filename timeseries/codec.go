package timeseries

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// An encoded frame is an Arrow IPC file with one record batch: a date32 column with
// this name, one float64 column per member, whose validity bitmap is Bars, two columns
// of lists per column from outside (codec_outside.go), and the metadata below.
const (
	dateColumn     = "date"
	keyLayout      = "ballast.frame"
	layoutVersion  = "1"
	keyCalendar    = "calendar"
	keyBarsPerYear = "bars_per_year"
	keyDelisted    = "delisted"
	keySevenDay    = "seven_day"
	flagSet        = "true"
)

// EncodeFrame writes f as an Arrow IPC file, without copying the columns.
func EncodeFrame(w io.Writer, f *Frame) error {
	rows := len(f.Axis)
	fields := make([]arrow.Field, 1, len(f.Members)+1)
	columns := make([]arrow.Array, 1, len(f.Members)+1)
	fields[0] = arrow.Field{Name: dateColumn, Type: arrow.FixedWidthTypes.Date32}
	columns[0] = column(arrow.FixedWidthTypes.Date32, rows, nil, bytesOf(f.Axis), 0)
	for i := range f.Members {
		m := &f.Members[i]
		flags := map[string]string{}
		if m.Delisted {
			flags[keyDelisted] = flagSet
		}
		if m.SevenDay {
			flags[keySevenDay] = flagSet
		}
		fields = append(fields, arrow.Field{
			Name: m.Key, Type: arrow.PrimitiveTypes.Float64, Nullable: true, Metadata: arrow.MetadataFrom(flags),
		})
		columns = append(columns, column(arrow.PrimitiveTypes.Float64, rows, m.Bars, bytesOf(m.Returns), rows-countBits(m.Bars, rows)))
	}
	for i := range f.Outside {
		f.Outside[i].encode(&fields, &columns)
	}
	metadata := arrow.NewMetadata(
		[]string{keyLayout, keyCalendar, keyBarsPerYear},
		[]string{layoutVersion, f.Calendar, strconv.Itoa(f.BarsPerYear)})
	schema := arrow.NewSchema(fields, &metadata)
	record := array.NewRecordBatch(schema, columns, int64(rows))
	defer record.Release()

	buffered := bufio.NewWriterSize(w, 1<<16)
	out, err := ipc.NewFileWriter(buffered, ipc.WithSchema(schema))
	if err != nil {
		return fmt.Errorf("encode frame: %w", err)
	}
	if err := errors.Join(out.Write(record), out.Close(), buffered.Flush()); err != nil {
		return fmt.Errorf("encode frame: %w", err)
	}
	return nil
}

func column(t arrow.DataType, rows int, bitmap, values []byte, nulls int) arrow.Array {
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(values)}
	if bitmap != nil {
		buffers[0] = memory.NewBufferBytes(bitmap)
	}
	return array.MakeFromData(array.NewData(t, rows, buffers, nil, nulls, 0))
}

// bytesOf returns the memory of numbers as bytes.
func bytesOf[T Date | float64 | int32](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(v[0])))
}

// DecodeFrame reads the output of EncodeFrame. The frame points into data, which must
// not change during the frame's lifetime (a mapped file, a sealed memory region). Data
// is copied only if its address is not a multiple of 8. Data is not trusted: layout,
// lengths, the order of dates and every return are checked, and an error says what is
// wrong.
func DecodeFrame(data []byte) (f *Frame, err error) {
	defer func() {
		// The flatbuffers library checks no bounds, so an offset out of range panics.
		if p := recover(); p != nil {
			f, err = nil, fmt.Errorf("decode frame: malformed: %v", p)
		}
	}()
	if uintptr(unsafe.Pointer(unsafe.SliceData(data)))%8 != 0 {
		aligned := make([]float64, (len(data)+7)/8)
		copied := bytesOf(aligned)[:len(data)]
		copy(copied, data)
		data = copied
	}
	record, err := readRecord(data)
	if err != nil {
		return nil, fmt.Errorf("decode frame: %w", err)
	}
	if f, err = frameOf(record); err != nil {
		return nil, fmt.Errorf("decode frame: %w", err)
	}
	return f, nil
}

func readRecord(data []byte) (arrow.RecordBatch, error) {
	if !bytes.HasPrefix(data, ipc.Magic) {
		return nil, errors.New("not an Arrow file")
	}
	if err := checkCounts(data); err != nil {
		return nil, err
	}
	r, err := ipc.NewMappedFileReader(data, ipc.WithAllocator(noAllocator{}),
		ipc.WithEnsureNativeEndian(false), ipc.WithBodySizeLimit(int64(len(data))))
	if err != nil {
		return nil, err
	}
	if !r.Schema().IsNativeEndian() {
		return nil, errors.New("the byte order is that of another machine")
	}
	return r.RecordBatchAt(0)
}

// frameOf returns a record as a frame that shares its memory.
func frameOf(record arrow.RecordBatch) (*Frame, error) {
	schema, rows := record.Schema(), int(record.NumRows())
	value := func(key string) string {
		v, _ := schema.Metadata().GetValue(key)
		return v
	}
	if v := value(keyLayout); v != layoutVersion {
		return nil, fmt.Errorf("the layout is %q; %q is supported", v, layoutVersion)
	}
	lists := listsAt(schema)
	f := &Frame{Members: make([]Member, lists-1), Calendar: value(keyCalendar)}
	switch {
	case f.Calendar == "XNYS" && value(keyBarsPerYear) == "252":
		f.BarsPerYear = 252
	case f.Calendar == "24/7" && value(keyBarsPerYear) == "365":
		f.BarsPerYear = 365
	default:
		return nil, fmt.Errorf("unknown calendar %q with %q bars per year", f.Calendar, value(keyBarsPerYear))
	}
	dates, ok := record.Column(0).(*array.Date32)
	if !ok || lists < 1 || schema.Field(0).Name != dateColumn || dates.Len() != rows || dates.NullN() != 0 {
		return nil, errors.New("the first column does not hold dates")
	}
	values := dates.Date32Values()
	f.Axis = unsafe.Slice((*Date)(unsafe.Pointer(unsafe.SliceData(values))), rows)
	if err := checkAxis(f.Axis); err != nil {
		return nil, err
	}
	seen := make(map[string]bool, len(f.Members))
	for i := range f.Members {
		field := schema.Field(i + 1)
		if field.Name == "" || seen[field.Name] {
			return nil, fmt.Errorf("the name of member %q is empty or appears twice", field.Name)
		}
		seen[field.Name] = true
		m, err := memberOf(field, record.Column(i+1), rows)
		if err != nil {
			return nil, fmt.Errorf("member %q: %w", field.Name, err)
		}
		f.Members[i] = m
	}
	var err error
	f.Outside, err = outsideOf(record, lists)
	return f, err
}

func checkAxis(axis []Date) error {
	if uintptr(unsafe.Pointer(unsafe.SliceData(axis)))%4 != 0 {
		return errors.New("the dates are not aligned")
	}
	for t := 1; t < len(axis); t++ {
		if axis[t] <= axis[t-1] {
			return fmt.Errorf("date %d is not later than the one before it", t)
		}
	}
	if len(axis) > 0 && axis[0] == NoDate {
		return errors.New("the first date is missing")
	}
	return nil
}

func memberOf(field arrow.Field, values arrow.Array, rows int) (Member, error) {
	column, ok := values.(*array.Float64)
	if !ok || column.Len() != rows || column.Data().Offset() != 0 {
		return Member{}, errors.New("not a column with one number per date")
	}
	m := Member{Key: field.Name, Returns: slices.Clip(column.Float64Values()), Bars: slices.Clip(column.NullBitmapBytes())}
	if uintptr(unsafe.Pointer(unsafe.SliceData(m.Returns)))%8 != 0 {
		return Member{}, errors.New("the returns are not aligned")
	}
	width := (rows + 7) / 8
	switch {
	case column.NullN() == 0: // Arrow omits the bitmap
		m.Bars = make([]byte, width)
		setBits(m.Bars, 0, rows)
	case len(m.Bars) < width:
		return Member{}, fmt.Errorf("the bitmap has %d bytes for %d dates", len(m.Bars), rows)
	}
	m.Bars = m.Bars[:width:width]
	m.First, m.Last = bounds(m.Bars, rows)
	flag := func(key string) bool {
		v, ok := field.Metadata.GetValue(key)
		return ok && v == flagSet
	}
	m.Delisted = flag(keyDelisted) && m.First >= 0
	m.SevenDay = flag(keySevenDay)
	return m, m.checkReturns()
}

// checkReturns returns an error for a return below −1 or not finite, and for a return
// without a bar or on the first bar.
func (m *Member) checkReturns() error {
	for t, r := range m.Returns {
		if !(r >= -1 && r <= math.MaxFloat64) {
			return fmt.Errorf("return %d is %v; it must be a finite number, at least -1", t, r)
		}
		if r != 0 && (t <= m.First || !m.HasBar(t)) {
			return fmt.Errorf("return %d is %v, but its session has no return", t, r)
		}
	}
	return nil
}

// noAllocator rejects every allocation. A frame shares the memory of its data, so only
// a compressed or byte-swapped body would allocate, and it is rejected before that.
type noAllocator struct{}

func (noAllocator) Allocate(int) []byte           { panic("the body is not laid out for viewing") }
func (noAllocator) Reallocate(int, []byte) []byte { panic("the body is not laid out for viewing") }
func (noAllocator) Free([]byte)                   {}
