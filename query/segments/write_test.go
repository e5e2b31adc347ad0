package segments_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"ballast/backtest"
	"ballast/query/segments"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// sample is an invented result: two assets and cash, a value that the script recorded
// every second day, a trade every tenth day.
type sample struct {
	run   segments.Run
	start timeseries.Date
	days  int
}

func (s sample) date(t int) arrow.Date32 { return arrow.Date32(s.start) + arrow.Date32(t) }
func (s sample) value(t, column int) float64 {
	return math.Sin(float64(t*7+column) + float64(s.start))
}

// store writes the two files of a run.
func (s sample) store(t testing.TB, bucket columnar.Bucket) {
	t.Helper()
	names := []string{"date", "return", "equity", "gross_exposure", "traded", "weight.A", "weight.B", "weight.CASH", "contribution.A", "contribution.CASH", "custom.note"}
	fields := make([]arrow.Field, len(names))
	for i, name := range names {
		fields[i] = arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true}
	}
	fields[0].Type = arrow.FixedWidthTypes.Date32
	daily := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	ledger := array.NewRecordBuilder(memory.DefaultAllocator, backtest.LedgerSchema)
	for day := range s.days {
		daily.Field(0).(*array.Date32Builder).Append(s.date(day))
		for c := 1; c < len(names); c++ {
			b := daily.Field(c).(*array.Float64Builder)
			if s.isNull(day, c) {
				b.AppendNull()
			} else {
				b.Append(s.value(day, c))
			}
		}
		if day%10 == 0 {
			ledger.Field(0).(*array.Date32Builder).Append(s.date(day))
			ledger.Field(1).(*array.Date32Builder).Append(s.date(day) - 1)
			ledger.Field(2).(*array.StringBuilder).Append("schedule")
			ledger.Field(3).(*array.Float64Builder).Append(0.5)
			ledger.Field(4).(*array.StringBuilder).Append("A")
			for c := 5; c < 8; c++ {
				ledger.Field(c).(*array.Float64Builder).Append(s.value(day, c))
			}
		}
	}
	for key, b := range map[string]*array.RecordBuilder{s.run.Daily: daily, s.run.Ledger: ledger} {
		must(t, bucket.Put(t.Context(), key, func(w io.Writer) error {
			return columnar.WriteParquet(w, b.NewRecordBatch(), columnar.WriteOptions{})
		}))
	}
}

// isNull lists which values a result lacks: those of the base date, and recorded values on
// days without one.
func (s sample) isNull(day, column int) bool {
	return day == 0 && (column == 1 || column == 8 || column == 9) || column == 10 && day%2 == 1
}

// rows returns the rows that a table must have for the sample, without model and run.
func (s sample) rows(t segments.Table) []string {
	var out []string
	add := func(values ...any) { out = append(out, s.run.ModelID+" "+s.run.ID+" "+fmt.Sprintln(values...)) }
	keyed := func(day int, keys map[int]string) {
		for _, c := range []int{5, 6, 7, 8, 9, 10} {
			if key, ok := keys[c]; ok && !s.isNull(day, c) {
				add(s.date(day), key, s.value(day, c))
			}
		}
	}
	peak := math.Inf(-1)
	for day := range s.days {
		switch t {
		case segments.Returns:
			peak = max(peak, s.value(day, 2))
			var r any = s.value(day, 1)
			if day == 0 {
				r = "null"
			}
			add(s.date(day), r, s.value(day, 2), s.value(day, 3), s.value(day, 4), peak)
		case segments.Weights:
			keyed(day, map[int]string{5: "A", 6: "B", 7: "CASH"})
		case segments.Contributions:
			keyed(day, map[int]string{8: "A", 9: "CASH"})
		case segments.Diagnostics:
			keyed(day, map[int]string{10: "note"})
		case segments.Trades:
			if day%10 == 0 {
				add(s.date(day), s.date(day)-1, "schedule", "A", s.value(day, 5), s.value(day, 6), s.value(day, 7), 0.5)
			}
		}
	}
	return out
}

// samples have different lengths and starts; the second run belongs to the first model.
func samples() []sample {
	day := timeseries.NewDate(2003, time.November, 3)
	var all []sample
	for i, days := range []int{900, 40, 1, 2500, 366} {
		model := max(1, i)
		run := fmt.Sprintf("run_%032x", 9-i)
		all = append(all, sample{
			run:   segments.Run{ID: run, ModelID: fmt.Sprintf("model_%032x", model), Daily: "runs/" + run + ".daily.parquet", Ledger: "runs/" + run + ".ledger.parquet"},
			start: day + timeseries.Date(i*100), days: days,
		})
	}
	return all
}

// TestWriteKeepsEveryRow compares the long tables with the numbers from which the runs'
// own files were written, with one group of models and with one group per run.
func TestWriteKeepsEveryRow(t *testing.T) {
	bucket, runs := stored(t)
	for _, bytes := range []int{1, 1 << 20, 48 << 20} {
		segments.SetGroupBytes(t, bytes)
		for _, table := range segments.Tables {
			t.Run(fmt.Sprintf("%s in groups of %d bytes", table, bytes), func(t *testing.T) {
				want := map[string]int{}
				for _, s := range samples() {
					for _, row := range s.rows(table) {
						want[row]++
					}
				}
				got := map[string]int{}
				for _, row := range written(t, bucket, table, runs) {
					got[row]++
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestWriteTellsWhichRunIsMissing(t *testing.T) {
	bucket, runs := stored(t)
	runs[1].Daily = "runs/nowhere"
	err := segments.Write(t.Context(), io.Discard, bucket, segments.Weights, runs)
	if !errors.Is(err, columnar.ErrNotFound) || !bytes.Contains([]byte(err.Error()), []byte(runs[1].ID)) {
		t.Errorf("err = %v", err)
	}
}

func TestWriteStops(t *testing.T) {
	bucket, runs := stored(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := segments.Write(ctx, io.Discard, bucket, segments.Returns, runs); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

// stored returns a bucket with the samples' files.
func stored(t testing.TB) (columnar.Bucket, []segments.Run) {
	t.Helper()
	bucket, err := columnar.OpenBucket(t.Context(), t.TempDir(), columnar.BucketOptions{})
	must(t, err)
	var runs []segments.Run
	for _, s := range samples() {
		s.store(t, bucket)
		runs = append(runs, s.run)
	}
	return bucket, runs
}

// written returns the rows of a table as they are read back.
func written(t *testing.T, bucket columnar.Bucket, table segments.Table, runs []segments.Run) []string {
	t.Helper()
	var b bytes.Buffer
	must(t, segments.Write(t.Context(), &b, bucket, table, runs))
	return parsed(t, b.Bytes())
}

func parsed(t *testing.T, file []byte) []string {
	t.Helper()
	f, err := columnar.NewParquetFile(bytes.NewReader(file), int64(len(file)))
	must(t, err)
	record, err := f.Read(nil, columnar.All)
	must(t, err)
	var out []string
	for row := range int(record.NumRows()) {
		var values []any
		for c := range int(record.NumCols()) {
			switch column := record.Column(c).(type) {
			case *array.Date32:
				values = append(values, column.Value(row))
			case *array.String:
				values = append(values, column.Value(row))
			case *array.Float64:
				if column.IsNull(row) {
					values = append(values, "null")
				} else {
					values = append(values, column.Value(row))
				}
			}
		}
		out = append(out, fmt.Sprintln(values...))
	}
	return out
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
