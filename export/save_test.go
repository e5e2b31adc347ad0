package export_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/export"
	"ballast/storage/columnar"
	"ballast/storage/duck"
)

func TestPartitions(t *testing.T) {
	t.Parallel()
	m := small(t)
	whole := rowsOf(t, m.db, "read_parquet("+duck.Literal(m.write(all(export.Bars), export.Parquet))+")")
	slices.Sort(whole)
	for by, want := range map[export.Partition][]string{
		export.ByYear:   {"_SUCCESS", "year=2019", "year=2020", "year=2021"},
		export.BySymbol: {"_SUCCESS", "symbol=%5EIDX", "symbol=AAA", "symbol=BBB", "symbol=BRK%2FB", "symbol=D%3AE%2BF%26G", "symbol=EUR%3DX"},
	} {
		t.Run(string(by), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			bucket, err := columnar.OpenBucket(t.Context(), folder, columnar.BucketOptions{})
			if err != nil {
				t.Fatal(err)
			}
			rows, err := m.service().Open(t.Context(), "", all(export.Bars))
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			n, err := export.SavePartitioned(t.Context(), bucket, "deep/bars", rows, export.Parquet, by)
			if err != nil || n != len(want)-1 {
				t.Fatalf("%d parts, %v", n, err)
			}
			found, err := os.ReadDir(filepath.Join(folder, "deep", "bars"))
			if err != nil {
				t.Fatal(err)
			}
			names := make([]string, len(found))
			for i, f := range found {
				names[i] = f.Name()
			}
			slices.Sort(want)
			if d := cmp.Diff(want, names); d != "" {
				t.Error(d)
			}
			got := rowsOf(t, m.db, "read_parquet("+duck.Literal(filepath.Join(folder, "deep", "bars", "*", "*.parquet"))+", hive_partitioning = true)")
			slices.Sort(got)
			if d := cmp.Diff(whole, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestPartitionsOfManyRows(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.seeded(30, 2520)
	for _, by := range export.Partitions {
		folder := t.TempDir()
		bucket, err := columnar.OpenBucket(t.Context(), folder, columnar.BucketOptions{})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := m.service().Open(t.Context(), "", all(export.Bars))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := export.SavePartitioned(t.Context(), bucket, "", rows, export.Parquet, by); err != nil {
			t.Fatal(err)
		}
		rows.Close()
		parts := "read_parquet(" + duck.Literal(filepath.Join(folder, "*", "*.parquet")) + ", hive_partitioning = true)"
		whole := "read_parquet(" + duck.Literal(m.write(all(export.Bars), export.Parquet)) + ")"
		columns := "asset_id, symbol, date, total_return, close, dividend, split"
		if n := ask(t, m.db, "SELECT count(*) FROM "+parts); n != 30*2520 {
			t.Errorf("by %s: %d rows", by, n)
		}
		if n := ask(t, m.db, "SELECT count(*) FROM (SELECT "+columns+" FROM "+parts+" EXCEPT SELECT "+columns+" FROM "+whole+")"); n != 0 {
			t.Errorf("by %s: %d rows differ", by, n)
		}
	}
}

func TestPartitionsInAnObjectStore(t *testing.T) {
	t.Parallel()
	m := small(t)
	bucket, err := columnar.OpenBucket(t.Context(), "mem://", columnar.BucketOptions{CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer bucket.Close()
	for _, refused := range []string{"year=2021", ""} {
		target := bucket
		if refused != "" {
			target = stubborn{bucket, refused}
		}
		rows, err := m.service().Open(t.Context(), "", all(export.Bars))
		if err != nil {
			t.Fatal(err)
		}
		_, err = export.SavePartitioned(t.Context(), target, "a/bars", rows, export.Parquet, export.ByYear)
		rows.Close()
		if (err != nil) != (refused != "") {
			t.Fatal(err)
		}
		var keys []string
		for entry, err := range bucket.List(t.Context(), "") {
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, entry.Key)
		}
		slices.Sort(keys)
		want := []string{"a/bars/_SUCCESS", "a/bars/year=2019/bars.parquet", "a/bars/year=2020/bars.parquet", "a/bars/year=2021/bars.parquet"}
		if refused != "" {
			want = nil
		}
		if d := cmp.Diff(want, keys); d != "" {
			t.Errorf("refused %q: %s", refused, d)
		}
	}
	path, err := bucket.Path(t.Context(), "a/bars/year=2019/bars.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if n := ask(t, m.db, "SELECT count(*) FROM read_parquet("+duck.Literal(path)+") WHERE year(date) = 2019"); n != 3 {
		t.Errorf("%d bars of 2019", n)
	}
}

// stubborn is a bucket that refuses to store one key.
type stubborn struct {
	columnar.Bucket
	refused string
}

var errRefused = errors.New("refused")

func (b stubborn) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	if strings.Contains(key, b.refused) {
		return errRefused
	}
	return b.Bucket.Put(ctx, key, write)
}

func TestAFailedExportLeavesNothing(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.seeded(20, 600)
	for _, refused := range []string{"year=2005", "symbol=SEED-0013", "_SUCCESS"} {
		for _, by := range export.Partitions {
			if strings.Contains(refused, "=") && !strings.HasPrefix(refused, string(by)) {
				continue
			}
			folder := t.TempDir()
			bucket, err := columnar.OpenBucket(t.Context(), folder, columnar.BucketOptions{})
			if err != nil {
				t.Fatal(err)
			}
			rows, err := m.service().Open(t.Context(), "", all(export.Bars))
			if err != nil {
				t.Fatal(err)
			}
			_, err = export.SavePartitioned(t.Context(), stubborn{bucket, refused}, "", rows, export.Parquet, by)
			rows.Close()
			if !errors.Is(err, errRefused) {
				t.Errorf("%s refused: %v", refused, err)
			}
			for entry, err := range bucket.List(t.Context(), "") {
				t.Errorf("%s refused: %s is left, %v", refused, entry.Key, err)
			}
		}
	}
}

func TestWhatCannotBeDivided(t *testing.T) {
	t.Parallel()
	for table, by := range map[export.Table]export.Partition{
		export.Assets: export.ByYear, export.Runs: export.ByYear, export.Returns: export.BySymbol, export.Bars: "month",
	} {
		if _, err := export.SavePartitioned(t.Context(), nil, "", &export.Rows{Table: table}, export.Parquet, by); err == nil {
			t.Errorf("%s is divided by %s", table, by)
		}
	}
}
