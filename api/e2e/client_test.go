package e2e

import (
	"os"
	"os/exec"
	"testing"
)

// TestGoClient runs the tests of the Go client, a module of its own, on a real service.
func TestGoClient(t *testing.T) {
	s := start(t)
	if _, err := s.ballast(t.Context(), "account", "create", "go-client", "--plan", "business"); err != nil {
		t.Fatal(err)
	}
	key, err := s.ballast(t.Context(), "keys", "create", "--account", "go-client")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "go", "test", "-count=1", "./...")
	command.Dir = "../../clients/go"
	command.Env = append(os.Environ(), "GOFLAGS=", "BALLAST_URL="+s.url, "BALLAST_KEY="+key)
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
