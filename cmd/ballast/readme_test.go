package main

import (
	"compress/gzip"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ballast/internal/testenv"
	"ballast/timeseries/sample"
)

// The README's model and commands do what it says, word for word except for the port,
// and for the build, which the test has already made.
func TestReadme(t *testing.T) {
	t.Parallel()
	command := binary.Path(t)
	text, err := os.ReadFile(filepath.Join(testenv.Root(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```")
	var model string
	var commands []string
	for i := 1; i < len(blocks); i += 2 {
		switch block := blocks[i]; {
		case strings.HasPrefix(block, "python\n"):
			model = strings.TrimPrefix(block, "python\n")
		case strings.Contains(block, "ballast ") || strings.Contains(block, "curl "):
			commands = append(commands, strings.TrimSpace(block))
		}
	}
	if model == "" || len(commands) != 5 {
		t.Fatalf("the README has a model of %d bytes and %d blocks of commands, want 5", len(model), len(commands))
	}

	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "model.py"), []byte(model), 0o600),
		os.Mkdir(filepath.Join(dir, "bin"), 0o755),
		os.Symlink(command, filepath.Join(dir, "bin", "ballast")),
		writePrices(filepath.Join(dir, "prices.csv.gz")),
	); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()

	// The second block starts the service; the test has already built it. The other
	// blocks come a moment later.
	wait := `for i in $(seq 100); do curl -s -H "Authorization: Bearer $KEY" http://` + address + `/v1/models/SIXTY40 | grep -q '"status":"active"' && break; sleep 0.1; done`
	script := strings.Join([]string{"set -euo pipefail", "trap 'kill $(jobs -p); wait' EXIT", commands[0], commands[1], wait, commands[2], commands[3], commands[4]}, "\n")
	script = strings.ReplaceAll(script, "make build\n", "")
	script = strings.ReplaceAll(script, "127.0.0.1:8080", address)
	script = strings.ReplaceAll(script, "curl -H", "curl --fail -sS -H")
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"valid", "CAGR", `"status":"building"`, `"rebalances"`, `"annual_volatility"`, `SYN-WORLD and`, "max drawdown"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the output lacks %s:\n%s", want, out)
		}
	}
}

// writePrices writes the sample market's bars, compressed.
func writePrices(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	z := gzip.NewWriter(f)
	return errors.Join(sample.WriteBars(z), z.Close(), f.Close())
}
