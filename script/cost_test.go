package script

import (
	"testing"
	"time"
)

// TestBuiltinsCountElementsAsSteps checks that no built-in function exceeds the step limit
// within one step of the interpreter.
func TestBuiltinsCountElementsAsSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body string }{
		{"sum", "sum(range(pow(10, 12)))"},
		{"max", "max(range(pow(10, 12)))"},
		{"min with a key", "min(range(pow(10, 12)), key=lambda x: 0)"},
		{"any", "any(range(0, pow(10, 12)))"},
		{"all", "all(range(1, pow(10, 12)))"},
		{"list", "list(range(pow(10, 9)))"},
		{"tuple", "tuple(range(pow(10, 9)))"},
		{"set", "set(range(pow(10, 9)))"},
		{"dict", "dict(zip(range(pow(10, 9)), range(pow(10, 9))))"},
		{"sorted", "sorted(range(pow(10, 9)))"},
		{"reversed", "reversed(range(pow(10, 9)))"},
		{"enumerate", "enumerate(range(pow(10, 9)))"},
		{"zip", "zip(range(pow(10, 9)), range(pow(10, 9)))"},
		{"many small ones", "[sum(range(50000)) for i in range(1000)]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			_, _, err := execute(t, daily+"def decide(ctx):\n    x = "+c.body+"\n    return {}\n", nil, RunnerLimits{Steps: 1_000_000})
			if got := AsRunError(err); err == nil || got.Type != StepLimit || got.Date != "2020-01-02" || got.Line == 0 {
				t.Errorf("%v", err)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

func TestBuiltinsStillWork(t *testing.T) {
	t.Parallel()
	body := `
    x = [sum([1, 2]), max([1, 3]), max(4, 5), min({"b": 1, "a": 2}), list((1, 2)), sorted([2, 1], reverse=True), dict([("k", 1)], j=2)]
    x += [zip(range(pow(10, 12)), [1]), enumerate(["a"], 1), reversed([1, 2]), tuple([1]), any([0, 1]), all([]), sorted(set([2, 2, 1])), sum(ctx.returns("SPY")) == 0]
    print(x)
    return {}
`
	_, r, err := execute(t, daily+"def decide(ctx):"+body, nil, RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	want := `2020-01-02 [3, 3, 5, 'a', [1, 2], [2, 1], {'k': 1, 'j': 2}, [(0, 1)], [(1, 'a')], [2, 1], (1,), True, True, [1, 2], True]`
	if got := r.Log()[0]; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
