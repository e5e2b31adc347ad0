package program

import (
	"context"
	"fmt"
)

// stillHeld takes entries that name nothing any more for the models that the
// served run found under them: a member keeps its place in what holds it when
// its owner gives it another name or symbol.
func stillHeld(ctx context.Context, store Store, accountID string, served *Run, u *universe) error {
	if served == nil {
		return nil
	}
	held := map[string]string{} // id by entry
	var ids []string
	for _, m := range served.Members {
		if _, unknown := u.unknown[m.Key]; unknown && m.Kind == MemberModel {
			held[m.Key] = m.ID
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	models, err := store.ModelsByKey(ctx, accountID, ids)
	if err != nil {
		return fmt.Errorf("read renamed members: %w", err)
	}
	for entry, id := range held {
		if m := models[id]; m != nil {
			u.models[entry] = m
			delete(u.unknown, entry)
		}
	}
	return nil
}
