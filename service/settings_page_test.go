package service

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestOperationsPageListsEverySetting compares the flags of the service with the tables
// of settings in docs/operations.md.
func TestOperationsPageListsEverySetting(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, settings, found := strings.Cut(string(page), "\n## Configuration\n")
	settings, _, end := strings.Cut(settings, "\n## ")
	if !found || !end {
		t.Fatal("docs/operations.md has no section Configuration")
	}
	listed := map[string]int{}
	names := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(settings) {
		if row, isRow := strings.CutPrefix(line, "| `"); isRow {
			first, _, _ := strings.Cut("`"+row, " | ")
			for _, name := range names.FindAllStringSubmatch(first, -1) {
				listed[name[1]]++
			}
		}
	}
	flags := pflag.NewFlagSet("service", pflag.ContinueOnError)
	Bind(flags, new(Config).ForService()...)
	flags.VisitAll(func(f *pflag.Flag) {
		if listed[f.Name] != 1 {
			t.Errorf("docs/operations.md lists the setting %s %d times; list it once, in the table of its group", f.Name, listed[f.Name])
		}
		delete(listed, f.Name)
	})
	for name := range listed {
		t.Errorf("docs/operations.md lists %s, which is not a setting of the service", name)
	}
}
