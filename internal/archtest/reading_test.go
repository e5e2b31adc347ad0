package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// pure are packages that must not link DuckDB or any other C library, so that
// programs that only read bars build with CGO_ENABLED=0.
var pure = []string{
	"ballast/timeseries/...",
	"-ballast/timeseries/bars/importing",
}

func TestReadingNeedsNoCgo(t *testing.T) {
	t.Parallel()
	for _, p := range dependencies(t, expand(t, pure)) {
		if !p.Standard && len(p.CgoFiles) > 0 {
			t.Errorf("%s uses cgo, and is linked in by way of %s", p.ImportPath, p.neededBy)
		}
	}
}

// light are packages that must not link DuckDB, so that their tests link in two
// seconds instead of six to ten.
var light = []string{
	"ballast/catalog/...",
	"-ballast/catalog/tablefile",
	"ballast/program/...",
	"ballast/postgres/...",
	"ballast/api/...",
}

func TestDuckDBIsLinkedWhereItIsUsed(t *testing.T) {
	t.Parallel()
	for _, p := range dependencies(t, expand(t, light)) {
		if p.ImportPath == "ballast/storage/duck" {
			t.Errorf("%s is linked in, by way of %s: let its user take an interface, as catalog.Import does", p.ImportPath, p.neededBy)
		}
	}
}

// barFloors are the packages of the bar store. Each may import only those before it.
var barFloors = []string{"bars", "bars/files", "bars/reports", "bars/provider", "bars/syncing", "bars/importing"}

func TestBarPackagesImportOneWay(t *testing.T) {
	t.Parallel()
	floor := func(path string) int {
		found := -1
		for i, f := range barFloors {
			if within(path, "ballast/timeseries/"+f) {
				found = i // the last match is the longest, because bars is the first entry
			}
		}
		return found
	}
	for _, p := range list(t, "ballast/timeseries/bars/...") {
		for _, i := range p.Imports {
			if within(i, "ballast/timeseries/bars") && floor(i) > floor(p.ImportPath) {
				t.Errorf("%s imports %s, which stands above it", p.ImportPath, i)
			}
		}
	}
}

type dependency struct {
	ImportPath string
	Standard   bool
	CgoFiles   []string
	Imports    []string
	neededBy   string
}

// dependencies lists packages and everything that they link, as on a machine with
// cgo.
func dependencies(t *testing.T, packages []string) []*dependency {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps", "-tags=duckdb_arrow", "-json=ImportPath,Standard,CgoFiles,Imports"}, packages...)...)
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []*dependency
	byPath := map[string]*dependency{}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		p := &dependency{}
		if err := decoder.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
		byPath[p.ImportPath] = p
	}
	for _, p := range all {
		for _, i := range p.Imports {
			if d := byPath[i]; d != nil && d.neededBy == "" {
				d.neededBy = p.ImportPath
			}
		}
	}
	return all
}

// expand lists the packages that match the patterns, except those that match a
// pattern after a minus sign.
func expand(t *testing.T, patterns []string) []string {
	t.Helper()
	var out []string
	without := map[string]bool{}
	for _, pattern := range patterns {
		if left, ok := strings.CutPrefix(pattern, "-"); ok {
			without[left] = true
		}
	}
	for _, pattern := range patterns {
		if strings.HasPrefix(pattern, "-") {
			continue
		}
		for _, p := range list(t, pattern) {
			if !without[p.ImportPath] {
				out = append(out, p.ImportPath)
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("%v names no package", patterns)
	}
	return out
}
