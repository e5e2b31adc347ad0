package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/export"
)

func TestExportTarget(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, test := range []struct {
		name                   string
		out, format, partition string
		table                  export.Table
		place, key             string
		want                   export.Format
		refused                bool
	}{
		{name: "a file", out: "a/b.parquet", place: "a", key: "b.parquet", want: export.Parquet},
		{name: "a file here", out: "b.csv", place: ".", key: "b.csv", want: export.CSV},
		{name: "the flag before the name", out: "b.csv", format: "arrow", place: ".", key: "b.csv", want: export.Arrow},
		{name: "a folder to be", out: "a/", place: "a", key: "bars.parquet", want: export.Parquet},
		{name: "a folder that exists", out: folder, format: "arrow", place: folder, key: "bars.arrows", want: export.Arrow},
		{name: "a file by URL", out: "file://" + folder + "/x.arrows", place: folder, key: "x.arrows", want: export.Arrow},
		{name: "parts", out: "a/b", partition: "year", place: filepath.Join("a", "b"), want: export.Parquet},
		{name: "an object", out: "s3://bucket/a/b.csv?region=x", place: "s3://bucket?region=x", key: "a/b.csv", want: export.CSV},
		{name: "a bucket", out: "s3://bucket", place: "s3://bucket", key: "bars.parquet", want: export.Parquet},
		{name: "a folder of a bucket", out: "s3://bucket/a/?region=x", place: "s3://bucket?region=x", key: "a/bars.parquet", want: export.Parquet},
		{name: "parts in a bucket", out: "s3://bucket/a", partition: "symbol", place: "s3://bucket", key: "a", want: export.Parquet},
		{name: "memory, which ends with the command", out: "mem://bucket/a", refused: true},
		{name: "an unknown scheme", out: "https://host/a.parquet", refused: true},
		{name: "a file URL with a host", out: "file://a/b.parquet", refused: true},
		{name: "a name in capitals", out: "B.CSV", place: ".", key: "B.CSV", want: export.CSV},
		{name: "a folder with a dot", out: "v1.2/", place: "v1.2", key: "bars.parquet", want: export.Parquet},
		{name: "parts in a folder with a dot", out: "v1.2", partition: "year", place: "v1.2", want: export.Parquet},
		{name: "another ending with a format", out: "a.txt", format: "csv", place: ".", key: "a.txt", want: export.CSV},
		{name: "a workbook", out: "a.xlsx", refused: true},
		{name: "a workbook in a bucket", out: "s3://bucket/a.xlsx", refused: true},
		{name: "an unknown format", out: "a", format: "xls", refused: true},
		{name: "an unknown partition", out: "a", partition: "month", refused: true},
		{name: "returns by symbol", out: "a", partition: "symbol", table: export.Returns, refused: true},
		{name: "assets by year", out: "a", partition: "year", table: export.Assets, refused: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			table := test.table
			if table == "" {
				table = export.Bars
			}
			got, err := (&exporting{out: test.out, format: test.format, partition: test.partition}).target(table)
			if (err != nil) != test.refused {
				t.Fatal(err)
			}
			if err != nil {
				return
			}
			if d := cmp.Diff([]string{test.place, test.key, string(test.want)}, []string{got.place, got.key, string(got.format)}); d != "" {
				t.Error(d)
			}
		})
	}
}
