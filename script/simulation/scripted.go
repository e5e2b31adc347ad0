package simulation

import (
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"ballast/internal/nearest"
	"ballast/script"
	"ballast/simulate"
)

// scripted decides by calling the script for every path and step. Each worker has a
// caller and a context of its own.
type scripted struct {
	plan     *simulate.Plan
	inputs   starlark.Value
	first    int // number of the run's first path; only path 0 logs
	contexts []*pathContext
	memory   []memory // by path
	records  *records
}

var _ simulate.Decider = (*scripted)(nil)

// newScripted prepares to decide for paths first to first+paths−1.
func newScripted(caller *script.Caller, plan *simulate.Plan, in script.Inputs, first, paths int) (*scripted, error) {
	s := &scripted{plan: plan, inputs: script.InputsValue(in), first: first, memory: make([]memory, paths), records: newRecords(plan.Horizon()/plan.StepMonths, paths)}
	for worker := range simulate.Workers() {
		own := caller
		if worker > 0 {
			var err error
			if own, err = caller.Fork(); err != nil {
				return nil, err
			}
		}
		s.contexts = append(s.contexts, newContext(s, own))
	}
	return s, nil
}

// Decide calls the script. Errors are *script.RunError.
func (s *scripted) Decide(worker, path int, state *simulate.State) (simulate.Decision, error) {
	c, m := s.contexts[worker], &s.memory[path]
	c.begin(path, state, m)
	c.caller.Silence(s.first+path > 0)
	v, err := c.caller.Call(c)
	if err != nil {
		return simulate.Decision{}, err
	}
	d, err := s.decision(v, m)
	if err != nil {
		return d, &script.RunError{
			Type:    script.ScriptError,
			Message: fmt.Sprintf("in month %d of path %d, simulate %v", state.Month+1, s.first+path, err),
		}
	}
	if state.Month == 0 {
		m.first = d.Money
	}
	m.last = d.Money
	return d, nil
}

// decision reads what simulate returned.
func (s *scripted) decision(v starlark.Value, m *memory) (simulate.Decision, error) {
	d := simulate.Decision{Money: m.last}
	if v == starlark.None {
		return d, nil
	}
	answer, ok := v.(*starlark.Dict)
	if !ok {
		money, err := moneyOf(v)
		return simulate.Decision{Money: money}, err
	}
	for _, item := range answer.Items() {
		key, _ := starlark.AsString(item[0])
		var err error
		switch {
		case key == "withdraw" && item[1] == starlark.None, key == "weights" && item[1] == starlark.None:
		case key == "withdraw":
			d.Money, err = moneyOf(item[1])
		case key == "weights":
			d.Weights, err = s.weights(item[1])
		default:
			err = fmt.Errorf(`returned the key %s; it may return "withdraw" and "weights"`, item[0])
		}
		if err != nil {
			return d, err
		}
	}
	return d, nil
}

func moneyOf(v starlark.Value) (float64, error) {
	money, ok := starlark.AsFloat(v)
	switch {
	case !ok:
		return 0, fmt.Errorf(`returned a %s; it must return money, {"withdraw": money, "weights": {...}}, or None for the money of the step before`, v.Type())
	case math.IsNaN(money) || math.IsInf(money, 0):
		return 0, fmt.Errorf("returned %v; money must be a finite number", money)
	}
	return money, nil
}

// weights reads a dictionary of weights by symbol. Members that it leaves out have
// none.
func (s *scripted) weights(v starlark.Value) ([]float64, error) {
	d, ok := v.(*starlark.Dict)
	if !ok {
		return nil, fmt.Errorf("returned weights as a %s; they must be a dictionary from symbols to weights", v.Type())
	}
	weights := make([]float64, len(s.plan.Weights))
	for _, item := range d.Items() {
		symbol, _ := starlark.AsString(item[0])
		i := slices.Index(s.plan.Months.Keys, symbol)
		if i < 0 {
			if near := nearest.Match(symbol, s.plan.Months.Keys); near != "" {
				return nil, fmt.Errorf("returned a weight of %s, which is not in the universe; did you mean %s?", item[0], near)
			}
			return nil, fmt.Errorf("returned a weight of %s, which is not in the universe", item[0])
		}
		w, ok := starlark.AsFloat(item[1])
		if !ok || math.IsNaN(w) || math.Abs(w) > 100 {
			return nil, fmt.Errorf("returned %s as the weight of %s; a weight is a number such as 0.6 for 60 %%", item[1], symbol)
		}
		weights[i] = w
	}
	return weights, nil
}
