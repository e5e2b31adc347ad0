package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/storage/columnar"
)

func TestValidateCommand(t *testing.T) {
	good := writeFile(t, "good.py", fixedWeights("Good", "GOOD", "KA", 0.5))
	bad := writeFile(t, "bad.py", "NAME = \"Bad\"\nSCHEDULE = \"hourly\"\n\n\ndef decide(ctx):\n\treturn nonsense\n")

	out, errs, code := command(t, "validate", good)
	if code != 0 || errs != "" || !strings.HasPrefix(out, good+": valid: Good, monthly, ") {
		t.Errorf("good: exit code %d, output %q, errors %q", code, out, errs)
	}
	out, errs, code = command(t, "validate", good, bad)
	if code != 1 || !strings.HasPrefix(out, good+": valid") {
		t.Errorf("both: exit code %d, output %q", code, out)
	}
	lines := strings.Split(strings.TrimSpace(errs), "\n")
	for _, want := range [][]string{
		{bad + ":2:12: ", "  SCHEDULE = \"hourly\"", "             ^"},
		{bad + ":6:9: ", "  \treturn nonsense", "  \t       ^"},
	} {
		found := false
		for i := 0; i+2 < len(lines); i++ {
			found = found || strings.HasPrefix(lines[i], want[0]) && lines[i+1] == want[1] && lines[i+2] == want[2]
		}
		if !found {
			t.Errorf("no problem at %q with line and caret in\n%s", want[0], errs)
		}
	}
	if _, errs, code := command(t, "validate", "/nowhere.py"); code != 1 || !strings.Contains(errs, "/nowhere.py") {
		t.Errorf("absent file: exit code %d, errors %q", code, errs)
	}
}

func TestRunCommand(t *testing.T) {
	binary.Path(t)
	_, bars, err := writeSample(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	script := writeFile(t, "model.py", fixedWeights("Sample", "", "SYN-WORLD", 0.6, "SYN-GOLD", 0.4))
	folder := filepath.Join(t.TempDir(), "result")
	out, errs, code := command(t, "run", script, "--bars", bars, "--out", folder)
	if code != 0 || errs != "" {
		t.Fatalf("exit code %d, errors %q", code, errs)
	}
	for _, name := range []string{"Sample", "window", "total return", "CAGR", "Sharpe", "max drawdown", "decisions"} {
		if !strings.Contains(out, name) {
			t.Errorf("the output lacks %q:\n%s", name, out)
		}
	}
	for name, columns := range map[string][]string{
		"daily.parquet":  {"date", "return", "weight.SYN-WORLD", "weight.CASH"},
		"ledger.parquet": {"fill", "decided", "reason", "key", "target"},
	} {
		table, err := columnar.ReadParquet(filepath.Join(folder, name), columns)
		if err != nil {
			t.Fatal(err)
		}
		if table.NumRows() < 2 || int(table.NumCols()) != len(columns) {
			t.Errorf("%s has %d rows, %d columns", name, table.NumRows(), table.NumCols())
		}
		table.Release()
	}

	against, errs, code := command(t, "run", script, "--bars", bars, "--benchmark", "syn-bond")
	if code != 0 {
		t.Fatalf("exit code %d, errors %q", code, errs)
	}
	for _, name := range []string{"against SYN-BOND", "active return", "tracking error", "beta", "alpha", "correlation", "up capture"} {
		if !strings.Contains(against, name) {
			t.Errorf("the table with a benchmark lacks %q:\n%s", name, against)
		}
	}

	first, _, _ := command(t, "run", script, "--bars", bars, "--json")
	second, _, _ := command(t, "run", script, "--bars", bars, "--json")
	var metrics map[string]any
	if err := json.Unmarshal([]byte(first), &metrics); err != nil || metrics["total_return"] == nil {
		t.Errorf("the metrics are not JSON: %v\n%s", err, first)
	}
	if d := cmp.Diff(first, second); d != "" {
		t.Errorf("the same run again: %s", d)
	}
}

func TestRunCommandFailures(t *testing.T) {
	bars := smallMarket(t)
	tests := []struct {
		name   string
		script string
		args   []string
		want   string
	}{
		{"no bars in the command", fixedWeights("Lost", "", "KA", 1), []string{"extra"}, "usage: ballast run"},
		{"script fails", head("Fails", "", "monthly", []string{`"KA"`}) + "    return {\"KA\": 1 / (len(ctx.universe) - 1)}\n", nil, "script_error"},
		{"unknown member", fixedWeights("Lost", "", "KZ", 1), nil, "\"KZ\" is not in the files; they have KA, KB"},
		{"a member of an input", fixedWeights("Lost", "", "KA", 1), []string{"--input", `universe=["KZ"]`}, "the universe names KZ, which is not in the files; they have KA, KB"},
		{"bad input", fixedWeights("Input", "", "KA", 1), []string{"--input", "lookback=3"}, "lookback"},
		{"input without value", fixedWeights("Input", "", "KA", 1), []string{"--input", "lookback"}, "name=value"},
		{"unknown benchmark", fixedWeights("Benchmark", "", "KA", 1), []string{"--benchmark", "KZ"}, "no such symbol"},
		{"broken contract", "NAME = 1\n", nil, ":1:8: "},
		{"sandbox by another name", fixedWeights("Guard", "", "KA", 1), []string{"--sandbox", "none"}, "accepted are available and strict"},
		{"unknown order of dates", fixedWeights("Dates", "", "KA", 1), []string{"--dates", "ymd"}, "ballast: --dates \"ymd\" is unknown; accepted are dmy and mdy"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			script := writeFile(t, "model.py", test.script)
			_, errs, code := command(t, append([]string{"run", script, "--bars", bars}, test.args...)...)
			want := codeFailure
			if slices.Contains([]string{"no bars in the command", "bad input", "input without value", "sandbox by another name", "unknown order of dates"}, test.name) {
				want = codeUsage
			}
			if code != want || !strings.Contains(errs, test.want) {
				t.Errorf("exit code %d, errors %q, want %d and %q", code, errs, want, test.want)
			}
		})
	}
	refused := writeFile(t, "bars.csv", "symbol,date,close\nKA,2020-01-02,-5\nKA,2020-01-03,x\n")
	out, errs, code := command(t, "run", writeFile(t, "model.py", fixedWeights("Bars", "", "KA", 1)), "--bars", refused)
	if code != 1 || !strings.Contains(out+errs, "KA") {
		t.Errorf("refused bars: exit code %d, output %q, errors %q", code, out, errs)
	}
}
