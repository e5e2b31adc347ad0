// Package backtest is the engine: it holds a model's targets over a frame of
// daily total returns and writes down what happens to them.
//
//	result, err := backtest.Run(ctx, frame, spec, decider, backtest.Options{Weights: true})
//	daily, ledger := result.Tables(mem)
//
// A Decider is asked on the sessions of the schedule and answers with weights;
// the engine fills them, lets them drift, sells what is suspended or delisted,
// and keeps equity, exposure, turnover, contributions and a ledger. The session
// of the first filled decision is the base; returns begin after it. Nothing
// that the engine does on a session depends on a later one, so a frame that is
// cut at any day gives the same rows up to it.
//
// The core works column by column between two stops (a decision, a fill, a
// forced sale): each held member runs through its returns of the segment, which
// are contiguous in memory, and adds up into the equity of those sessions.
// Weights and contributions are written in a second pass, only when asked for.
package backtest
