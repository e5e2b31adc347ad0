package sandbox

import (
	"context"
	"fmt"

	"ballast/optimize/optimizer"
	"ballast/script"
	"ballast/script/harness"
)

// The table of an optimizer's result, and its columns.
const (
	WeightsTable = "weights"
	KeyColumn    = "key"
	WeightColumn = "weight"
)

// optimizers returns the optimizers that the script may use, none of them used so far.
func (c *compiler) optimizers(r request) (*harness.Optimizers, error) {
	return harness.NewOptimizers(r.Optimizers, r.frame.BarsPerYear, func(d optimizer.Definition) (harness.Allocator, error) {
		return c.rule(d.Script, d.Inputs)
	})
}

// rule prepares the script of an optimizer.
func (c *compiler) rule(source string, values map[string]any) (*script.Rule, error) {
	p, failed := c.compile(script.Kinds{script.Optimizer}, source)
	if failed != nil {
		return nil, fmt.Errorf("line %d of its script: %s", failed.Line, failed.Message)
	}
	inputs, details := p.Bind(values)
	if len(details) > 0 {
		return nil, fmt.Errorf("%s %s", details[0].Field, details[0].Message)
	}
	return script.NewRule(p, inputs), nil
}

// allocate calls an optimizer's script once, with the returns of the frame as its panel.
func (c *compiler) allocate(ctx context.Context, r request) finished {
	p, failed := c.compile(script.Kinds{script.Optimizer}, r.Source)
	if failed != nil {
		return finished{err: failed}
	}
	inputs, details := p.Bind(r.Inputs)
	if len(details) > 0 {
		return finished{err: &failure{Type: script.InternalError, Message: fmt.Sprintf("the inputs do not match the script: %s %s", details[0].Field, details[0].Message)}}
	}
	in := optimizer.Input{Current: r.Current, BarsPerYear: r.frame.BarsPerYear}
	for i := range r.frame.Members {
		m := &r.frame.Members[i]
		in.Symbols, in.Returns = append(in.Symbols, m.Key), append(in.Returns, m.Returns[1:len(m.Returns):len(m.Returns)])
	}
	weights, log, steps, err := script.Allocate(ctx, p, inputs, in, script.RunnerLimits{Steps: r.Steps})
	f := finished{log: log, steps: steps}
	if err != nil {
		f.err = failureOf(err)
		return f
	}
	f.answer = &script.Answer{Tables: []script.Table{{Name: WeightsTable, Columns: []script.Column{
		{Name: KeyColumn, Texts: in.Symbols}, {Name: WeightColumn, Numbers: weights},
	}}}}
	return f
}
