// Package script is the contract between a model's script and the service.
//
//	p, problems := script.Check(text, resolver) // static: nothing runs
//	inputs, details := p.Bind(map[string]any{"lookback": 126})
//	runner, err := script.NewRunner(p, inputs, frame, script.RunnerLimits{})
//	result, err := backtest.Run(ctx, frame, p.Spec(inputs), runner, backtest.Everything)
//
// A script is valid both as Python 3 and in the dialect used here. It consists
// of constants, imports from the harness, and decide(ctx), which returns
// weights. Check reads it without running it and reports every problem at once,
// with its rule, its place and the nearest accepted value. A Runner makes the
// decisions for the engine: it shows the script only the past and turns the
// script's answer into one weight per member.
//
// docs/script-contract.md describes the contract. script/sandbox runs scripts in
// a separate process.
package script
