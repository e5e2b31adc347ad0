package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Packages that make race leaves out start no goroutine.
func TestRaceLeavesOutOneGoroutine(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile(filepath.Join("..", "..", "scripts", "race-packages"))
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^single='(.+)'$`).FindSubmatch(script)
	if list == nil {
		t.Fatal("scripts/race-packages does not list what it leaves out")
	}
	left := map[string]bool{}
	for name := range strings.SplitSeq(string(list[1]), "|") {
		left[name] = false
	}
	sources(t, func(path string, file *ast.File) {
		name := filepath.ToSlash(filepath.Dir(path))
		if _, listed := left[name]; !listed || strings.HasSuffix(path, "_test.go") {
			return
		}
		left[name] = true
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if _, starts := n.(*ast.GoStmt); starts || ok && call.Sel.Name == "Go" {
				t.Errorf("%s starts a goroutine: scripts/race-packages must not leave out %s", path, name)
			}
			return true
		})
	})
	for name, found := range left {
		if !found && name != "examples" { // which has tests alone
			t.Errorf("scripts/race-packages leaves out %s, which is no package", name)
		}
	}
}
