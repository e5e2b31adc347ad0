package segments_test

import (
	"slices"
	"testing"

	"ballast/query"
	"ballast/query/segments"
)

// TestColumnsAreThoseOfTheTables compares the columns of segments with those of the
// tables that SQL reads.
func TestColumnsAreThoseOfTheTables(t *testing.T) {
	for _, table := range segments.Tables {
		logical := query.Find(string(table))
		if logical == nil {
			t.Errorf("there is no table %s", table)
			continue
		}
		var want, got []string
		for _, c := range logical.Columns {
			want = append(want, c.Name)
		}
		for _, f := range table.Schema().Fields() {
			got = append(got, f.Name)
		}
		if !slices.Equal(want, got) {
			t.Errorf("%s has the columns %v, segments have %v", table, want, got)
		}
	}
}
