package result

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/backtest"
	"ballast/program"
	"ballast/script/sandbox"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// keptRun is a run whose result is stored in a folder.
type keptRun struct {
	dir     string
	results *Store
	frame   *timeseries.Frame
	result  *backtest.Result
	run     *program.Run
}

func keepRun(t *testing.T, withState bool) *keptRun {
	t.Helper()
	s := timeseries.Series{Base: timeseries.NewDate(2020, time.January, 1)}
	for k := range 60 {
		s.Dates = append(s.Dates, s.Base+timeseries.Date(k+1))
		s.Returns = append(s.Returns, 0.001*float64(k%7-3))
	}
	other := timeseries.Series{Base: s.Base, Dates: s.Dates, Returns: slices.Clone(s.Returns)}
	slices.Reverse(other.Returns)
	k := &keptRun{dir: t.TempDir(), run: &program.Run{ID: "run_1"}}
	var err error
	if k.frame, err = timeseries.Align([]timeseries.Source{{Key: "A", Series: s}, {Key: "B", Series: other}}); err != nil {
		t.Fatal(err)
	}
	spec := backtest.Spec{
		Schedule: backtest.Schedule{Every: "weekly", Session: -1}, Fill: backtest.FillClose, Start: backtest.StartAllMembers,
		StartDate: timeseries.NoDate, InitialCash: 10000,
	}
	opt := backtest.Everything
	opt.State = withState
	k.result, err = backtest.Run(t.Context(), k.frame, spec, backtest.DeciderFunc(func(s *backtest.Session, target []float64) (bool, error) {
		if s.T%2 == 0 {
			s.Record("even", s.Equity)
		}
		target[0], target[1] = 0.7, 0.5
		return true, nil
	}), opt)
	if err != nil {
		t.Fatal(err)
	}
	if withState {
		k.result.State.Past = backtest.Fingerprint(k.frame, k.result.State.Session)
	}
	bucket, err := columnar.OpenBucket(context.Background(), k.dir, columnar.BucketOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bucket.Close() })
	if k.results, err = NewStore(bucket, 1<<20); err != nil {
		t.Fatal(err)
	}
	daily, ledger, err := k.result.Tables(memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	if k.run.Tables, err = k.results.Write(t.Context(), k.run.ID, sandbox.Table{Name: sandbox.DailyTable, Record: daily}, sandbox.Table{Name: sandbox.LedgerTable, Record: ledger}); err != nil {
		t.Fatal(err)
	}
	if k.run.ResultHash, err = Hash(daily, ledger); err != nil {
		t.Fatal(err)
	}
	return k
}

func TestStoredResultIsReadWhole(t *testing.T) {
	k := keepRun(t, true)
	got, err := k.results.UpTo(t.Context(), k.run, k.frame)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(k.result, got, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-stored +read):\n%s", diff)
	}
}

func TestStoredResultIsNotUsed(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(*keptRun)
		restated bool
	}{
		{"a restated return", func(k *keptRun) { k.frame.Members[0].Returns[5] += 1e-9 }, true},
		{"another member", func(k *keptRun) { k.frame.Members[1].Key = "C" }, true},
		{"a member more", func(k *keptRun) { k.frame.Members = append(k.frame.Members, k.frame.Members[0]) }, true},
		{"fewer sessions", func(k *keptRun) { k.frame = k.frame.Cut(k.frame.Axis[10]) }, true},
		{"another hash", func(k *keptRun) { k.run.ResultHash = "0123" }, false},
		{"objects that are gone", func(k *keptRun) { _ = os.RemoveAll(filepath.Join(k.dir, "runs")) }, false},
		{"an object cut short", func(k *keptRun) {
			_ = filepath.WalkDir(k.dir, func(path string, _ os.DirEntry, _ error) error {
				if filepath.Ext(path) == ".parquet" {
					_ = os.Truncate(path, 300)
				}
				return nil
			})
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := keepRun(t, true)
			c.change(k)
			got, err := k.results.UpTo(t.Context(), k.run, k.frame)
			if err == nil || got != nil || errors.Is(err, ErrRestated) != c.restated {
				t.Errorf("result %v, error %v", got != nil, err)
			}
		})
	}
	k := keepRun(t, false)
	if got, err := k.results.UpTo(t.Context(), k.run, k.frame); got != nil || err != nil {
		t.Errorf("without a state: %v, %v", got, err)
	}
}
