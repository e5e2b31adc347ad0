package api

import (
	"flag"
	"os"
	"testing"

	"ballast/internal/goclient"
)

var updateClient = flag.Bool("update-client", false, "rewrite the generated file of the Go client")

// TestGoClientIsCurrent checks that the Go client has a method for every operation.
func TestGoClientIsCurrent(t *testing.T) {
	t.Parallel()
	h := newHarness(t, everyOperation)
	want, err := goclient.Generate(documentOf(t, h.Server))
	if err != nil {
		t.Fatal(err)
	}
	const file = "../clients/go/operations.go"
	if *updateClient {
		if err := os.WriteFile(file, want, 0o644); err != nil { //nolint:gosec // source code is readable
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != string(want) {
		t.Errorf("the Go client does not match the operations (%v): go test ./api -run TestGoClientIsCurrent -update-client", err)
	}
}
