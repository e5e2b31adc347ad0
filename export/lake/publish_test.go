package lake_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/iceberg-go/catalog/hadoop"
	"github.com/google/go-cmp/cmp"

	"ballast/backtest"
	"ballast/export"
	"ballast/export/lake"
	"ballast/query/segments"
	"ballast/storage/columnar"
)

// installation keeps the live runs of accounts in memory, and their files in a folder.
type installation struct {
	bucket columnar.Bucket
	place  string
	live   map[string][]export.LiveRun // by account
}

func (i *installation) AccountsWithResults(context.Context) ([]string, error) {
	var ids []string
	for id, live := range i.live {
		if len(live) > 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// RunsToGather also returns a former run of every model, which must not be published.
func (i *installation) RunsToGather(_ context.Context, accountID string) ([]segments.Run, error) {
	var runs []segments.Run
	for _, l := range i.live[accountID] {
		for _, id := range []string{l.RunID, l.RunID + "-former"} {
			runs = append(runs, segments.Run{ID: id, ModelID: l.ProgramID, Daily: "runs/" + l.RunID + ".daily.parquet", Ledger: "runs/" + l.RunID + ".ledger.parquet"})
		}
	}
	return runs, nil
}

func (i *installation) LiveRunsAfter(_ context.Context, accountID, programID string, n int) ([]export.LiveRun, error) {
	var page []export.LiveRun
	for _, l := range i.live[accountID] {
		if l.ProgramID > programID && len(page) < n {
			page = append(page, l)
		}
	}
	return page, nil
}

func (i *installation) LockLake(context.Context) (func(), error) { return func() {}, nil }

// serve makes a model serve a new run of that many days.
func (i *installation) serve(t *testing.T, accountID, model, run string, days int) {
	t.Helper()
	names := []string{"date", "return", "equity", "gross_exposure", "traded", "weight.A", "weight.CASH", "contribution.A"}
	fields := []arrow.Field{{Name: "date", Type: arrow.FixedWidthTypes.Date32}}
	for _, name := range names[1:] {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true})
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	for day := range days {
		b.Field(0).(*array.Date32Builder).Append(arrow.Date32(15_000 + day))
		for c := range len(names) - 1 {
			f := b.Field(c + 1).(*array.Float64Builder)
			if day == 0 && c == 0 {
				f.AppendNull()
			} else {
				f.Append(math.Sin(float64(day*10+c) + float64(len(run))))
			}
		}
	}
	ledger := array.NewRecordBuilder(memory.DefaultAllocator, backtest.LedgerSchema)
	for suffix, b := range map[string]*array.RecordBuilder{".daily.parquet": b, ".ledger.parquet": ledger} {
		must(t, i.bucket.Put(t.Context(), "runs/"+run+suffix, func(w io.Writer) error {
			return columnar.WriteParquet(w, b.NewRecordBatch(), columnar.WriteOptions{})
		}))
	}
	i.live[accountID] = slices.DeleteFunc(i.live[accountID], func(l export.LiveRun) bool { return l.ProgramID == model })
	i.live[accountID] = append(i.live[accountID], export.LiveRun{ProgramID: model, RunID: run, Symbol: strings.ToUpper(model), Name: "The model " + model})
	slices.SortFunc(i.live[accountID], func(a, b export.LiveRun) int { return strings.Compare(a.ProgramID, b.ProgramID) })
}

func install(t *testing.T) *installation {
	t.Helper()
	i := &installation{place: t.TempDir(), live: map[string][]export.LiveRun{}}
	var err error
	i.bucket, err = columnar.OpenBucket(t.Context(), i.place, columnar.BucketOptions{})
	must(t, err)
	return i
}

func (i *installation) publish(t *testing.T) []lake.Published {
	t.Helper()
	out, err := i.publisher().Publish(t.Context())
	must(t, err)
	return out
}

func (i *installation) publisher() *lake.Publisher {
	return &lake.Publisher{Runs: i, Live: i, Lock: i, Bucket: i.bucket, Place: i.place, Keep: lake.Keep, Logger: slog.New(slog.DiscardHandler)}
}

// read returns the rows of a table in its current snapshot, and its number of snapshots.
func (i *installation) read(t *testing.T, accountID, name string) (rows []string, snapshots int) {
	t.Helper()
	catalog, err := hadoop.NewCatalog("test", filepath.Join(i.place, "lake"), nil)
	must(t, err)
	defer catalog.Close()
	table, err := catalog.LoadTable(t.Context(), []string{accountID, name})
	must(t, err)
	_, records, err := table.Scan().ToArrowRecords(t.Context())
	must(t, err)
	for r, err := range records {
		must(t, err)
		for row := range int(r.NumRows()) {
			var values []string
			for _, c := range r.Columns() {
				values = append(values, c.ValueStr(row))
			}
			rows = append(rows, strings.Join(values, " "))
		}
	}
	slices.Sort(rows)
	return rows, len(table.Metadata().Snapshots())
}

// TestPublish publishes two accounts, one of which then serves another run.
func TestPublish(t *testing.T) {
	t.Parallel()
	i := install(t)
	for n := range 300 { // enough for several files per table
		i.serve(t, "account_a", fmt.Sprintf("model_%03d", n), fmt.Sprintf("run_%d", n), 3)
	}
	i.serve(t, "account_b", "model_b", "run_b", 5)
	first := i.publish(t)
	if len(first) != 2 || first[0].Models != 300 || first[0].Files["returns"] < 2 || first[1].Models != 1 {
		t.Errorf("%+v", first)
	}
	rows, snapshots := i.read(t, "account_a", "returns")
	if len(rows) != 900 || snapshots != 1 {
		t.Errorf("%d rows, %d snapshots", len(rows), snapshots)
	}
	if weights, _ := i.read(t, "account_a", "weights"); len(weights) != 1800 {
		t.Errorf("%d rows of weights", len(weights))
	}
	other, _ := i.read(t, "account_b", "returns")
	if len(other) != 5 || slices.ContainsFunc(other, func(s string) bool { return !strings.Contains(s, "model_b") }) {
		t.Errorf("the other account has %v", other)
	}
	models, _ := i.read(t, "account_b", "models")
	if diff := cmp.Diff([]string{"model_b run_b MODEL_B The model model_b"}, models); diff != "" {
		t.Error(diff)
	}

	// Without a change, no snapshot is made.
	if again := i.publish(t); len(again[0].Files) != 0 || len(again[1].Files) != 0 {
		t.Errorf("published again: %+v", again)
	}

	// One model serves another run: only its file is written.
	i.serve(t, "account_a", "model_007", "run_new", 9)
	next := i.publish(t)
	if next[0].Files["returns"] != 1 || len(next[1].Files) != 0 {
		t.Errorf("%+v", next)
	}
	rows, snapshots = i.read(t, "account_a", "returns")
	if len(rows) != 906 || snapshots != 2 {
		t.Errorf("%d rows, %d snapshots", len(rows), snapshots)
	}
	for _, row := range rows {
		if strings.Contains(row, "model_007") && !strings.Contains(row, "run_new") {
			t.Fatalf("a row of the former run: %s", row)
		}
	}

	// An account without results keeps empty tables.
	i.live["account_b"] = nil
	i.publish(t)
	if rows, _ := i.read(t, "account_b", "returns"); len(rows) != 0 {
		t.Errorf("%d rows stay", len(rows))
	}
}

// TestPublishAfterAKill stops the publication before each object that it writes. The
// next publication completes the work without writing anything twice.
func TestPublishAfterAKill(t *testing.T) {
	t.Parallel()
	for kill := range 7 {
		i := install(t)
		i.serve(t, "account_a", "model_a", "run_a", 40)
		p := i.publisher()
		p.Bucket = &mortal{Bucket: i.bucket, left: kill}
		// One object per table: models and five tables of results.
		if _, err := p.Publish(t.Context()); (err != nil) != (kill < 6) {
			t.Errorf("killed before object %d: %v", kill, err)
		}
		i.publish(t)
		rows, snapshots := i.read(t, "account_a", "returns")
		if len(rows) != 40 || snapshots != 1 {
			t.Errorf("killed before object %d: %d rows, %d snapshots", kill, len(rows), snapshots)
		}
		if again := i.publish(t); len(again[0].Files) != 0 {
			t.Errorf("killed before object %d: published again %v", kill, again)
		}
	}
}

// mortal is the bucket of a process that is killed before it stores its next object.
type mortal struct {
	columnar.Bucket
	left int
}

func (m *mortal) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	if m.left--; m.left < 0 {
		return fmt.Errorf("killed before %s", key)
	}
	return m.Bucket.Put(ctx, key, write)
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	i := install(t)
	p := i.publisher()
	p.Place = "mem://"
	if _, err := p.Publish(t.Context()); err == nil || !strings.Contains(err.Error(), "s3://") {
		t.Errorf("err = %v", err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
