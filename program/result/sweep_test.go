package result

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/storage/columnar"
)

// namingStore knows which objects runs name.
type namingStore struct {
	named   map[string]bool
	asked   []int // how many runs each query had
	failing error
}

func (s *namingStore) ResultObjects(_ context.Context, runIDs []string) (map[string]bool, error) {
	s.asked = append(s.asked, len(runIDs))
	found := map[string]bool{}
	for k := range s.named {
		if slices.Contains(runIDs, runOf(k)) {
			found[k] = true
		}
	}
	return found, s.failing
}

// listedBucket holds objects by key, with their ages.
type listedBucket struct {
	ages    map[string]time.Duration
	now     time.Time
	deleted []string
	failing error // of the list, after all entries
}

func (b *listedBucket) List(_ context.Context, prefix string) iter.Seq2[columnar.Entry, error] {
	return func(yield func(columnar.Entry, error) bool) {
		if prefix != Prefix {
			yield(columnar.Entry{}, fmt.Errorf("prefix %q", prefix))
			return
		}
		for key, age := range b.ages {
			if !yield(columnar.Entry{Key: key, Modified: b.now.Add(-age)}, nil) {
				return
			}
		}
		if b.failing != nil {
			yield(columnar.Entry{}, b.failing)
		}
	}
}

func (b *listedBucket) Delete(_ context.Context, key string) error {
	b.deleted = append(b.deleted, key)
	return nil
}

func sweeper(store *namingStore, bucket *listedBucket, told *int) *Sweeper {
	bucket.now = time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)
	return &Sweeper{
		Store: store, Bucket: bucket, Grace: time.Hour, Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Now: func() time.Time { return bucket.now }, Deleted: func(n int) { *told += n },
	}
}

func TestSweepDeletesOldObjectsWithoutRun(t *testing.T) {
	t.Parallel()
	store := &namingStore{named: map[string]bool{"runs/run_1/a.daily.parquet": true}}
	bucket := &listedBucket{ages: map[string]time.Duration{
		"runs/run_1/a.daily.parquet":  48 * time.Hour,   // of a run
		"runs/run_1/b.daily.parquet":  48 * time.Hour,   // of a killed attempt at it
		"runs/run_2/c.ledger.parquet": time.Hour,        // just old enough
		"runs/run_3/d.daily.parquet":  59 * time.Minute, // perhaps about to be named
		"runs/.tmp-1":                 2 * time.Hour,    // half written
	}}
	told := 0
	if err := sweeper(store, bucket, &told).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	slices.Sort(bucket.deleted)
	want := []string{"runs/.tmp-1", "runs/run_1/b.daily.parquet", "runs/run_2/c.ledger.parquet"}
	if d := cmp.Diff(want, bucket.deleted); d != "" || told != len(want) {
		t.Errorf("told of %d: %s", told, d)
	}
}

func TestSweepAsksInBatches(t *testing.T) {
	t.Parallel()
	store, bucket := &namingStore{}, &listedBucket{ages: map[string]time.Duration{}}
	for i := range 2*sweepBatch + 5 {
		bucket.ages[fmt.Sprintf("runs/run_%d/x.daily.parquet", i)] = 2 * time.Hour
	}
	told := 0
	if err := sweeper(store, bucket, &told).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{sweepBatch, sweepBatch, 5}, store.asked); d != "" || told != 2*sweepBatch+5 {
		t.Errorf("deleted %d: %s", told, d)
	}
	slices.Sort(bucket.deleted)
	if n := len(slices.Compact(bucket.deleted)); n != 2*sweepBatch+5 {
		t.Errorf("%d different objects deleted", n)
	}
}

// An object stays if it is not known to be an orphan.
func TestSweepDeletesNothingOnErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, fail := range map[string]func(*namingStore, *listedBucket){
		"list":  func(_ *namingStore, b *listedBucket) { b.failing = broken },
		"store": func(s *namingStore, _ *listedBucket) { s.failing = broken },
	} {
		store, bucket, told := &namingStore{}, &listedBucket{ages: map[string]time.Duration{"runs/run_1/a": 2 * time.Hour}}, 0
		fail(store, bucket)
		if err := sweeper(store, bucket, &told).Sweep(t.Context()); !errors.Is(err, broken) || len(bucket.deleted) > 0 || told > 0 {
			t.Errorf("%s: error %v, deleted %v, told of %d", name, err, bucket.deleted, told)
		}
	}
}
