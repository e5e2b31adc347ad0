package backtest

// Options says what is kept beside returns, equity, gross exposure and traded notional.
type Options struct {
	Weights       bool // each member's weight at each close
	Contributions bool // each member's part in each day's return
	Ledger        bool // the trades of every event
	State         bool // what the run can be taken up from

	// LedgerRows is how many rows the ledger keeps, the newest whole events and
	// the last one in any case; MaxLedgerRows where 0.
	LedgerRows int
}

// MaxLedgerRows is how many rows the ledger of a published result keeps.
const MaxLedgerRows = 200_000

// Everything keeps all that a published result has.
var Everything = Options{Weights: true, Contributions: true, Ledger: true, State: true}
