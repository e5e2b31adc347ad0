package export_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/export"
	"ballast/internal/fault"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

// small is a market made by several imports: BBB gets later bars, AAA is restated, and
// some names need quoting.
func small(t testing.TB) *market {
	t.Helper()
	m := newMarket(t)
	m.add("symbol,date,close,dividend,split\n" +
		"AAA,2019-12-30,9,0,1\nAAA,2019-12-31,10,0,1\nAAA,2020-01-02,11,0.5,1\nBBB,2019-12-31,5,0,1\nBBB,2020-01-02,5.5,0,2\n" +
		"BRK/B,2020-01-02,300,0,1\nBRK/B,2020-01-03,301,0,1\n^IDX,2020-01-02,1,0,1\n^IDX,2021-01-04,2,0,1\nEUR=X,2021-01-04,1.1,0,1\n")
	m.add("symbol,date,close\nBBB,2020-01-03,6\nBBB,2020-01-06,6.1\nD:E+F&G,2020-01-03,7\n")
	m.add("symbol,date,close,dividend,split\nAAA,2019-12-31,10.5,0,1\n")
	return m
}

// rowsOf reads an exported table as lines, with DuckDB.
func rowsOf(t testing.TB, db *duck.DB, from string) []string {
	t.Helper()
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	rows, err := c.Rows(t.Context(), "SELECT concat_ws('|', asset_id, symbol, date, coalesce(total_return::VARCHAR, '-'), coalesce(close::VARCHAR, '-'), coalesce(dividend::VARCHAR, '-'), coalesce(split::VARCHAR, '-')) FROM "+from)
	if err != nil {
		t.Fatalf("%s: %v", from, err)
	}
	defer rows.Close()
	out := []string{}
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		out = append(out, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// stored returns what the bar store's own reader and its objects contain, ordered by
// symbol and date.
func stored(t testing.TB, m *market) []string {
	t.Helper()
	objects := duck.Literal(m.dir + "/bucket/bars/*.parquet")
	symbols := m.manifest.Symbols()
	names := make([]string, 0, len(symbols))
	for s := range symbols {
		names = append(names, s)
	}
	slices.Sort(names)
	var out []string
	for _, symbol := range names {
		snapshot, err := m.manifest.ByID(t.Context(), []string{symbols[symbol]}, bars.Latest)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range snapshot.Segments {
			out = append(out, rowsOf(t, m.db, fmt.Sprintf("read_parquet(%s, filename = true) WHERE asset_id = %s AND filename LIKE %s ORDER BY date",
				objects, duck.Literal(g.AssetID), duck.Literal("%"+g.Object)))...)
		}
	}
	return out
}

func TestBarsAreTheStores(t *testing.T) {
	t.Parallel()
	m := small(t)
	want := stored(t, m)
	if len(want) != 13 {
		t.Fatalf("%d bars: %q", len(want), want)
	}
	path := duck.Literal(m.write(all(export.Bars), export.Parquet))
	if d := cmp.Diff(want, rowsOf(t, m.db, "read_parquet("+path+")")); d != "" {
		t.Error(d)
	}
	ids := m.manifest.Symbols()
	loaded, err := bars.NewReader(m.manifest, m.bucket, bars.DefaultCache).Load(t.Context(), []string{ids["AAA"]}, bars.Latest)
	if err != nil {
		t.Fatal(err)
	}
	series := loaded[ids["AAA"]]
	if n := ask(t, m.db, fmt.Sprintf("SELECT count(*) FROM read_parquet(%s) WHERE symbol = 'AAA' AND total_return = %v::DOUBLE AND date = DATE '%s'",
		path, series.Returns[1], series.Dates[1])); n != 1 {
		t.Errorf("the return of AAA on %s is not %v", series.Dates[1], series.Returns[1])
	}
}

func TestFormatsAgree(t *testing.T) {
	t.Parallel()
	m := small(t)
	parquet := rowsOf(t, m.db, "read_parquet("+duck.Literal(m.write(all(export.Bars), export.Parquet))+")")
	csv := rowsOf(t, m.db, "read_csv("+duck.Literal(m.write(all(export.Bars), export.CSV))+
		", types = {'total_return': 'DOUBLE', 'close': 'DOUBLE', 'dividend': 'DOUBLE', 'split': 'DOUBLE'})")
	if d := cmp.Diff(parquet, csv); d != "" {
		t.Error(d)
	}
	var stream bytes.Buffer
	m.to(all(export.Bars), export.Arrow, &stream)
	if !bytes.HasSuffix(stream.Bytes(), []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}) {
		t.Error("the stream lacks its end-of-stream mark")
	}
	reader, err := ipc.NewReader(&stream)
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if !reader.Schema().Equal(export.Bars.Schema()) {
		t.Errorf("schema %s", reader.Schema())
	}
	n := int64(0)
	for reader.Next() {
		n += reader.RecordBatch().NumRows()
	}
	if reader.Err() != nil || n != int64(len(parquet)) {
		t.Errorf("%d rows, %v", n, reader.Err())
	}
}

func TestPartsMakeTheWhole(t *testing.T) {
	t.Parallel()
	m := small(t)
	whole := rowsOf(t, m.db, "read_parquet("+duck.Literal(m.write(all(export.Bars), export.Parquet))+")")
	symbols := []string{}
	for s := range m.manifest.Symbols() {
		symbols = append(symbols, s)
	}
	slices.Sort(symbols)
	first, last := timeseries.NewDate(2019, time.December, 1), timeseries.NewDate(2021, time.February, 1)
	rapid.Check(t, func(rt *rapid.T) {
		cut := timeseries.Date(rapid.IntRange(int(first), int(last)).Draw(rt, "cut"))
		sets := [2][]string{}
		for _, s := range symbols {
			i := rapid.IntRange(0, 1).Draw(rt, s)
			sets[i] = append(sets[i], strings.ToLower(s))
		}
		var parts []string
		for _, set := range sets {
			if len(set) == 0 {
				continue // an empty filter selects all
			}
			for _, window := range [][2]timeseries.Date{{timeseries.NoDate, cut}, {cut + 1, timeseries.NoDate}} {
				q := export.Query{Table: export.Bars, Symbols: set, Start: window[0], End: window[1]}
				parts = append(parts, rowsOf(t, m.db, "read_parquet("+duck.Literal(m.write(q, export.Parquet))+")")...)
			}
		}
		slices.Sort(parts)
		want := slices.Clone(whole)
		slices.Sort(want)
		if d := cmp.Diff(want, parts); d != "" {
			rt.Error(d)
		}
	})
}

func TestNothingIsAWholeFileToo(t *testing.T) {
	t.Parallel()
	m := small(t)
	empty := newMarket(t)
	q := all(export.Bars)
	q.Start = timeseries.NewDate(2030, time.January, 1)
	for name, path := range map[string]string{
		"an empty window": m.write(q, export.Parquet), "an empty store": empty.write(all(export.Bars), export.Parquet),
	} {
		file, err := columnar.OpenParquet(path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if file.Rows() != 0 {
			t.Errorf("%s: %d rows", name, file.Rows())
		}
		for i, f := range export.Bars.Schema().Fields() {
			if got := file.Schema().Field(i); got.Name != f.Name || got.Type.ID() != f.Type.ID() || got.Nullable != f.Nullable {
				t.Errorf("%s: column %s, want %s", name, got, f)
			}
		}
		_ = file.Close()
		if n := len(rowsOf(t, m.db, "read_parquet("+duck.Literal(path)+")")); n != 0 {
			t.Errorf("%s: %d rows", name, n)
		}
	}
}

func TestBarsRefuse(t *testing.T) {
	t.Parallel()
	m := small(t)
	s := m.service()
	q := all(export.Bars)
	q.Symbols = []string{"AAA", "AAX", "bzz"}
	_, err := s.Open(t.Context(), "", q)
	var f *fault.Error
	if !errors.As(err, &f) || f.Type != fault.InvalidParameter || len(f.Details) != 2 || f.Details[0].Suggestion != "AAA" {
		t.Errorf("unknown symbols: %+v", err)
	}
	q = all(export.Bars)
	q.Start, q.End = 20, 10
	if _, err := s.Open(t.Context(), "", q); fault.TypeOf(err) != fault.InvalidParameter {
		t.Errorf("a window that ends before it starts: %v", err)
	}
	if _, err := s.Open(t.Context(), "", all("prices")); err == nil {
		t.Error("an unknown table is opened")
	}
}

// TestCancelLeavesNothing ends exports in the middle, by their context and by
// closing them.
func TestCancelLeavesNothing(t *testing.T) {
	m := newMarket(t)
	m.seeded(60, 2520)
	before := runtime.NumGoroutine()
	for i := range 10 {
		ctx, cancel := context.WithCancel(t.Context())
		rows, err := m.service().Open(ctx, "", all(export.Bars))
		if err != nil {
			t.Fatal(err)
		}
		if rows.Total != 60*2520 {
			t.Errorf("total %d", rows.Total)
		}
		if i%2 == 0 {
			cancel()
			if err := export.Write(ctx, io.Discard, rows, export.Parquet); !errors.Is(err, context.Canceled) {
				t.Errorf("written although canceled: %v", err)
			}
		}
		rows.Close()
		rows.Close()
		cancel()
	}
	for deadline := time.Now().Add(2 * time.Minute); runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// failing is a writer that accepts some bytes and then fails.
type failing struct {
	left int
	got  bytes.Buffer
}

var errFull = errors.New("full")

func (w *failing) Write(b []byte) (int, error) {
	n := min(len(b), w.left)
	w.left -= n
	w.got.Write(b[:n])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

func TestAPartIsNotTheWhole(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.seeded(20, 2520)
	for _, bytesLeft := range []int{0, 4, 1000, 200_000} {
		w := &failing{left: bytesLeft}
		rows, err := m.service().Open(t.Context(), "", all(export.Bars))
		if err != nil {
			t.Fatal(err)
		}
		if err := export.Write(t.Context(), w, rows, export.Parquet); !errors.Is(err, errFull) {
			t.Errorf("after %d bytes: %v", bytesLeft, err)
		}
		rows.Close()
		if _, err := columnar.NewParquetFile(bytes.NewReader(w.got.Bytes()), int64(w.got.Len())); err == nil {
			t.Errorf("%d bytes are a file", bytesLeft)
		}
	}
}

// TestMemoryIsBounded exports a table several times larger than the allowed growth of
// the heap.
func TestMemoryIsBounded(t *testing.T) {
	m := newMarket(t)
	m.seeded(400, 2520)
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	base := heap()
	w := &sampling{}
	m.to(all(export.Bars), export.Arrow, w)
	const table, bound = 80 << 20, 40 << 20
	if w.bytes < table {
		t.Errorf("the table has %d bytes only", w.bytes)
	}
	if grown := int64(w.peak) - int64(base); grown > bound {
		t.Errorf("the heap grew by %d MB", grown>>20)
	} else {
		t.Logf("%d MB written, the heap grew by %d MB", w.bytes>>20, grown>>20)
	}
}

// sampling is a writer that records the largest size of the heap during writes.
type sampling struct {
	bytes int64
	peak  uint64
}

func (w *sampling) Write(b []byte) (int, error) {
	w.bytes += int64(len(b))
	if len(b) > 1<<12 {
		w.peak = max(w.peak, heap())
	}
	return len(b), nil
}

func heap() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

func TestExportsAtOnce(t *testing.T) {
	t.Parallel()
	m := small(t)
	s := export.NewService(export.Config{Bars: m.store(), Symbols: m.store(), Bucket: m.bucket, AtOnce: 2})
	first, err := s.Open(t.Context(), "alice", all(export.Bars))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(t.Context(), "alice", all(export.Bars)); fault.TypeOf(err) != fault.RateLimited {
		t.Errorf("a second of one account: %v", err)
	}
	second, err := s.Open(t.Context(), "bob", all(export.Bars))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Open(ctx, "carol", all(export.Bars)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a third at a time: %v", err)
	}
	first.Close()
	second.Close()
	unknown := all(export.Bars)
	unknown.Symbols = []string{"NONE"}
	for range 5 { // an export that is refused leaves its slot
		if _, err := s.Open(t.Context(), "alice", unknown); fault.TypeOf(err) != fault.InvalidParameter {
			t.Error(err)
		}
	}
	again, err := s.Open(t.Context(), "alice", all(export.Bars))
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}
