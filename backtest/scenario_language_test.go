package backtest_test

import (
	"math"
	"strings"
	"testing"
)

// TestScenarioErrors checks that an error says where a scenario is wrong.
func TestScenarioErrors(t *testing.T) {
	t.Parallel()
	const two = "load returns\n date A\n 2024-01-02 -\n 2024-01-03 0.1\n"
	const whole = two + "model\n target A 1\nrun\n"
	for _, c := range []struct{ name, text, says string }{
		{"an unknown directive", "\nlaod returns\n", `f:2: "laod" is none of load`},
		{"a line that belongs to nothing", " 2024-01-02\n", "f:1: the line is indented"},
		{"a table without a header", "load returns\n 2024-01-02 0\n", "f:1: a table begins with a header"},
		{"a missing cell", "load returns\n date A B\n 2024-01-02 -\n", "f:3: 1 cells under 2 columns"},
		{"a date that goes back", "load returns\n date A\n 2024-01-02 -\n 2024-01-02 0\n", "f:4: 2024-01-02 does not come after 2024-01-02"},
		{"a date that is none", "load returns\n date A\n 2024-13-02 -\n", "f:3: "},
		{"a number that is none", "load returns\n date A\n 2024-01-02 -\n 2024-01-03 1+\n", `f:4: "1+" is not a number`},
		{"returns without a first bar", "load returns\n date A\n 2024-01-02 0\n", "f:3: A: the first bar of a column"},
		{"an unknown flag", "load returns\n date A/dead\n 2024-01-02 -\n", `f:2: "dead" is neither`},
		{"an unknown line of a model", two + "model\n fil close\nrun\n", `f:6: "fil close" is not understood`},
		{"half a target", two + "model\n target A\nrun\n", "f:6: a target is members and weights"},
		{"no model", two + "run\n", "f:5: there is no model"},
		{"a session without a decision", two + "model\n on 2024-01-02 A 1\nrun\n", "nothing says what is decided on 2024-01-03"},
		{"a decision on no session", whole[:len(whole)-4] + " on 2024-01-05 A 1\nrun\n", "f:7: 2024-01-05 is not one of the decision sessions"},
		{"a model that was not kept", "load models M\n", "f:1: no run was kept as M"},
		{"a column that is none", whole + "expect rows\n date wieght.A\n", "f:9: wieght.A is not a column"},
		{"a wrong number", whole + "expect some rows\n date return\n 2024-01-03 0.2\n", "f:10: 2024-01-03: return is 0.1, want 0.2"},
		{"too few rows", whole + "expect rows\n date return\n 2024-01-02 0\n", "f:8: 1 rows, but"},
		{"a wrong word", whole + "expect ledger\n 2024-01-02 from 2024-01-02 schedule 1 A 0->1\n", `f:9: "schedule" is start`},
		{"a line too few", whole + "expect ledger\n", "f:8: there is also"},
		{"a line too many", whole + "expect warnings\n ruin 2024-01-03 to 2024-01-03 1\n", "f:9: there is no such line"},
		{"a wrong field", whole + "expect summary\n fill next_close\n", "f:9: fill is close"},
		{"wrong dates", whole + "expect decisions\n 2024-01-02\n", "f:8: [2024-01-02 2024-01-03], want [2024-01-02]"},
		{"an error that does not come", whole + "expect error no bar\n", "f:8: the run ended with <nil>"},
		{"an error that nobody expects", two + "model\n target A nan\nrun\n", "f: the last run failed: 2024-01-02: A: the target is not a finite number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var all []string
			for _, err := range runScenario(t, "f", c.text) {
				all = append(all, err.Error())
			}
			if got := strings.Join(all, "\n"); !strings.Contains(got, c.says) {
				t.Errorf("it says %q, not %q", got, c.says)
			}
		})
	}
	if problems := runScenario(t, "f", whole); problems != nil {
		t.Error(problems)
	}
}

func TestArithmetic(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"1": 1, "-1.5": -1.5, "1+2*3": 7, "(1+2)*3": 9, "2^3^2": 512, "-2^2": -4, "1/4/2": 0.125, "1-2-3": -4, "1e-3*2": 0.002, "1e3": 1000, "2*-3": -6,
		"inf": math.Inf(1),
	} {
		if got, err := arithmetic(text); err != nil || got != want {
			t.Errorf("%s = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "+", "1+", "(1", "1)", "a", "1 2", "--", "1..2"} {
		if got, err := arithmetic(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
