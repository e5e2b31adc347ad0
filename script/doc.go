// Package script is the contract between a model's script and the service.
//
//	p, problems := script.Check(text, resolver) // static: nothing runs
//	inputs, details := p.Bind(map[string]any{"lookback": 126})
//	runner, err := script.NewRunner(p, inputs, frame, script.RunnerLimits{})
//	result, err := backtest.Run(ctx, frame, p.Spec(inputs), runner, backtest.Everything)
//
// A script is a text that is both valid Python 3 and valid here: constants,
// imports from the harness, and decide(ctx), which answers with weights. Check
// reads it without running it and reports everything that is wrong at once, with
// rule, place and the nearest accepted value. A Runner takes the decisions for
// the engine: it shows the script the past alone and turns what the script
// returns into weights by member.
//
// The contract itself is written down in docs/script-contract.md. Scripts are
// run in a process of their own by script/sandbox.
package script
