package program

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ballast/internal/fault"
	"ballast/internal/nearest"
	"ballast/script"
)

// resolver tells the static checks of a script which members exist, which would make
// a model hold itself, and which symbols belong to assets.
type resolver struct {
	ctx context.Context
	names
	accountID string
	modelID   string // the model that the script is for; "" for a new one
	symbol    string // the symbol that the model already has
	kept      Entries
	entries   Entries      // what the script's universe means, set by Resolve
	taken     *fault.Error // set if the script's symbol belongs to an asset
	err       error        // an error of storage, not of the script
}

// Resolve returns the entries that the model cannot hold.
func (r *resolver) Resolve(symbol string, entries []string) map[string]script.Unresolved {
	u, err := Resolve(r.ctx, r.assets, r.members, r.accountID, entries, r.kept)
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
			unresolved[entry] = script.Unresolved{Message: fmt.Sprintf("%q is the SYMBOL of this script's own model, which cannot hold itself", entry)}
		}
	}
	circles, err := Circles(r.ctx, r.members, r.modelID, u)
	if err != nil {
		r.err = err
		return nil
	}
	for entry, path := range circles {
		unresolved[entry] = script.Unresolved{Message: path}
	}
	return unresolved
}

// Optimizers returns the names that the account has no optimizer of.
func (r *resolver) Optimizers(names []string) map[string]script.Unresolved {
	own, err := r.members.OptimizerNames(r.ctx, r.accountID)
	if err != nil {
		r.err = err
		return nil
	}
	unknown := map[string]script.Unresolved{}
	for _, name := range names {
		if !slices.ContainsFunc(own, func(o string) bool { return strings.EqualFold(o, name) }) {
			unknown[name] = script.Unresolved{Suggestion: nearest.Match(name, own), Accepted: own[:min(len(own), shownOptimizers)]}
		}
	}
	return unknown
}

// shownOptimizers is how many optimizers a problem lists.
const shownOptimizers = 20

// Taken returns a message if an asset has the symbol. A model keeps the symbol that
// it has, even if an asset is listed under it later.
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
	return fmt.Sprintf("SYMBOL %s belongs to the asset %s (%s): choose another, or leave it out", symbol, a.Name, a.ID)
}

// ResolveSeries returns the columns of series that the account cannot read.
func (r *resolver) ResolveSeries(references []string) map[string]script.Unresolved {
	if _, err := r.series.Pins(r.ctx, r.accountID, references); err == nil {
		return nil
	}
	unresolved := map[string]script.Unresolved{}
	for _, reference := range references {
		_, err := r.series.Pins(r.ctx, r.accountID, []string{reference})
		var unknown *fault.Error
		switch {
		case errors.As(err, &unknown) && unknown.Type == fault.UnknownMember:
			unresolved[reference] = script.Unresolved{Message: unknown.Message, Suggestion: unknown.Details[0].Suggestion}
		case err != nil:
			r.err = err
			return nil
		}
	}
	return unresolved
}
