package postgres_test

import (
	"fmt"
	"sync"
	"testing"

	"ballast/account"
	"ballast/internal/fault"
)

// Concurrent callers each get their own identity, and a key that was revoked before a
// caller came is refused to that caller, whatever else is in progress.
func TestCallersAtOnceAreWhoTheyAre(t *testing.T) {
	t.Parallel()
	db := open(t)
	hashes := map[string][32]byte{}
	keys := map[string]*account.Key{}
	for i := range 5 {
		a := newAccount(t, db, fmt.Sprintf("caller %d", i))
		k, secret := newKey(t, db, a.ID, "key")
		hashes[a.ID], keys[a.ID] = account.Hash(secret), k
	}
	var calling sync.WaitGroup
	for id, hash := range hashes {
		for range 8 {
			calling.Go(func() {
				for range 20 {
					who, err := db.Authenticate(t.Context(), hash)
					if err != nil || who.AccountID != id {
						t.Errorf("%v, %v; want %s", who, err, id)
						return
					}
				}
			})
		}
	}
	calling.Wait()
	for id, hash := range hashes {
		calling.Go(func() {
			if _, err := db.RevokeKey(t.Context(), id, keys[id].ID); err != nil {
				t.Error(err)
			}
			_, err := db.Authenticate(t.Context(), hash)
			wantFault(t, err, fault.Unauthenticated)
		})
	}
	calling.Wait()
}
