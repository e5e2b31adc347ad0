package history

import (
	"ballast/backtest"
	"ballast/catalog/backfill"
	"ballast/program"
)

// names gives everything in a history its key, and keeps the labels of the keys
// that were given. A model's own members go by the keys that its script uses,
// assets and member models further down by symbol; where a symbol is another
// thing's key already, by id.
type names struct {
	labels []Label
	of     map[string]string // key to the id that it stands for
	shown  map[string]bool   // keys that have a label
}

// namesOf reserves the keys of a run's own members, by which trades and
// contributions go.
func namesOf(run *program.Run) *names {
	n := &names{of: map[string]string{backtest.CashKey: backtest.CashKey}, shown: map[string]bool{}}
	for _, m := range run.Members {
		n.of[m.Key] = m.Identity()
	}
	return n
}

// member is the key of an asset or model anywhere in the tree.
func (n *names) member(m program.Member) string {
	return n.symbol(labelOf(m, ""))
}

// root is the key of the model itself.
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

// own labels a run's members by the keys that its script uses.
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
// diagnostics are the same whichever blocks are read with them.
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

// custom labels a series of diagnostics; one that is called as something else
// in the tree is goes by "custom." and its name.
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

// labelOf is what a history says of the member.
func labelOf(m program.Member, key string) Label {
	return Label{Key: key, Kind: string(m.Kind), ID: m.Identity(), Symbol: m.Symbol, Name: m.Name, Private: m.Private, Spliced: m.Backfill.Splices()}
}

// Label names a key of a history.
type Label struct {
	Key    string
	Kind   string // asset, model, cash, custom
	ID     string
	Symbol string
	Name   string

	Private bool              // a member model that the reader may not see; its ID is ""
	Spliced []backfill.Splice // days of an asset that a backfill gives
}
