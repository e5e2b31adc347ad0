package metrics_test

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ballast/internal/number"
	"ballast/metrics"
	"ballast/timeseries"

	"github.com/google/go-cmp/cmp"
)

// TestEveryFieldIsDocumented compares docs/metrics.md with the code: every field of the
// block must have a row among the formulas, no row may be about an unknown field, and
// every statistic must have a row on what other libraries compute.
func TestEveryFieldIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	formulas, others, ok := strings.Cut(string(page), "\n## What other libraries compute\n")
	if !ok {
		t.Fatal("the page has no section on what other libraries compute")
	}
	fields := jsonFields(reflect.TypeFor[metrics.Block](), "")
	documented := map[string][]string{}
	for _, row := range rows(t, formulas) {
		for _, field := range row.fields {
			documented[field] = row.cells
		}
	}
	for _, field := range fields {
		if _, ok := documented[field]; !ok {
			t.Errorf("%s has no row among the formulas", field)
		}
	}
	for field, cells := range documented {
		if !slices.Contains(fields, field) {
			t.Errorf("a row describes %s, which is not in the block", field)
		}
		if slices.Contains(cells, "") {
			t.Errorf("the row of %s leaves a cell empty", field)
		}
	}

	var compared, statistics []string
	for _, row := range rows(t, others) {
		compared = append(compared, row.fields...)
		if len(row.cells) != 6 || slices.Contains(row.cells, "") {
			t.Errorf("the row of %s does not have five libraries", row.fields)
		}
	}
	for _, field := range fields {
		group, rest, _ := strings.Cut(field, ".")
		switch {
		case group == "window", group == "conventions", field == "benchmark.symbol":
			continue
		case group == "benchmark":
			group += "." + rest
		}
		statistics = append(statistics, group)
	}
	slices.Sort(statistics)
	slices.Sort(compared)
	if diff := cmp.Diff(slices.Compact(statistics), compared); diff != "" {
		t.Errorf("statistics compared with other libraries (-want +got):\n%s", diff)
	}
}

type docRow struct{ fields, cells []string }

var code = regexp.MustCompile("`([a-z0-9_.]+)`")

// rows returns the table rows of a page whose first cell names fields. A name that starts
// with a dot has the parent of the name before it.
func rows(t *testing.T, page string) []docRow {
	t.Helper()
	var out []docRow
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		var row docRow
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			row.cells = append(row.cells, strings.TrimSpace(cell))
		}
		parent := ""
		for _, name := range code.FindAllStringSubmatch(row.cells[0], -1) {
			field := name[1]
			if strings.HasPrefix(field, ".") {
				field = parent + field
			}
			parent = field[:max(0, strings.LastIndexByte(field, '.'))]
			row.fields = append(row.fields, field)
		}
		out = append(out, row)
	}
	if len(out) < 10 {
		t.Fatalf("%d rows of fields", len(out))
	}
	return out
}

// jsonFields lists the values of a type by their JSON paths. Elements of a list have the
// path of the list.
func jsonFields(t reflect.Type, path string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[number.Float]() || t == reflect.TypeFor[timeseries.Date]() {
		return []string{path}
	}
	var out []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		out = append(out, jsonFields(t.Field(i).Type, strings.TrimPrefix(path+"."+name, "."))...)
	}
	return out
}
