package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ballast/internal/testenv"
)

// TestManifestsNameSettings checks that every setting in deploy/ is a flag of some command:
// an unknown variable of the environment would be ignored.
func TestManifestsNameSettings(t *testing.T) {
	t.Parallel()
	flags := map[string]bool{"BALLAST_CONFIG": true}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			flags["BALLAST_"+strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))] = true
		})
		for _, x := range c.Commands() {
			visit(x)
		}
	}
	visit(rootCommand())
	var files []string
	for _, pattern := range []string{"deploy/kubernetes/*.yaml", "deploy/compose.yaml", "deploy/ballast.service", "deploy/Dockerfile"} {
		found, err := filepath.Glob(filepath.Join(testenv.Root(t), pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		files = append(files, found...)
	}
	named := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\bBALLAST_[A-Z_]+`).FindAllString(string(text), -1) {
			if named++; !flags[name] {
				t.Errorf("%s: %s is no setting", filepath.Base(file), name)
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d settings", named)
	}
}
