package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"ballast/storage/columnar"
)

const retirement = `"""A plan."""
from harness import withdraw_fixed

NAME = "Retirement"
INPUTS = {"universe": {"type": "array", "default": ["SYN-WORLD", "SYN-BOND"]}, "years": {"type": "integer", "default": 5}, "paths": {"type": "integer", "default": 200}}


def simulate(ctx):
    ctx.log("started")
    return withdraw_fixed(ctx, rate=0.04)
`

func TestRunCommandOfASimulation(t *testing.T) {
	binary.Path(t)
	_, bars, err := writeSample(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	script := writeFile(t, "plan.py", retirement)
	folder := filepath.Join(t.TempDir(), "result")
	out, errs, code := command(t, "run", script, "--bars", bars, "--out", folder)
	if code != 0 || !strings.HasPrefix(errs, "log: started\n") {
		t.Fatalf("exit code %d, errors %q", code, errs)
	}
	for _, part := range []string{"Retirement", "Paths that pay everything", " %", "table bands", "61 rows", "table outcomes", "200 rows"} {
		if !strings.Contains(out, part) {
			t.Errorf("the output lacks %q:\n%s", part, out)
		}
	}
	table, err := columnar.ReadParquet(filepath.Join(folder, "outcomes.parquet"), []string{"path", "final", "depleted_step"})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	if table.NumRows() != 200 {
		t.Errorf("outcomes has %d rows", table.NumRows())
	}

	first, _, _ := command(t, "run", script, "--bars", bars, "--json")
	second, _, _ := command(t, "run", script, "--bars", bars, "--json")
	if first != second {
		t.Error("two runs differ")
	}
	var result struct {
		Scalars map[string]struct{ Value *float64 }
		Tables  map[string]struct {
			Rows    int
			Columns map[string][]any
		}
		Figures []struct{ Name, Table string }
	}
	if err := json.Unmarshal([]byte(first), &result); err != nil {
		t.Fatal(err)
	}
	if s := result.Scalars["success"].Value; s == nil || *s < 0 || *s > 1 {
		t.Errorf("success is %v", s)
	}
	if b := result.Tables["bands"]; b.Rows != 61 || len(b.Columns["p50"]) != 61 || b.Columns["p50"][0] != 1e6 {
		t.Errorf("bands are %v", b)
	}
	if len(result.Figures) == 0 || result.Figures[0].Table != "bands" {
		t.Errorf("figures are %v", result.Figures)
	}
	if out, errs, code := command(t, "validate", script); code != 0 || !strings.Contains(out, "valid: Retirement, simulation, ") {
		t.Errorf("exit code %d, output %q, errors %q", code, out, errs)
	}
	if _, errs, code := command(t, "run", script, "--bars", bars, "--risk-free", "0.02"); code != 2 || !strings.Contains(errs, "leave them out") {
		t.Errorf("a riskless rate: exit code %d, errors %q", code, errs)
	}
}
