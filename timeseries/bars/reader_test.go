package bars_test

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"ballast/storage/columnar"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

// market is a bar store that is written without an importer.
type market struct {
	t      testing.TB
	dir    string
	store  *bars.Memory
	bucket columnar.Bucket
}

func newMarket(t testing.TB) *market {
	t.Helper()
	m := &market{t: t, dir: t.TempDir(), store: bars.NewMemory()}
	var err error
	if m.bucket, err = columnar.OpenBucket(t.Context(), m.dir, columnar.BucketOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.bucket.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// stretch is consecutive bars of one asset; NaN is a null.
type stretch struct {
	symbol  string
	first   timeseries.Date
	returns []float64
}

var schema = arrow.NewSchema([]arrow.Field{
	{Name: "symbol", Type: arrow.BinaryTypes.String},
	{Name: "date", Type: arrow.FixedWidthTypes.Date32},
	{Name: "total_return", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
}, nil)

// rowGroupRows is the number of rows after which a row group ends, as in the objects of
// imports.
const rowGroupRows = 4096

// add commits stretches as one object, in place of the removed segments, and returns the
// new segments.
func (m *market) add(removed []bars.Ref, stretches ...stretch) []bars.Segment {
	m.t.Helper()
	change := bars.Change{Base: bars.Version(len(m.store.Records())), Removed: removed}
	key := fmt.Sprintf("%s%d.parquet", bars.Prefix, change.Base+1)
	err := m.bucket.Put(m.t.Context(), key, func(w io.Writer) error {
		file, err := columnar.NewWriter(w, schema, columnar.WriteOptions{Compression: columnar.Zstd})
		if err != nil {
			return err
		}
		at := bars.Ref{Object: key}
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		defer b.Release()
		for i, s := range stretches {
			s.appendTo(b)
			id, last, rows := "asset_"+s.symbol, s.first+timeseries.Date(len(s.returns))-1, int64(len(s.returns))
			change.Assets = append(change.Assets, bars.Asset{ID: id, Symbol: s.symbol, First: s.first, Last: last, Rows: rows})
			change.Added = append(change.Added, bars.Segment{Ref: at, AssetID: id, Rows: rows, First: s.first, Last: last})
			if at.Offset += rows; at.Offset < rowGroupRows && i < len(stretches)-1 {
				continue
			}
			record := b.NewRecordBatch()
			err := file.WriteRowGroup(record)
			record.Release()
			if err != nil {
				return err
			}
			at.RowGroup, at.Offset = at.RowGroup+1, 0
		}
		return file.Close()
	})
	if err != nil {
		m.t.Fatal(err)
	}
	if _, err := m.store.Commit(m.t.Context(), change); err != nil {
		m.t.Fatal(err)
	}
	return change.Added
}

func (s stretch) appendTo(b *array.RecordBuilder) {
	for i, r := range s.returns {
		b.Field(0).(*array.StringBuilder).Append(s.symbol)
		b.Field(1).(*array.Date32Builder).Append(arrow.Date32(s.first + timeseries.Date(i)))
		if math.IsNaN(r) {
			b.Field(2).AppendNull()
		} else {
			b.Field(2).(*array.Float64Builder).Append(r)
		}
	}
}

// load reads a symbol with a new reader and with one that has read everything before.
// Both must agree.
func (m *market) load(warm *bars.Reader, symbol string, version bars.Version) timeseries.Series {
	m.t.Helper()
	var series []timeseries.Series
	for _, reader := range []*bars.Reader{bars.NewReader(m.store, m.bucket, 0), warm, warm} {
		loaded, err := reader.Load(m.t.Context(), []string{"asset_" + symbol}, version)
		if err != nil {
			m.t.Fatal(err)
		}
		series = append(series, loaded["asset_"+symbol])
	}
	for _, s := range series[1:] {
		if d := cmp.Diff(series[0], s); d != "" {
			m.t.Errorf("%s at version %d (-cold +warm):\n%s", symbol, version, d)
		}
	}
	return series[0]
}

var none = math.NaN()

func TestLoad(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	first := timeseries.NewDate(2024, time.January, 1)
	one := m.add(nil, stretch{"A", first, []float64{none, 0.1, 0.2}}, stretch{"B", first, []float64{none, 0.3}})
	m.add(nil, stretch{"A", first + 3, []float64{0.4, 0.5}})
	m.add([]bars.Ref{one[1].Ref}, stretch{"B", first + 1, []float64{none, 0.6}})
	warm := bars.NewReader(m.store, m.bucket, bars.DefaultCache)
	series := func(base timeseries.Date, returns ...float64) timeseries.Series {
		s := timeseries.Series{Base: base, Returns: returns}
		for i := range returns {
			s.Dates = append(s.Dates, base+timeseries.Date(i)+1)
		}
		return s
	}
	for _, test := range []struct {
		symbol  string
		version bars.Version
		want    timeseries.Series
	}{
		{"A", 1, series(first, 0.1, 0.2)},
		{"A", 2, series(first, 0.1, 0.2, 0.4, 0.5)},
		{"A", bars.Latest, series(first, 0.1, 0.2, 0.4, 0.5)},
		{"B", 2, series(first, 0.3)},
		{"B", 3, series(first+1, 0.6)},
		{"B", bars.Latest, series(first+1, 0.6)},
	} {
		if d := cmp.Diff(test.want, m.load(warm, test.symbol, test.version)); d != "" {
			t.Errorf("%s at version %d (-want +got):\n%s", test.symbol, test.version, d)
		}
	}
	if counts := warm.Cached(); counts.Hits == 0 || counts.Misses == 0 || counts.Bytes == 0 {
		t.Errorf("cache: %+v", counts)
	}
}

func TestLoadOfNothing(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	first := timeseries.NewDate(2024, time.January, 1)
	m.add(nil, stretch{"A", first, []float64{none}})
	m.add(nil, stretch{"B", first, []float64{none}})
	warm := bars.NewReader(m.store, m.bucket, bars.DefaultCache)
	if s := m.load(warm, "B", 1); !s.Empty() {
		t.Errorf("B at version 1 = %+v, want no bars", s)
	}
	if s := m.load(warm, "A", bars.Latest); s.Base != first || len(s.Returns) != 0 {
		t.Errorf("A = %+v, want its base alone", s)
	}
	loaded, err := warm.Load(t.Context(), []string{"asset_none"}, bars.Latest)
	if err != nil || len(loaded) != 0 {
		t.Errorf("an unknown asset: %v, %v", loaded, err)
	}
}

// TestDamage reads objects whose content differs from the manifest.
func TestDamage(t *testing.T) {
	t.Parallel()
	first := timeseries.NewDate(2024, time.January, 1)
	for _, test := range []struct {
		name    string
		segment func(*bars.Segment)
		returns []float64
		want    string
	}{
		{"other rows", func(g *bars.Segment) { g.Offset, g.Rows = 1, 2 }, []float64{none, 0.1, 0.2}, "does not match the manifest"},
		{"other dates", func(g *bars.Segment) { g.First-- }, []float64{none, 0.1}, "does not match the manifest"},
		{"another row group", func(g *bars.Segment) { g.RowGroup = 7 }, []float64{none, 0.1}, "row group 7"},
		{"another object", func(g *bars.Segment) { g.Object = "bars/none.parquet" }, []float64{none, 0.1}, "bars/none.parquet"},
		{"a hole in the returns", func(*bars.Segment) {}, []float64{none, none, 0.1}, "2024-01-02"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := newMarket(t)
			whole := m.add(nil, stretch{"A", first, test.returns})[0]
			told := whole
			test.segment(&told)
			a := bars.Asset{ID: told.AssetID, Symbol: "A", First: told.First, Last: told.Last, Rows: told.Rows}
			if _, err := m.store.Commit(t.Context(), bars.Change{Base: 1, Assets: []bars.Asset{a}, Removed: []bars.Ref{whole.Ref}, Added: []bars.Segment{told}}); err != nil {
				t.Fatal(err)
			}
			_, err := bars.NewReader(m.store, m.bucket, bars.DefaultCache).Load(t.Context(), []string{told.AssetID}, bars.Latest)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "A") {
				t.Errorf("err = %v, want %q", err, test.want)
			}
		})
	}
}

// TestSegmentsThatDoNotFit reads segments that overlap, and one that begins without a
// return in the middle of a series.
func TestSegmentsThatDoNotFit(t *testing.T) {
	t.Parallel()
	first := timeseries.NewDate(2024, time.January, 1)
	for name, second := range map[string]stretch{
		"overlap":     {"A", first + 1, []float64{0.1, 0.2}},
		"second base": {"A", first + 2, []float64{none, 0.2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMarket(t)
			m.add(nil, stretch{"A", first, []float64{none, 0.1}})
			m.add(nil, second)
			_, err := bars.NewReader(m.store, m.bucket, 0).Load(t.Context(), []string{"asset_A"}, bars.Latest)
			if err == nil || !strings.Contains(err.Error(), second.first.String()) {
				t.Errorf("err = %v, want one that names %s", err, second.first)
			}
		})
	}
}

// BenchmarkLoad reads 10 of 300 assets with 10 years of bars each.
func BenchmarkLoad(b *testing.B) {
	m := newMarket(b)
	var all []stretch
	for i := range 300 {
		s := stretch{fmt.Sprintf("S%03d", i), timeseries.NewDate(2014, time.January, 1), []float64{none}}
		for k := range 2520 {
			s.returns = append(s.returns, math.Sin(float64(i+k))/100)
		}
		all = append(all, s)
	}
	m.add(nil, all...)
	var ids []string
	for i := range 10 {
		ids = append(ids, fmt.Sprintf("asset_S%03d", 29*i))
	}
	for name, size := range map[string]int64{"cold": 0, "footers": bars.DefaultCache, "cached": bars.DefaultCache} {
		b.Run(name, func(b *testing.B) {
			r := bars.NewReader(m.store, m.bucket, size)
			var rows int
			for b.Loop() {
				if name == "footers" {
					r.Forget()
				}
				loaded, err := r.Load(b.Context(), ids, bars.Latest)
				if err != nil {
					b.Fatal(err)
				}
				rows = 0
				for _, s := range loaded {
					rows += len(s.Returns)
				}
			}
			b.ReportMetric(float64(rows), "rows")
		})
	}
}
