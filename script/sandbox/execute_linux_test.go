package sandbox

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ballast/script"
)

const model = `"""All of it, evenly."""
from harness import equal_weight

NAME = "Even"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["A000", "A001", "A002"], "title": "Universe"},
    "share": {"type": "number", "default": 1.0, "minimum": 0, "maximum": 1, "title": "Share"},
}

def decide(ctx):
    ctx.record("breadth", len(ctx.universe))
    print("decided")
    BODY
    return {s: ctx.inputs.share / len(ctx.universe) for s in ctx.universe}
`

// scripted returns a job for the real interpreter, with body in its decide.
func scripted(tb testing.TB, body string) Job {
	tb.Helper()
	source := strings.Replace(model, "BODY", body, 1)
	p, problems := script.Check(source, nil)
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	inputs, details := p.Bind(nil)
	if len(details) > 0 {
		tb.Fatal(details)
	}
	return Job{Source: source, Inputs: inputs.Map(), Frame: panel(tb, 3, 300)}
}

func TestScripts(t *testing.T) {
	p := poolOf(t, Config{
		Command: []string{"/proc/self/exe", "script"}, Size: 1,
		Defaults: Limits{Deadline: 5 * time.Second, Memory: 256 << 20},
	})
	for _, c := range []struct {
		name, body string
		limits     Limits
		want       string
	}{
		{"sound", "", Limits{}, "complete"},
		{"again", "", Limits{}, "complete"},
		{"fails", "x = 1 // 0", Limits{}, string(script.ScriptError)},
		{"steps", "for i in range(100000000):\n        pass", Limits{Steps: 10000}, string(script.StepLimit)},
		{"time", "for i in range(100000000):\n        pass", Limits{Steps: 1 << 60, Deadline: 200 * time.Millisecond}, string(script.TimeLimit)},
		{"memory", "x = []\n    for i in range(100000000):\n        x.append('y' * 100000 + str(i))", Limits{Memory: 128 << 20}, string(script.MemoryLimit)},
		{"still sound", "", Limits{}, "complete"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := scripted(t, c.body)
			j.Limits = c.limits
			o, err := p.Run(t.Context(), j)
			if got := endOf(err); got != c.want {
				t.Fatalf("%s instead of %s: %v", got, c.want, err)
			}
			var e *script.RunError
			switch {
			case err == nil:
				if o.Steps == 0 || len(o.Log) != o.Summary.Decisions.Count || o.Daily().NumRows() != 300 {
					t.Errorf("%d steps, %d lines, %d rows", o.Steps, len(o.Log), o.Daily().NumRows())
				}
			case errors.As(err, &e) && e.CPU <= 0:
				t.Errorf("no processor time: %+v", e)
			case e.Type == script.ScriptError && (e.Line == 0 || e.Date != j.Frame.Axis[0].String() || e.Traceback == ""):
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestUncheckedScriptIsRefused(t *testing.T) {
	p := poolOf(t, Config{Command: []string{"/proc/self/exe", "script"}})
	if got := failed(t, p, "import os\n"); got.Type != script.ScriptError {
		t.Errorf("%+v", got)
	}
}
