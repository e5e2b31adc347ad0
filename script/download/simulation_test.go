package download_test

import (
	"encoding/json"
	"fmt"
	"maps"

	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ballast/internal/testenv"
	"ballast/script"
	"ballast/script/download"
	"ballast/script/harness"
	"ballast/script/sandbox"
	"ballast/script/simulation"
)

// simulationScripts use everything that a simulation's script can see and return.
var simulationScripts = []string{
	`    return withdraw_fixed(ctx, rate=ctx.inputs.rate)`,
	`    return withdraw_fixed(ctx, amount=30000) - contribute(ctx, 12000, growth=0.01) * 0.5`,
	`    return withdraw_percentage(ctx, 0.05) + flows(ctx, [{"first": 2, "last": 4, "amount": 9000}, {"first": 3, "last": 3, "amount": -5000, "real": False}])`,
	`    return withdraw_floor_ceiling(ctx, 0.05, 0.8, 1.1) if ctx.value > 0 else 0`,
	`    return guyton_klinger(ctx, 0.05) if ctx.step < 3 else vpw(ctx)`,
	`    return guyton_klinger(ctx, rate=0.045, guard=0.1, change=0.05)`,
	`    if ctx.years_left > 3:
        return contribute(ctx, 50000)
    return guyton_klinger(ctx, 0.06) if ctx.years_left > 1 else ratchet(ctx, 0.05, above=0.9) + withdraw_floor_ceiling(ctx, 0.05, 0.9, 1.05)`,
	`    return life_expectancy(ctx, 75) - ratchet(ctx, 0.03, raise_by=0.2, above=1.02)`,
	`    return -contribute(ctx, 12000)`,
	`    return 0.04 * ctx.start_value * ctx.price_level if ctx.step == 0 else ctx.last_withdrawal * (1 + ctx.inflation)`,
	`    past = ctx.returns(12)
    ctx.record("past", past.sum() if len(past) > 0 else 0)
    ctx.record("all", len(ctx.returns()))
    ctx.record("late", ctx.step > 1)
    ctx.record("gain", ctx.value if ctx.value > ctx.start_value else None)
    ctx.record("never", None)
    if len(past) > 2 and past.mean() < 0:
        return None
    return ctx.real_value * 0.05`,
	`    ctx.log("step %d of path, %s years left" % (ctx.step, ctx.years_left))
    print("first", ctx.first_withdrawal)
    ctx.record("stocks", ctx.weights["A"])
    if ctx.step % 2 == 0:
        return {"withdraw": 0.02 * ctx.peak, "weights": {"A": 0.9, "B": 0.1}}
    if ctx.step == 1:
        return {"weights": {"B": 0.5}}
    return None`,
	`    if ctx.step < 2:
        return vpw(ctx)
    ctx.record("drifted", ctx.weights["B"])
    return {"weights": {"A": 0.2}} if ctx.step == 3 else None`,
	`    stocks = min(1.0, ctx.years_left / 10)
    return {"withdraw": withdraw_fixed(ctx, 0.04), "weights": {"A": stocks, "B": 1 - stocks}}`,
	`    drifted = ctx.weights
    if drifted["A"] > 0.6:
        return {"weights": {s: 0.5 * w / sum(drifted.values()) for s, w in drifted.items()}, "withdraw": None}
    return {"withdraw": sum([w * 100000 for w in drifted.values()])}`,
	`    total = 0
    for k in range(3):
        total += ratchet(ctx, 0.01 * (k + 1), above=1 + 0.02 * k)
    return total if ctx.first_withdrawal is None else max(total, ctx.first_withdrawal)`,
}

const simulationHead = `"""A plan."""
from harness import contribute, flows, guyton_klinger, life_expectancy, ratchet, vpw, withdraw_fixed, withdraw_floor_ceiling, withdraw_percentage
NAME = "Plan"
STEP = %q
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
    "rate": {"type": "number", "default": 0.04},
    "paths": {"type": "integer", "default": 120},
    "years": {"type": "integer", "default": 4},
}


def simulate(ctx):
%s
`

// simulationRun is a script with its inputs, the command's arguments and the service's answer.
type simulationRun struct {
	executed
	source string
	inputs map[string]any
	path   *int
}

// TestSimulationParity runs scripts in the service's package and as downloads.
func TestSimulationParity(t *testing.T) {
	t.Parallel()
	interpreter(t)
	folder := t.TempDir()
	var runs []simulationRun
	rounds := 3
	if testenv.Brief() {
		rounds = 1
	}
	for i := range rounds * len(simulationScripts) {
		r := rand.New(rand.NewPCG(uint64(i), 43))
		one := func(of ...any) any { return of[r.IntN(len(of))] }
		run := simulationRun{
			source: fmt.Sprintf(simulationHead, one("yearly", "quarterly", "monthly"), simulationScripts[i%len(simulationScripts)]),
			inputs: map[string]any{
				"source": one("stationary", "circular", "independent", "normal", "student_t", "history"), "rebalance": one("monthly", "quarterly", "yearly", "never"),
				"seed": float64(r.IntN(1000)), "fee": one(0.0, 0.01), "since": one(0.0, 0.0, 2003.0), "block": one(12.0, 0.0, 4.5), "weights": one(nil, []any{0.6, 0.4}, []any{0.3, 0.2}),
			},
			executed: executed{out: filepath.Join(folder, fmt.Sprint("out", i))},
		}
		if i%4 == 3 {
			path := r.IntN(10)
			run.path = &path
		}
		run.execute(t, r, folder, fmt.Sprint("simulation", i))
		runs = append(runs, run)
	}
	requests := make([]request, len(runs))
	for i := range runs {
		requests[i] = runs[i].request
	}
	c := &closeness{}
	for i, got := range runAll(t, requests) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			runs[i].compare(t, c, got)
			if t.Failed() {
				t.Log(runs[i].source, runs[i].request.Arguments)
			}
		})
	}
	t.Logf("%d simulations, %d numbers, %d of them bit for bit; the largest relative difference is %.3g, of %s", len(runs), c.numbers, c.exact, c.largest, c.worst)
}

// execute runs the script in the service's package, and prepares the request for the download.
func (s *simulationRun) execute(t *testing.T, r *rand.Rand, folder, name string) {
	t.Helper()
	p, problems := script.Kinds{script.Model, simulation.Kind}.Check(s.source, nil)
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, s.source)
	}
	in, details := p.Bind(s.inputs)
	if len(details) > 0 {
		t.Fatal(details)
	}
	frame, text := dailyMarket(t, r, "A", "B")
	caller, err := script.NewCaller(t.Context(), p, script.RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	s.answer, s.err = simulation.Execute(t.Context(), sandbox.Call{Caller: caller, Inputs: in, Frame: frame, Path: s.path, Progress: func(float64) {}})
	s.log = caller.Log()
	file, err := download.Render(p, download.Options{Model: "simulation_1"})
	if err != nil {
		t.Fatal(err)
	}
	s.request = request{save(t, folder, name+".py", file), []string{"--json", "--out", s.out, "--bars", save(t, folder, name+".csv", []byte(text))}}
	for _, key := range slices.Sorted(maps.Keys(s.inputs)) {
		value, err := json.Marshal(s.inputs[key])
		if err != nil {
			t.Fatal(err)
		}
		s.request.Arguments = append(s.request.Arguments, "--input", key+"="+string(value))
	}
	if s.path != nil {
		s.request.Arguments = append(s.request.Arguments, "--path", fmt.Sprint(*s.path))
	}
}

// TestSimulationParityCoversTheRules fails if a rule or an attribute of ctx occurs in no script.
func TestSimulationParityCoversTheRules(t *testing.T) {
	t.Parallel()
	all := strings.Join(simulationScripts, "\n")
	for _, name := range harness.Names() {
		if harness.KindOf(name) == simulation.Kind.Name && !strings.Contains(all, name+"(ctx") {
			t.Errorf("no script calls %s", name)
		}
	}
	for _, name := range simulation.Kind.Context {
		if !strings.Contains(all, "ctx."+name) {
			t.Errorf("no script reads ctx.%s", name)
		}
	}
}
