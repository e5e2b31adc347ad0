// Package backtest is the engine: it invests in a model's targets over a frame of
// daily total returns and records the result.
//
//	result, err := backtest.Run(ctx, frame, spec, decider, backtest.Options{Weights: true})
//	daily, ledger := result.Tables(mem)
//
// The engine calls a Decider on the sessions of the schedule, and the Decider sets
// target weights. The engine fills them, lets them drift, sells members that are
// suspended or delisted, and records equity, exposure, turnover, contributions and a
// ledger. The session of the first filled decision is the base; returns start after
// it. Nothing that the engine does on a session depends on a later one, so a frame
// that is cut at any day gives the same rows up to that day.
//
// Between two stops (decisions, fills or forced sales) the engine works column by
// column: each held member compounds over its returns of the segment, which are
// contiguous in memory, and is added to the equity of those sessions. Weights and
// contributions are written in a second pass, and only on request.
package backtest
