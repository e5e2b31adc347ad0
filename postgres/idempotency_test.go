package postgres_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/account"
	"ballast/internal/fault"
)

func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	db := open(t)
	ctx := context.Background()
	mine, other := newAccount(t, db, "mine").ID, newAccount(t, db, "other").ID
	request, another := [32]byte{1}, [32]byte{2}
	claim := func(accountID string, hash [32]byte) (*account.SavedResponse, fault.Type) {
		t.Helper()
		answer, err := db.Claim(ctx, accountID, "key", hash)
		if err != nil {
			return nil, fault.TypeOf(err)
		}
		return answer, ""
	}

	if answer, refused := claim(mine, request); answer != nil || refused != "" {
		t.Fatalf("first claim: %v, %q", answer, refused)
	}
	if _, refused := claim(mine, request); refused != fault.IdempotencyProgress {
		t.Errorf("the same request in progress: %q", refused)
	}
	if _, refused := claim(mine, another); refused != fault.IdempotencyMismatch {
		t.Errorf("another request: %q", refused)
	}
	if answer, refused := claim(other, request); answer != nil || refused != "" {
		t.Errorf("another account's key is its own: %v, %q", answer, refused)
	}

	kept := account.SavedResponse{Status: 202, ContentType: "application/json", Body: []byte(`{"id":"model_1"}`)}
	if err := db.Keep(ctx, mine, "key", kept); err != nil {
		t.Fatal(err)
	}
	answer, refused := claim(mine, request)
	if diff := cmp.Diff(&kept, answer); diff != "" || refused != "" {
		t.Errorf("the kept answer: %q, -want +got\n%s", refused, diff)
	}
	if err := db.Drop(ctx, mine, "key"); err != nil {
		t.Fatal(err)
	}
	if answer, _ := claim(mine, request); answer == nil {
		t.Error("dropping a kept answer lost it")
	}

	if err := db.Drop(ctx, other, "key"); err != nil {
		t.Fatal(err)
	}
	if answer, refused := claim(other, another); answer != nil || refused != "" {
		t.Errorf("a dropped key is free: %v, %q", answer, refused)
	}
	if err := db.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if answer, _ := claim(mine, request); answer == nil {
		t.Error("the sweep deleted a fresh key")
	}
}
