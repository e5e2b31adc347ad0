package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ballast/catalog"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
)

// The meter of an import moves with every step, never goes back, even over several
// files, and is only full at the end.
func TestMeterOfImports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, first, err := writeSample(dir)
	if err != nil {
		t.Fatal(err)
	}
	second := filepath.Join(dir, "second.csv")
	if err := os.WriteFile(second, []byte("symbol,date,close\nA,2024-01-02,1\nA,2024-01-03,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	bucket, err := columnar.OpenBucket(t.Context(), filepath.Join(dir, "objects"), columnar.BucketOptions{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(t.Context(), duck.Config{TempDir: filepath.Join(dir, "tmp")})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	importer := importing.New(importing.Config{Store: bars.NewMemory(), Bucket: bucket, DB: db})

	var out bytes.Buffer
	m := newMeter(&out, "run")
	m.told = m.told.Add(time.Hour) // on a busy machine too, the import must look quick
	paths := []string{first, second}
	share := shares(paths)
	var seen []int
	steps := map[importing.Step]bool{}
	for i, path := range paths {
		show := m.bars(share[i], share[i+1], filepath.Base(path))
		_, err := importer.Import(context.Background(), path, importing.Options{Progress: func(p importing.Progress) {
			if p.Done < 0 || p.Done > p.Total || p.Total < 1 {
				t.Errorf("%+v", p)
			}
			steps[p.Step] = true
			show(p)
			seen = append(seen, m.done)
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := 1; i < len(seen); i++ {
		if seen[i] < seen[i-1] {
			t.Fatalf("the meter goes back: %v", seen)
		}
	}
	if len(steps) != len(barSteps) || seen[0] > 100 || seen[len(seen)-1] != meterSteps-1 {
		t.Errorf("%d steps, from %d to %d", len(steps), seen[0], seen[len(seen)-1])
	}
	if share[0] != 0 || share[2] != 1 || share[1] < 0.9 {
		t.Errorf("shares %v", share)
	}
	if out.Len() > 0 {
		t.Errorf("a quick import writes %q where there is no terminal", out.String())
	}
}

// Without a terminal, a line is written every few seconds.
func TestMeterWithoutATerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	m := newMeter(&out, "prices.csv")
	m.told = m.told.Add(-time.Minute)
	m.set(0.5, "merging")
	m.set(0.4, "merging")
	m.told = m.told.Add(-time.Minute)
	m.set(0.3, "merging")
	m.end(nil)
	m.set(0.9, "nothing more")
	if want := "prices.csv: merging, 50 %\nprices.csv: merging, 50 %\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// If the number of rows is unknown, the meter moves without filling up.
func TestMeterOfACatalog(t *testing.T) {
	t.Parallel()
	m := newMeter(&bytes.Buffer{}, "etfs.csv")
	last := 0
	for _, p := range []catalog.ImportProgress{
		{Step: "reading", Done: 1000, Total: -1}, {Step: "reading", Done: 1_000_000, Total: -1}, {Step: "classifying", Done: 1, Total: 10},
		{Step: "storing", Done: 1, Total: 10}, {Step: "storing", Done: 10, Total: 10},
	} {
		if m.catalog(p); m.done <= last {
			t.Errorf("%+v is at %d after %d", p, m.done, last)
		}
		last = m.done
	}
	if last != meterSteps-1 {
		t.Errorf("ends at %d", last)
	}
}
