package sandbox

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"ballast/backtest"
	"ballast/script"
	"ballast/script/harness"
	"ballast/timeseries"
)

// compiler caches the scripts that a child compiled last, because a model is
// run many times, above all in a sweep.
type compiler struct {
	families []Family
	kinds    script.Kinds
	scripts  map[string]*script.Script // by source
}

const maxScripts = 16

func newCompiler(families []Family) *compiler {
	return &compiler{families: families, kinds: kindsOf(families), scripts: make(map[string]*script.Script)}
}

// compile returns the checked script of source, which is of one of the kinds.
func (c *compiler) compile(kinds script.Kinds, source string) (*script.Script, *failure) {
	if p, ok := c.scripts[source]; ok && slices.Contains(kinds, p.Kind) {
		return p, nil
	}
	p, problems := kinds.Check(source, nil)
	if len(problems) > 0 {
		return nil, &failure{Type: script.ScriptError, Message: problems[0].Message, Line: problems[0].Line}
	}
	if len(c.scripts) >= maxScripts {
		clear(c.scripts)
	}
	c.scripts[source] = p
	return p, nil
}

// execute runs the script of r over its frame.
func (c *compiler) execute(ctx context.Context, r request) finished {
	if r.Optimizes {
		return c.allocate(ctx, r)
	}
	p, failed := c.compile(c.kinds, r.Source)
	if failed != nil {
		return finished{err: failed}
	}
	inputs, details := p.Bind(r.Inputs)
	if len(details) > 0 {
		return finished{err: &failure{Type: script.InternalError, Message: fmt.Sprintf("the inputs do not match the script: %s %s", details[0].Field, details[0].Message)}}
	}
	limits := script.RunnerLimits{Steps: r.Steps}
	if p.Kind != script.Model {
		return c.call(ctx, p, inputs, r, limits)
	}
	if len(r.Points) > 0 {
		return c.points(ctx, p, r)
	}
	runner, err := script.NewRunner(p, inputs, r.frame, limits)
	if err != nil {
		return finished{err: failureOf(err)}
	}
	rules, err := c.optimizers(r)
	if err != nil {
		return finished{err: failureOf(err)}
	}
	runner.UseOptimizers(rules)
	if r.Causality && len(r.State) == 0 {
		runner.Remember()
	}
	defer context.AfterFunc(ctx, func() { runner.Cancel(string(script.TimeLimit)) })()
	result, err := run(ctx, r, p.Spec(inputs), runner, r.following(runner))
	f := finished{result: result, log: runner.Log(), steps: runner.Steps(), used: rules.Uses()}
	if err != nil {
		f.err = failureOf(err)
		return f
	}
	f.check = func(ctx context.Context) (*backtest.Causality, error) {
		repetitions := 0
		return backtest.CheckCausality(ctx, r.frame, p.Spec(inputs), result, seedOf(p), func(past *timeseries.Frame) (backtest.Decider, error) {
			again, err := script.NewRunner(p, inputs, past, limits)
			if err == nil {
				var rules *harness.Optimizers
				if rules, err = c.optimizers(r); err != nil {
					return nil, err
				}
				again.UseOptimizers(rules)
				again.Repeat(runner)
				context.AfterFunc(ctx, func() { again.Cancel(string(script.TimeLimit)) })
			}
			repetitions++
			return r.repeating(again, past, repetitions), err
		})
	}
	return f
}

// call executes a script that is not a model with the family of its kind.
func (c *compiler) call(ctx context.Context, p *script.Script, inputs script.Inputs, r request, limits script.RunnerLimits) finished {
	i := slices.IndexFunc(c.families, func(family Family) bool { return family.Kind == p.Kind })
	caller, err := script.NewCaller(ctx, p, limits)
	if err != nil {
		return finished{err: failureOf(err)}
	}
	progress := func(float64) {}
	if r.at != nil {
		progress = func(done float64) { r.at.Store(int64(done * float64(len(r.frame.Axis)))) }
	}
	swept, err := sweptOf(r.frame, r.Swept)
	if err != nil {
		return finished{err: failureOf(err)}
	}
	answer, err := c.families[i].Execute(ctx, Call{Caller: caller, Inputs: inputs, Frame: r.frame, Path: r.Path, Swept: swept, Progress: progress})
	out := finished{answer: answer, log: caller.Log(), steps: caller.Steps()}
	if err != nil {
		out.err = failureOf(err)
	}
	return out
}

// following returns the runner as a decider that reports its progress.
func (r request) following(runner *script.Runner) backtest.Decider {
	if r.at == nil {
		return runner
	}
	return noting{runner, func(session int) { r.at.Store(int64(session)) }}
}

// repeating is like following, but for the n-th repetition of the causality
// check.
func (r request) repeating(runner *script.Runner, past *timeseries.Frame, n int) backtest.Decider {
	if r.at == nil {
		return runner
	}
	return noting{runner, func(session int) {
		part := (float64(n-1) + float64(session)/float64(len(past.Axis))) / backtest.MostCuts
		r.at.Store(int64(CausalityTotal * min(part, 1)))
	}}
}

// run starts from the state of r, if it has one.
func run(ctx context.Context, r request, spec backtest.Spec, runner *script.Runner, decider backtest.Decider) (*backtest.Result, error) {
	if len(r.State) == 0 {
		return backtest.Run(ctx, r.frame, spec, decider, backtest.Everything)
	}
	s, err := backtest.DecodeState(r.State)
	if err != nil {
		return nil, err
	}
	runner.Continue(s.Steps, s.Custom)
	return backtest.Resume(ctx, r.frame, spec, decider, backtest.Everything, s)
}

// seedOf returns the seed that chooses a script's cuts: the first 64 bits of
// its hash.
func seedOf(p *script.Script) uint64 {
	seed, err := strconv.ParseUint(p.Hash[:16], 16, 64)
	if err != nil {
		panic(err) // a hash is hexadecimal
	}
	return seed
}
