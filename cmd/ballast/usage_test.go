package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestWrongCommandLines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"nonsense":                               `there is no command "nonsense" in ballast; it has account`,
		"imprt":                                  "did you mean import?",
		"import prices.csv":                      "ballast import bars prices.csv",
		"import brs":                             "did you mean bars?",
		"account close":                          "usage: ballast account close NAME",
		"account create a --plan gold":           "accepted are free, pro and business",
		"keys rotate":                            "it has create, list, revoke",
		"keys create":                            `"account" not set`,
		"audit show":                             "it has list",
		"backup":                                 "--out DIR",
		"restore":                                "--from DIR",
		"serve --nope":                           "unknown flag: --nope",
		"serve --workers many":                   `invalid argument "many"`,
		"serve now":                              "unknown command",
		"export bars":                            `"out" not set`,
		"export prices --out x.csv":              "name one of assets, bars",
		"export bars --out x.xlsx":               "end the name in .parquet, .arrow or .csv",
		"export bars --out x --format xls":       "accepted are",
		"export returns --out x":                 "--account is needed",
		"import bars":                            "name files",
		"import bars a.csv --symbols SPY":        "exclude each other",
		"run":                                    "--bars",
		"run a.py --bars b.csv --risk-free 4":    "--risk-free: 4 is more than 1; rates are fractions: 0.04 is 4 %",
		"run a.py --bars b.csv --risk-free 1.01": "1.01 is more than 1",
		"run a.py --bars b.csv --risk-free Inf":  "more than 1",
		"run a.py --bars b.csv --risk-free -1":   "above -1 and up to 1",
		"run a.py --bars b.csv --risk-free NaN":  "NaN is not an annual rate",
		"validate":                               "usage: ballast validate FILE…",
		"describe":                               "usage: ballast describe FILE…",
		"version 2":                              "unknown command",
		"run a.py --bars b.csv --config /nowhere/ballast.yaml": "does not exist",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			out, errs, code := command(t, strings.Fields(line)...)
			if code != codeUsage || !strings.Contains(errs, want) || out != "" {
				t.Errorf("exit code %d, output %q, errors %q, want %q", code, out, errs, want)
			}
		})
	}
}

// A group without arguments shows its commands.
func TestGroupsShowTheirHelp(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"", "import", "account", "keys", "audit"} {
		out, errs, code := command(t, strings.Fields(group)...)
		if code != 0 || errs != "" || !strings.Contains(out, "Available Commands") {
			t.Errorf("ballast %s: exit code %d, output %q, errors %q", group, code, out, errs)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	out := must(t, "version")
	for _, name := range []string{"ballast ", "commit ", "Go ", "DuckDB ", "contract "} {
		if !strings.Contains(out, name) {
			t.Errorf("the versions lack %q:\n%s", name, out)
		}
	}
	if flag := must(t, "--version"); flag != out {
		t.Errorf("--version prints\n%s\nand version\n%s", flag, out)
	}
}

// Every command has an example, because people copy examples, and describes its
// flags.
func TestEveryCommandHasAnExample(t *testing.T) {
	t.Parallel()
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.IsAvailableCommand() && c.Runnable() && !c.HasSubCommands() && c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(rootCommand())
}
