package archtest

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ballast/internal/testenv"
)

// moduleRow is a row of a table of modules: the path in backticks, then what it is for.
var moduleRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.*\\S) \\|$")

// TestDependenciesPageListsEveryModule compares the modules that go.mod requires
// directly with docs/dependencies.md, which says what each is for.
func TestDependenciesPageListsEveryModule(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(testenv.Root(t), "docs", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	binary, tests := section(t, string(page), "In the binary"), section(t, string(page), "Only in tests")
	required, imported := directModules(t), importedModules(t)
	for _, module := range required {
		inBinary, inTests := slices.Contains(binary, module), slices.Contains(tests, module)
		switch {
		case !inBinary && !inTests:
			t.Errorf("go.mod requires %s, which docs/dependencies.md does not list: add a row that says what it is for", module)
		case inBinary && inTests:
			t.Errorf("docs/dependencies.md lists %s twice", module)
		case inBinary && !imported[module]:
			t.Errorf("docs/dependencies.md lists %s as part of the binary, but only tests import it", module)
		case inTests && imported[module]:
			t.Errorf("docs/dependencies.md lists %s under tests, but the binary imports it", module)
		}
	}
	for _, module := range slices.Concat(binary, tests) {
		if !slices.Contains(required, module) {
			t.Errorf("docs/dependencies.md lists %s, which go.mod does not require directly: remove the row", module)
		}
	}
}

// section returns the modules in the table below a heading of the page.
func section(t *testing.T, page, heading string) []string {
	t.Helper()
	_, text, found := strings.Cut(page, "\n## "+heading+"\n")
	if !found {
		t.Fatalf("docs/dependencies.md has no section %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	var modules []string
	for _, row := range moduleRow.FindAllStringSubmatch(text, -1) {
		modules = append(modules, row[1])
	}
	if rows := strings.Count(text, "\n|") - 2; rows != len(modules) {
		t.Errorf("section %q of docs/dependencies.md has %d rows, of which %d name a module in backticks and say what it is for", heading, rows, len(modules))
	}
	return modules
}

func directModules(t *testing.T) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", filepath.Join(testenv.Root(t), "go.mod")).Output()
	if err != nil {
		t.Fatalf("go mod edit: %v", err)
	}
	var file struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &file); err != nil {
		t.Fatal(err)
	}
	var direct []string
	for _, r := range file.Require {
		if !r.Indirect {
			direct = append(direct, r.Path)
		}
	}
	if len(direct) < 10 {
		t.Fatalf("go.mod requires %d modules directly, which cannot be all of them", len(direct))
	}
	return direct
}

// importedModules are the direct modules that a package of the binary imports.
func importedModules(t *testing.T) map[string]bool {
	t.Helper()
	direct := directModules(t)
	imported := map[string]bool{}
	for _, p := range list(t, "-deps", "ballast/cmd/ballast") {
		if !within(p.ImportPath, "ballast") {
			continue
		}
		for _, i := range p.Imports {
			longest := ""
			for _, module := range direct {
				if within(i, module) && len(module) > len(longest) {
					longest = module
				}
			}
			imported[longest] = true
		}
	}
	if len(imported) < 10 {
		t.Fatalf("the binary imports %v, which cannot be all of its modules", slices.Sorted(maps.Keys(imported)))
	}
	return imported
}
