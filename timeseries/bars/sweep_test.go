package bars_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/timeseries"
	"ballast/timeseries/bars"
)

func TestSweep(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	first := timeseries.NewDate(2024, time.January, 2)
	m.add(nil, stretch{"A", first, []float64{none, 0.1}})
	for _, key := range []string{"bars/orphan.parquet", "bars/.tmp-1", "runs/other.parquet"} {
		err := m.bucket.Put(t.Context(), key, func(w io.Writer) error {
			_, err := io.WriteString(w, "orphan")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if swept, err := bars.Sweep(t.Context(), m.store, m.bucket, time.Hour); len(swept) != 0 || err != nil {
		t.Errorf("young objects: %v, %v", swept, err)
	}
	for e, err := range m.bucket.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(filepath.Join(m.dir, e.Key), old, old); err != nil {
			t.Fatal(err)
		}
	}
	swept, err := bars.Sweep(t.Context(), m.store, m.bucket, time.Hour)
	slices.Sort(swept)
	if d := cmp.Diff([]string{"bars/.tmp-1", "bars/orphan.parquet"}, swept); d != "" || err != nil {
		t.Errorf("swept %s, %v", d, err)
	}
	if s := m.load(bars.NewReader(m.store, m.bucket, 0), "A", bars.Latest); s.Base != first || len(s.Returns) != 1 {
		t.Errorf("A = %+v after the sweep", s)
	}
}
