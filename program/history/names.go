package history

import (
	"ballast/backtest"
	"ballast/catalog/backfill"
	"ballast/program"
)

// names assigns a key to everything in a history, and collects the labels of the
// keys. A model's own members have the keys that its script uses. Assets and member
// models further down have their symbols as keys, or their ids if the symbol is
// already the key of something else.
type names struct {
	labels []Label
	of     map[string]string // from a key to the id that it stands for
	shown  map[string]bool   // keys that have a label
}

// namesOf reserves the keys of a run's own members, which trades and contributions
// use.
func namesOf(run *program.Run) *names {
	n := &names{of: map[string]string{backtest.CashKey: backtest.CashKey}, shown: map[string]bool{}}
	for _, m := range run.Members {
		n.of[m.Key] = m.Identity()
	}
	return n
}

// member returns the key of an asset or model anywhere in the tree.
func (n *names) member(m program.Member) string {
	return n.symbol(labelOf(m, ""))
}

// root returns the key of the model itself.
func (n *names) root(run *program.Run) string {
	l := Label{Kind: "model", ID: run.ProgramID, Symbol: run.ProgramID, Name: run.ProgramName}
	if s := run.Summary; s != nil && s.ModelSymbol != "" {
		l.Symbol, l.Name = s.ModelSymbol, s.ModelName
	}
	return n.symbol(l)
}

func (n *names) symbol(l Label) string {
	l.Key = l.Symbol
	if id, taken := n.of[l.Key]; taken && id != l.ID {
		l.Key = l.ID
	}
	n.show(l)
	return l.Key
}

// own labels a run's members with the keys that its script uses.
func (n *names) own(run *program.Run) {
	for _, m := range run.Members {
		n.show(labelOf(m, m.Key))
	}
}

func (n *names) cash() string {
	n.show(Label{Key: backtest.CashKey, Kind: "cash", ID: backtest.CashKey, Name: "Cash"})
	return backtest.CashKey
}

// reserve takes the symbols of everything in the tree of a run, so that the keys of
// diagnostics do not depend on the other blocks that are read.
func (n *names) reserve(run *program.Run, tree map[string]*program.Run) {
	take := func(symbol, id string) {
		if _, taken := n.of[symbol]; !taken {
			n.of[symbol] = id
		}
	}
	for _, r := range tree {
		for _, m := range r.Members {
			take(m.Symbol, m.Identity())
		}
	}
	if s := run.Summary; s != nil {
		take(s.ModelSymbol, run.ProgramID)
	}
}

// custom labels a series of diagnostics. If its name is the key of something else in
// the tree, its key is "custom." and its name.
func (n *names) custom(name string) {
	key := name
	if _, taken := n.of[key]; taken {
		key = backtest.CustomPrefix + name
	}
	n.show(Label{Key: key, Kind: "custom", ID: key, Name: name})
}

func (n *names) show(l Label) {
	if n.shown[l.Key] {
		return
	}
	n.of[l.Key], n.shown[l.Key] = l.ID, true
	if l.Kind == "cash" || l.Kind == "custom" || l.Private {
		l.ID = ""
	}
	n.labels = append(n.labels, l)
}

// labelOf returns the label of a member.
func labelOf(m program.Member, key string) Label {
	return Label{Key: key, Kind: string(m.Kind), ID: m.Identity(), Symbol: m.Symbol, Name: m.Name, Private: m.Private, Spliced: m.Backfill.Splices()}
}

// Label describes a key of a history.
type Label struct {
	Key    string
	Kind   string // asset, model, cash, custom
	ID     string
	Symbol string
	Name   string

	Private bool              // the reader may not see the member model; ID is ""
	Spliced []backfill.Splice // spans of an asset that a backfill provides
}
