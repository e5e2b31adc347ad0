package script

import (
	"slices"
	"strings"
)

// What a frame has of the models among its members and of sweeps, beside series from
// outside, for scripts that read it. Each is a column of its own, with a Holding's key.
const (
	Weights       = "weights"       // at the close of each session of the model's result, of one thing that it holds
	Contributions = "contributions" // to the model's return of each session
	Held          = "held"          // the returns of something that the model holds today; the first date is the base, with 0
	LedgerColumn  = "ledger"        // of the model's ledger, one value for each row, whose number stands for a date; the name is one of LedgerColumns
	LedgerKey     = "ledger_key"    // the number by which a ledger's column key means the name
	PointReturns  = "point"         // the returns of a point of a sweep; member and name are the numbers of sweep and point
)

// Holding identifies such a column.
type Holding struct {
	What   string
	Member string // the model, as the universe names it
	Name   string // what it holds, as the model's universe names it, or CASH
}

// LedgerColumns are the columns of a ledger: the days of the fill and of the decision, the
// number of its reason in backtest.Reasons, the number of what was traded, and weights
// before and after and how far apart they are.
var LedgerColumns = []string{"fill", "decided", "reason", "key", "before", "target", "traded"}

// separator is in no symbol and no name.
const separator = "\x1f"

// Key returns the name of the column in the frame.
func (h Holding) Key() string { return strings.Join([]string{h.What, h.Member, h.Name}, separator) }

// HoldingOf parses the key of a column. It reports false for a column of a series.
func HoldingOf(key string) (Holding, bool) {
	parts := strings.Split(key, separator)
	if len(parts) != 3 {
		return Holding{}, false
	}
	return Holding{parts[0], parts[1], parts[2]}, true
}

// ReadsLedger reports whether the script may read the trades of the models among its
// members.
func (p *Script) ReadsLedger() bool {
	return p.Reads["ledger"] && slices.Contains(p.Kind.Holdings, "ledger")
}

// ReadsHoldings reports whether the script may read what the models among its members
// hold.
func (p *Script) ReadsHoldings() bool {
	reads := func(name string) bool { return slices.Contains(p.Kind.Holdings, name) }
	if slices.ContainsFunc(p.Harness(), reads) {
		return true
	}
	for name := range p.Reads {
		if reads(name) {
			return true
		}
	}
	return false
}
