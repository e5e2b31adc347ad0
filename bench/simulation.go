package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"ballast/script"
	"ballast/script/sandbox"
	"ballast/script/simulation"
	"ballast/timeseries"
)

// simulatedSessions are 22 years of history.
const simulatedSessions = 5600

// plan returns the script of a simulation of 60/40 of two members over 30 years, with
// the body of its simulate.
func plan(stocks, bonds, body string) string {
	return fmt.Sprintf(`from harness import withdraw_fixed

NAME = "Four per cent"
SYMBOL = "PLAN"
INPUTS = {"universe": {"type": "array", "default": [%q, %q]}, "weights": {"type": "array", "default": [0.6, 0.4]}}


def simulate(ctx):
%s`, stocks, bonds, body)
}

const (
	ruleBody = "    return withdraw_fixed(ctx, rate=0.04)\n"
	// scriptedBody looks at each path's value, so that it is called for every path and year.
	scriptedBody = "    if ctx.value > 2 * ctx.start_value:\n        return 0.05 * ctx.value\n    return withdraw_fixed(ctx, rate=0.04)\n"
)

// simulateAll runs a simulation in this process, over a frame of the assets A000 and A001.
func simulateAll(ctx context.Context, f *timeseries.Frame, body string, paths int) (*script.Answer, error) {
	p, problems := script.Kinds{simulation.Kind}.Check(plan("A000", "A001", body), nil)
	if len(problems) > 0 {
		return nil, errors.New(problems[0].String())
	}
	in, details := p.Bind(map[string]any{"paths": paths})
	if len(details) > 0 {
		return nil, errors.New(details[0].Message)
	}
	caller, err := script.NewCaller(ctx, p, script.RunnerLimits{})
	if err != nil {
		return nil, err
	}
	return simulation.Execute(ctx, sandbox.Call{Caller: caller, Inputs: in, Frame: f, Progress: func(float64) {}})
}

// simulationRule measures 10,000 paths of 360 months with a rule of the harness, and
// NumPy beside it.
func simulationRule(e *Env) Row {
	return Row{
		Name: "simulation, 10,000 paths × 360 months, a rule of the harness", Key: "SimulationRule",
		Bar: "≤ 60 ms", Limits: []Limit{{Figure: "p50", Most: 60}},
		Measure: func(ctx context.Context) (Result, error) {
			f, err := panel(2, simulatedSessions)
			if err != nil {
				return Result{}, err
			}
			took, err := repeat(ctx, e.count(40, 5), func() error {
				_, err := simulateAll(ctx, f, ruleBody, 10_000)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			r := Result{
				Figures: []Figure{milliseconds("p50", took.median()), milliseconds("fastest", took.percentile(0))},
				Note:    "script, drawing, all tables and scalars, in this process with both cores",
			}
			peer, err := numpySimulation(ctx, e, f)
			if err != nil {
				return Result{}, err
			}
			if peer > 0 {
				r.Figures = append(r.Figures, milliseconds("NumPy", peer))
				r.Note += "; NumPy draws, pays and takes the quantiles of the value, and nothing else"
			}
			return r, nil
		},
	}
}

// numpySimulation measures the same plan in NumPy, and compares the share of paths that
// last. It returns 0 where NumPy cannot be had.
func numpySimulation(ctx context.Context, e *Env, f *timeseries.Frame) (time.Duration, error) {
	if e.Smoke {
		return 0, nil // installs no packages
	}
	python, err := PreparePython(ctx, "bench/peers/requirements.txt", io.Discard)
	if err != nil {
		return 0, nil //nolint:nilerr // the figure is left out
	}
	dir, err := os.MkdirTemp("", "ballast-bench-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // only a temporary file
	months := map[string]float64{}
	for t, day := range f.Axis {
		month := day.String()[:len("2000-01")]
		if _, ok := months[month]; !ok {
			months[month] = 1
		}
		months[month] *= 1 + 0.6*f.Members[0].Returns[t] + 0.4*f.Members[1].Returns[t]
	}
	text, err := json.Marshal(months)
	if err != nil {
		return 0, err
	}
	file := filepath.Join(dir, "months.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return 0, err
	}
	out, err := output(exec.CommandContext(ctx, python, "bench/peers/simulation.py", file, strconv.Itoa(e.count(10, 1))))
	if err != nil {
		return 0, err
	}
	var peer struct{ Seconds, Success float64 }
	if err := json.Unmarshal(out, &peer); err != nil {
		return 0, err
	}
	ours, err := simulateAll(ctx, f, ruleBody, 10_000)
	if err != nil {
		return 0, err
	}
	// Its months are of daily rebalancing and its random numbers are its own.
	for _, s := range ours.Scalars {
		if s.Name == "success" && math.Abs(float64(s.Value)-peer.Success) > 0.03 {
			return 0, fmt.Errorf("NumPy finds success %v, the simulation %v", peer.Success, s.Value)
		}
	}
	return time.Duration(peer.Seconds * float64(time.Second)), nil
}

// simulationScripted measures a script that is called for each path and year.
func simulationScripted(e *Env) Row {
	return Row{
		Name: "the same with a rule in the script, 300,000 calls", Key: "SimulationScripted",
		Bar: "≤ 600 ms", Limits: []Limit{{Figure: "p50", Most: 600}},
		Measure: func(ctx context.Context) (Result, error) {
			f, err := panel(2, simulatedSessions)
			if err != nil {
				return Result{}, err
			}
			took, err := repeat(ctx, e.count(20, 3), func() error {
				_, err := simulateAll(ctx, f, scriptedBody, 10_000)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			return Result{Figures: []Figure{milliseconds("p50", took.median())}, Note: "in this process with both cores"}, nil
		},
	}
}

// simulationMemory measures everything that a large simulation allocates.
func simulationMemory(*Env) Row {
	return Row{
		Name: "memory of a simulation, 100,000 paths × 360 months", Key: "SimulationMemory",
		Bar: "≤ 300 MB", Limits: []Limit{{Figure: "allocated", Most: 300}},
		Measure: func(ctx context.Context) (Result, error) {
			f, err := panel(2, simulatedSessions)
			if err != nil {
				return Result{}, err
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := simulateAll(ctx, f, ruleBody, 100_000); err != nil {
				return Result{}, err
			}
			runtime.ReadMemStats(&after)
			return Result{
				Figures: []Figure{megabytes("allocated", int64(after.TotalAlloc-before.TotalAlloc))},
				Note:    "allocations added up, garbage too",
			}, nil
		},
	}
}

// simulationRun measures a run of a simulation over HTTP.
func simulationRun(e *Env) Row {
	return Row{
		Name: "POST runs with wait of a simulation, 10,000 paths × 360 months", Key: "SimulationRun",
		Bar: "p50 ≤ 120 ms", Limits: []Limit{{Figure: "p50", Most: 120}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			if !s.plans {
				if _, err := s.client.build(ctx, "simulations", plan("BENCH-00", "BENCH-01", ruleBody)); err != nil {
					return Result{}, err
				}
				s.plans = true
			}
			took, err := repeat(ctx, e.count(40, 5), func() error {
				s.runs++
				return s.client.run(ctx, "simulations/PLAN", map[string]any{"seed": s.runs})
			})
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{milliseconds("p50", took.median()), milliseconds("p99", took.percentile(0.99))},
				Note:    fmt.Sprintf("one client, %d snapshots, each with a seed of its own", len(took)),
			}, nil
		},
	}
}
