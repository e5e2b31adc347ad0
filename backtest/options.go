package backtest

// Options specifies what a result has besides returns, equity, gross exposure and traded
// notional.
type Options struct {
	Weights       bool // each member's weight at each close
	Contributions bool // each member's part of each day's return
	Ledger        bool // the trades of every event
	State         bool // the state from which Resume can continue the run

	// LedgerRows is the maximum number of rows in the ledger: it keeps the newest
	// whole events, and always the last one. 0 means MaxLedgerRows.
	LedgerRows int
}

// MaxLedgerRows is the maximum number of rows in the ledger of a published result.
const MaxLedgerRows = 200_000

// Everything selects all that a published result has.
var Everything = Options{Weights: true, Contributions: true, Ledger: true, State: true}
