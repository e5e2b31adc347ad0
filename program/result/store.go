package result

import (
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"

	"ballast/internal/id"
	"ballast/program"
	"ballast/script/sandbox"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// Prefix begins the keys of all result objects.
const Prefix = "runs/"

// seriesCached is how many member series are kept in memory: a series of twenty
// years is 60 kB.
const seriesCached = 512

// Store keeps the tables of runs as immutable Parquet objects. Its methods may be
// called by several goroutines.
type Store struct {
	bucket columnar.Bucket
	series *lru.Cache[string, timeseries.Series] // by run id
	tables *tableCache
}

// NewStore makes a Store over a bucket, with a cache of decoded tables of so
// many bytes.
func NewStore(bucket columnar.Bucket, cacheBytes int64) (*Store, error) {
	cache, err := lru.New[string, timeseries.Series](seriesCached)
	if err != nil {
		return nil, fmt.Errorf("make the cache of series: %w", err)
	}
	tables, err := newTableCache(cacheBytes)
	if err != nil {
		return nil, err
	}
	return &Store{bucket: bucket, series: cache, tables: tables}, nil
}

// Cached counts what is read from the cache of decoded tables.
func (r *Store) Cached() columnar.CacheCounts { return r.tables.counts() }

// Write stores the tables of a run durably under keys of their own, so that two
// workers on one run never touch each other's objects. The runs share folders,
// by the ends of their ids, which are random: a folder a run would cost one more
// sync than its files do.
func (r *Store) Write(ctx context.Context, runID string, tables ...sandbox.Table) (program.Tables, error) {
	folder := runID[max(0, len(runID)-2):]
	stem := path.Join(Prefix, folder, runID+"."+uuid.NewString())
	sizes := make([]int64, len(tables))
	out := make([]columnar.Outgoing, len(tables))
	for i, t := range tables {
		out[i] = outgoing(stem+"."+t.Name+".parquet", t.Record, &sizes[i])
	}
	if err := r.bucket.PutAll(ctx, out...); err != nil {
		return nil, fmt.Errorf("write result: %w", err)
	}
	stored := make(program.Tables, len(tables))
	for i, t := range tables {
		stored[t.Name] = program.Object{Key: out[i].Key, Bytes: sizes[i]}
	}
	return stored, nil
}

// runOf is the run that a result object belongs to, "" where the key tells none.
// Objects of earlier releases are in a folder a run.
func runOf(key string) string {
	for element := range strings.SplitSeq(key, "/") {
		if strings.HasPrefix(element, string(id.Run)) {
			runID, _, _ := strings.Cut(element, ".")
			return runID
		}
	}
	return ""
}

// outgoing is one table as an object, whose size it notes.
func outgoing(key string, table arrow.RecordBatch, size *int64) columnar.Outgoing {
	return columnar.Outgoing{Key: key, Write: func(w io.Writer) error {
		counted := &countingWriter{Writer: w}
		err := columnar.WriteParquet(counted, table, columnar.WriteOptions{})
		*size = counted.n
		return err
	}}
}

// Series reads the daily returns of a complete run and whether it goes by
// calendar days. The series is shared: callers do not write to it.
func (r *Store) Series(ctx context.Context, run *program.Run) (s timeseries.Series, sevenDay bool, err error) {
	sevenDay = run.Summary != nil && run.Summary.Alignment.BarsPerYear == 365
	if s, ok := r.series.Get(run.ID); ok {
		return s, sevenDay, nil
	}
	file, err := r.bucket.Path(ctx, run.Tables[sandbox.DailyTable].Key)
	if err != nil {
		return timeseries.Series{}, false, fmt.Errorf("result of run %s: %w", run.ID, err)
	}
	table, err := columnar.ReadParquet(file, []string{"date", "return"})
	if err != nil {
		return timeseries.Series{}, false, fmt.Errorf("result of run %s: %w", run.ID, err)
	}
	defer table.Release()
	dates, returns, err := DateAndFloats(table, 0, 1)
	if err != nil {
		return timeseries.Series{}, false, fmt.Errorf("result of run %s: %w", run.ID, err)
	}
	s = timeseries.Series{Base: dates[0], Dates: dates[1:], Returns: returns[1:]}
	r.series.Add(run.ID, s)
	return s, sevenDay, nil
}

// DateAndFloats copies a date and a float column of a table with a row at least.
func DateAndFloats(t arrow.RecordBatch, date, float int) ([]timeseries.Date, []float64, error) {
	d, ok := t.Column(date).(*array.Date32)
	if !ok || d.Len() == 0 {
		return nil, nil, fmt.Errorf("column %s is not dates", t.ColumnName(date))
	}
	f, ok := t.Column(float).(*array.Float64)
	if !ok {
		return nil, nil, fmt.Errorf("column %s is not numbers", t.ColumnName(float))
	}
	dates := make([]timeseries.Date, d.Len())
	for i, v := range d.Date32Values() {
		dates[i] = timeseries.Date(v)
	}
	return dates, append([]float64(nil), f.Float64Values()...), nil
}

// countingWriter counts what passes through it.
type countingWriter struct {
	io.Writer
	n int64
}

func (w *countingWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.n += int64(n)
	return n, err
}
