package backtest

// Options says what is kept beside returns, equity, gross exposure and traded notional.
type Options struct {
	Weights       bool // each member's weight at each close
	Contributions bool // each member's part in each day's return
	Ledger        bool // the trades of every event
}

// Everything keeps all that a published result has.
var Everything = Options{Weights: true, Contributions: true, Ledger: true}
