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

// seriesCached is how many member series are cached. A series of twenty years takes
// 60 kB.
const seriesCached = 512

// Store stores the tables of runs as immutable Parquet objects. Its methods are safe
// for concurrent use.
type Store struct {
	bucket columnar.Bucket
	series *lru.Cache[string, timeseries.Series] // by run id
	tables *tableCache
}

// NewStore creates a Store over a bucket. Its cache of decoded tables takes up to
// cacheBytes.
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

// Cached returns the counts of the cache of decoded tables.
func (r *Store) Cached() columnar.CacheCounts { return r.tables.counts() }

// Write stores the tables of a run durably under new keys, so that two workers on the
// same run never touch each other's objects. Runs share folders, chosen by the random
// end of their ids, because a folder per run would cost one more sync than its files.
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

// runOf returns the run that a result object belongs to, or "" if the key does not
// say. Earlier releases stored the objects of each run in a folder of its own.
func runOf(key string) string {
	for element := range strings.SplitSeq(key, "/") {
		if strings.HasPrefix(element, string(id.Run)) {
			runID, _, _ := strings.Cut(element, ".")
			return runID
		}
	}
	return ""
}

// outgoing returns a table as an object to write, and stores its size in size.
func outgoing(key string, table arrow.RecordBatch, size *int64) columnar.Outgoing {
	return columnar.Outgoing{Key: key, Write: func(w io.Writer) error {
		counted := &countingWriter{Writer: w}
		err := columnar.WriteParquet(counted, table, columnar.WriteOptions{})
		*size = counted.n
		return err
	}}
}

// Series reads the daily returns of a complete run, and whether it has a return on
// every calendar day. The series is shared and must not be changed.
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

// DateAndFloats copies a date column and a float column of a table with at least one
// row.
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

// countingWriter counts the bytes that pass through it.
type countingWriter struct {
	io.Writer
	n int64
}

func (w *countingWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.n += int64(n)
	return n, err
}
