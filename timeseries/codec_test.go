package timeseries

import (
	"bytes"
	"strings"
	"testing"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func encode(t interface{ Fatal(...any) }, f *Frame) []byte {
	var b bytes.Buffer
	if err := EncodeFrame(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFrameRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFrame(t)
		data := encode(t, f)
		got, err := DecodeFrame(data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(f, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		if !bytes.Equal(data, encode(t, got)) {
			t.Fatal("the frame read back is written otherwise")
		}
		shifted := append(make([]byte, 1, len(data)+1), data...)[1:]
		if got, err = DecodeFrame(shifted); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(f, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestDecodedFramePointsIntoItsData(t *testing.T) {
	f, err := Align([]Source{{Key: "A", Series: series(0, 1, .1, 2, .2)}})
	if err != nil {
		t.Fatal(err)
	}
	data := encode(t, f)
	got, err := DecodeFrame(data)
	if err != nil {
		t.Fatal(err)
	}
	at := uintptr(unsafe.Pointer(&got.Members[0].Returns[0]))
	begin := uintptr(unsafe.Pointer(&data[0]))
	if at < begin || at >= begin+uintptr(len(data)) {
		t.Error("the returns were copied")
	}
}

// file writes an Arrow file of one record with the given columns.
func file(t *testing.T, meta map[string]string, dates []arrow.Date32, returns []float64, opts ...ipc.Option) []byte {
	t.Helper()
	metadata := arrow.MetadataFrom(meta)
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "date", Type: arrow.FixedWidthTypes.Date32}, {Name: "A", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	}, &metadata)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	b.Field(0).(*array.Date32Builder).AppendValues(dates, nil)
	b.Field(1).(*array.Float64Builder).AppendValues(returns, nil)
	var out bytes.Buffer
	w, err := ipc.NewFileWriter(&out, append(opts, ipc.WithSchema(schema))...)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(b.NewRecordBatch()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestDecodeFrameRefuses(t *testing.T) {
	meta := map[string]string{keyLayout: layoutVersion, keyCalendar: "XNYS", keyBarsPerYear: "252"}
	big := make([]float64, 1000)
	long := make([]arrow.Date32, 1000)
	for i := range long {
		long[i] = arrow.Date32(i)
	}
	for _, c := range []struct {
		name, says string
		data       []byte
	}{
		{"nothing", "not an Arrow file", nil},
		{"a stump", "", file(t, meta, []arrow.Date32{1, 2}, []float64{0, .1})[:200]},
		{"another layout", "layout", file(t, map[string]string{keyCalendar: "XNYS", keyBarsPerYear: "252"}, []arrow.Date32{1}, []float64{0})},
		{"another calendar", "calendar", file(t, map[string]string{keyLayout: layoutVersion, keyCalendar: "XLON", keyBarsPerYear: "252"}, []arrow.Date32{1}, []float64{0})},
		{"dates that repeat", "not later than", file(t, meta, []arrow.Date32{1, 1}, []float64{0, .1})},
		{"a return below -1", "at least -1", file(t, meta, []arrow.Date32{1, 2}, []float64{0, -1.5})},
		{"a return on the first bar", "has no return", file(t, meta, []arrow.Date32{1, 2}, []float64{.5, .1})},
		{"a compressed body", "viewing", file(t, meta, long, big, ipc.WithZstd())},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := DecodeFrame(c.data)
			if err == nil {
				t.Fatalf("read as %d sessions", len(f.Axis))
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v does not say %q", err, c.says)
			}
		})
	}
}

// FuzzDecodeFrame checks that the decoder either fails or returns a frame that can be
// walked and encoded.
func FuzzDecodeFrame(f *testing.F) {
	for _, sources := range [][]Source{
		{{Key: "A", Series: series(0, 1, .1, 3, .2)}, {Key: "B", Series: series(2, 3, .3), Delisted: true}},
		{{Key: "C", SevenDay: true, Series: series(0)}},
	} {
		frame, err := Align(sources)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(encode(f, frame))
		frame.Outside = []Outside{NewOutside("S.K", frame.Axis, frame.Axis, frame.Axis, make([]float64, len(frame.Axis)))}
		f.Add(encode(f, frame))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		frame, err := DecodeFrame(data)
		if err != nil {
			return
		}
		for i := range frame.Members {
			m := &frame.Members[i]
			if len(m.Returns) != len(frame.Axis) {
				t.Fatalf("%d returns for %d sessions", len(m.Returns), len(frame.Axis))
			}
			for k := range frame.Axis {
				if m.HasBar(k) && (k < m.First || k > m.Last) {
					t.Fatalf("a bar on %d, outside %d to %d", k, m.First, m.Last)
				}
			}
			Index(nil, m.Returns)
		}
		for i := range frame.Outside {
			for t := range frame.Axis {
				frame.Outside[i].Known(t)
			}
		}
		var out bytes.Buffer
		if err := EncodeFrame(&out, frame); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkDecodeFrame(b *testing.B) {
	s := Series{Base: 10000}
	for i := range 5000 {
		s.Dates, s.Returns = append(s.Dates, Date(10001+i)), append(s.Returns, 0.001)
	}
	var sources []Source
	for _, k := range strings.Split("ABCDEFGHIJ", "") {
		sources = append(sources, Source{Key: k, Series: s})
	}
	f, err := Align(sources)
	if err != nil {
		b.Fatal(err)
	}
	data := encode(b, f)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := DecodeFrame(data); err != nil {
			b.Fatal(err)
		}
	}
}
