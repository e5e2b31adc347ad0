// Package archtest holds the architecture to its word: which package may import which.
package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// rules name prefixes of packages that a package, and those below it, may not
// import. The first rule whose prefix fits a package holds.
var rules = []struct {
	of   string
	bans []string // "" is the whole module
	but  []string
}{
	{of: "service", bans: []string{"cmd"}},
	{of: "storage/columnar", bans: []string{""}},
	{of: "storage/duck", bans: []string{""}},
	{of: "postgres", bans: []string{"api", "cmd", "service", "script/sandbox", "storage/columnar", "storage/duck"}},
	{of: "internal", bans: []string{""}, but: []string{"internal", "postgres"}},
	{of: "timeseries/bars", bans: []string{"api", "cmd", "service", "program", "script", "backtest", "postgres"}},
	{of: "timeseries", bans: []string{"api", "cmd", "service", "program", "script", "backtest", "metrics", "storage"}},
	{of: "metrics", bans: []string{"api", "cmd", "service", "program", "script", "backtest", "catalog", "storage"}},
	{of: "backtest", bans: []string{"api", "cmd", "service", "program", "script", "catalog", "storage"}},
	{of: "script", bans: []string{"api", "cmd", "service", "program", "catalog", "storage"}},
	{of: "catalog", bans: []string{"api", "cmd", "service", "program", "script", "backtest", "postgres"}},
	{of: "doctor", bans: []string{""}, but: []string{"storage/columnar"}},
	{of: "backup", bans: []string{""}, but: []string{"storage/columnar"}},
	{of: "billing", bans: []string{"api", "cmd", "service", "program", "script", "backtest", "catalog", "storage"}},
	{of: "audit", bans: []string{""}},
	{of: "account", bans: []string{"api", "cmd", "service", "program", "script", "backtest", "catalog", "storage"}},
	{of: "webhook", bans: []string{""}},
	{of: "letter", bans: []string{""}},
	{of: "export", bans: []string{"api", "cmd", "service", "script", "postgres"}},
	{of: "program/execution", bans: []string{"api", "cmd", "service", "export", "postgres"}},
	{of: "program/backfills", bans: []string{"api", "cmd", "service", "export", "postgres", "program/execution", "program/history", "program/result"}},
	{of: "program/history", bans: []string{"api", "cmd", "service", "export", "postgres", "program/execution"}},
	{of: "program/result", bans: []string{"api", "cmd", "service", "export", "postgres", "program/execution", "program/history"}},
	{of: "program/generate", bans: []string{"api", "cmd", "service", "export", "postgres", "program/execution", "program/history", "program/result"}},
	{of: "program", bans: []string{"api", "cmd", "service", "postgres"}},
	{of: "api/limit", bans: []string{""}},
	{of: "api/transport", bans: []string{""}, but: []string{"timeseries"}},
	{of: "api/web", bans: []string{"api", "cmd", "service", "storage", "postgres", "script", "export", "webhook"}, but: []string{"api/transport"}},
	{of: "api", bans: []string{"cmd", "service", "storage"}},
}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestImportsFlowOneWay(t *testing.T) {
	t.Parallel()
	packages := list(t, "ballast/...")
	if len(packages) < 10 {
		t.Fatalf("go list found %d packages, which cannot be all of them", len(packages))
	}
	for _, p := range packages {
		name := strings.TrimPrefix(p.ImportPath, "ballast/")
		for _, rule := range rules {
			if !within(name, rule.of) {
				continue
			}
			for _, i := range p.Imports {
				imported, own := strings.CutPrefix(i, "ballast/")
				if own && !within(imported, rule.of) && anyWithin(imported, rule.bans) && !anyWithin(imported, rule.but) && !strings.HasPrefix(imported, "internal/") {
					t.Errorf("%s imports %s, against the rule of %s", name, imported, rule.of)
				}
			}
			break
		}
	}
}

func TestColumnsKnowNothingOfTheModule(t *testing.T) {
	t.Parallel()
	for _, p := range list(t, "ballast/...") {
		name := strings.TrimPrefix(p.ImportPath, "ballast/")
		if !within(name, "storage/columnar") && !within(name, "storage/duck") {
			continue
		}
		for _, i := range p.Imports {
			if imported, own := strings.CutPrefix(i, "ballast/"); own && !within(imported, "storage/columnar") && !within(imported, "storage/duck") {
				t.Errorf("%s imports %s", name, imported)
			}
		}
	}
}

// list gives what go list says of packages and their imports on Linux, whatever
// this machine runs: the sandbox exists there alone.
func list(t *testing.T, args ...string) []listed {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Imports"}, args...)...)
	command.Env = append(command.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

func within(name, prefix string) bool {
	return prefix == "" || name == prefix || strings.HasPrefix(name, prefix+"/")
}

func anyWithin(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if within(name, p) {
			return true
		}
	}
	return false
}
