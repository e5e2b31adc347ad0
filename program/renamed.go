package program

import (
	"context"
	"fmt"
	"strings"
)

// stillHeld has the entries of a universe mean what the served run found under
// them, whatever has come to bear the name since: a member keeps its place in
// what holds it when its owner gives it another name or symbol, and neither a
// new model nor a new asset of that name takes it.
func stillHeld(ctx context.Context, assets Assets, store Store, accountID string, served *Run, u *universe) error {
	if served == nil {
		return nil
	}
	models, symbols := map[string]string{}, map[string]string{} // id and symbol by entry
	var ids, upper []string
	for _, m := range served.Members {
		if u.means(m.Key) == m.ID || !u.has(m.Key) {
			continue
		}
		if m.Kind == MemberModel {
			models[m.Key] = m.ID
			ids = append(ids, m.ID)
		} else {
			symbols[m.Key] = strings.ToUpper(m.Symbol)
			upper = append(upper, strings.ToUpper(m.Symbol))
		}
	}
	if len(ids) > 0 {
		found, err := store.ModelsByKey(ctx, accountID, ids)
		if err != nil {
			return fmt.Errorf("read renamed members: %w", err)
		}
		for entry, id := range models {
			u.forget(entry)
			if m := found[id]; m != nil {
				u.models[entry] = m
			} else {
				u.unknown[entry] = ""
			}
		}
	}
	if len(upper) > 0 {
		found, err := assets.AssetsBySymbol(ctx, upper)
		if err != nil {
			return fmt.Errorf("read assets: %w", err)
		}
		for entry, symbol := range symbols {
			u.forget(entry)
			if a := found[symbol]; a != nil {
				u.assets[entry] = a
			} else {
				u.unknown[entry] = ""
			}
		}
	}
	return nil
}

// has reports whether the universe has the entry.
func (u *universe) has(entry string) bool {
	_, unknown := u.unknown[entry]
	return unknown || u.several[entry] != nil || u.assets[entry] != nil || u.models[entry] != nil
}

// means is the id of what an entry names, "" where it names nothing.
func (u *universe) means(entry string) string {
	switch {
	case u.assets[entry] != nil:
		return u.assets[entry].ID
	case u.models[entry] != nil:
		return u.models[entry].ID
	}
	return ""
}

// forget takes away what an entry names.
func (u *universe) forget(entry string) {
	delete(u.assets, entry)
	delete(u.models, entry)
	delete(u.unknown, entry)
	delete(u.several, entry)
}
