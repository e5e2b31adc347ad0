package program

import (
	"context"
	"fmt"

	"ballast/internal/fault"
	"ballast/script"
)

// resolver tells the static checks of a script which members exist, which would
// make a model hold itself, and which symbols assets have.
type resolver struct {
	ctx       context.Context
	assets    Assets
	store     ModelFinder
	accountID string
	modelID   string // of the model that the script is for, "" of a new one
	symbol    string // that the model has already
	kept      Entries
	entries   Entries      // what the script's universe means, once it is resolved
	taken     *fault.Error // that the script's symbol is an asset's; nil where it is not
	err       error        // of storage, not of the script
}

// Resolve returns the entries that cannot be held.
func (r *resolver) Resolve(symbol string, entries []string) map[string]script.Unresolved {
	u, err := Resolve(r.ctx, r.assets, r.store, r.accountID, entries, r.kept)
	if err != nil {
		r.err = err
		return nil
	}
	r.entries = u.Entries()
	unresolved := map[string]script.Unresolved{}
	for _, entry := range entries {
		if p, bad := u.Problem(entry); bad {
			unresolved[entry] = p
		}
	}
	for entry, earlier := range u.Twice(entries) {
		unresolved[entry] = script.Unresolved{Message: fmt.Sprintf("%q names the same member as %q", entry, earlier)}
	}
	for entry, m := range u.Models {
		if r.modelID == "" && symbol != "" && m.Symbol == symbol {
			unresolved[entry] = script.Unresolved{Message: fmt.Sprintf("%q is the model whose SYMBOL the script has: it would hold itself", entry)}
		}
	}
	circles, err := Circles(r.ctx, r.store, r.modelID, u)
	if err != nil {
		r.err = err
		return nil
	}
	for entry, path := range circles {
		unresolved[entry] = script.Unresolved{Message: path}
	}
	return unresolved
}

// Taken says whose a symbol is that an asset has. A model keeps the one that it
// has, whatever is listed under it later.
func (r *resolver) Taken(symbol string) string {
	if symbol == r.symbol {
		return ""
	}
	a, err := assetOfSymbol(r.ctx, r.assets, symbol)
	if err != nil {
		r.err = err
		return ""
	}
	if a == nil {
		return ""
	}
	r.taken = symbolOfAsset(a)
	return fmt.Sprintf("SYMBOL %s is that of the asset %s (%s): choose another, or leave it out", symbol, a.Name, a.ID)
}
