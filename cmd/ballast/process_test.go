package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ballast/internal/testenv"
)

var binary testenv.Binary

func TestMain(m *testing.M) {
	code := m.Run()
	binary.Remove()
	os.Exit(code)
}

// process is a long-running command: serve or worker.
type process struct {
	cmd  *exec.Cmd
	log  string        // file of its standard error
	line chan []byte   // the first line of its standard output; closed without one
	done chan struct{} // closed when it has ended
}

// launch starts the command, and ends it with the test.
func launch(t *testing.T, args ...string) *process {
	t.Helper()
	log, err := os.CreateTemp(t.TempDir(), "log-")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	p := &process{
		cmd: exec.Command(binary.Path(t), args...), log: log.Name(), //nolint:noctx // stopped below, by a signal
		line: make(chan []byte, 1), done: make(chan struct{}),
	}
	p.cmd.Stderr = log
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		lines := bufio.NewScanner(out)
		for first := true; lines.Scan(); first = false {
			if first {
				p.line <- bytes.Clone(lines.Bytes())
			}
		}
		close(p.line)
		_ = p.cmd.Wait() // how it ended is in ProcessState
		close(p.done)
	}()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("log of ballast %s, process %d:\n%s", args[0], p.cmd.Process.Pid, p.logs())
		}
	})
	return p
}

// serveProcess starts a service on a free port and waits until it is ready. A folder that
// does not exist, or is empty, becomes that of a service which has started once.
func serveProcess(t *testing.T, data string, flags ...string) (*process, string) {
	t.Helper()
	if os.Remove(data) == nil || !exists(data) {
		binary.Served(t, data)
	}
	p := launch(t, append([]string{"serve", "--data-dir", data, "--listen", "127.0.0.1:0", "--log-format", "json"}, flags...)...)
	return p, p.ready(t)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// ready returns the address in the ready line.
func (p *process) ready(t *testing.T) string {
	t.Helper()
	select {
	case line := <-p.line:
		var said struct{ URL string }
		if err := json.Unmarshal(line, &said); err != nil || said.URL == "" {
			t.Fatalf("the ready line is %q (%v)\n%s", line, err, p.logs())
		}
		return said.URL
	case <-time.After(60 * time.Second):
		t.Fatalf("the service is not ready after a minute\n%s", p.logs())
		return ""
	}
}

// says waits until the process has logged the words.
func (p *process) says(t *testing.T, words string) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !strings.Contains(p.logs(), words); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) || p.ended() {
			t.Fatalf("the process does not say %q\n%s", words, p.logs())
		}
	}
}

// kill ends the process at once.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
}

// stop asks the process to end, and returns its exit code.
func (p *process) stop(t *testing.T) int {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Errorf("stop: %v\n%s", err, p.logs())
	}
	select {
	case <-p.done:
	case <-time.After(40 * time.Second):
		t.Error("the process does not stop")
		p.kill()
	}
	return p.cmd.ProcessState.ExitCode()
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// logs returns the end of what the process logged, in whole lines.
func (p *process) logs() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	const most = 20_000
	if len(text) <= most {
		return string(text)
	}
	_, whole, _ := strings.Cut(string(text[len(text)-most:]), "\n")
	return whole
}

// command runs a command to its end.
func command(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary.Path(t), args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// must runs a command that must succeed and returns its standard output.
func must(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, code := command(t, args...)
	if code != 0 {
		t.Fatalf("ballast %s: exit code %d\n%s%s", strings.Join(args, " "), code, out, errs)
	}
	return strings.TrimSpace(out)
}

// caller creates an account with a key on a data folder, and a client.
func caller(t *testing.T, data, url string) *client {
	t.Helper()
	must(t, "account", "create", "tester", "--plan", "business", "--data-dir", data)
	key := must(t, "keys", "create", "--account", "tester", "--data-dir", data)
	return &client{url: url, key: key, http: http.Client{Timeout: 90 * time.Second}}
}

// writeFile writes a temporary file of the test.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// smallMarket writes six symbols, KA to KF, over the weekdays of 2016 to 2019,
// with prices from a small generator.
func smallMarket(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("symbol,date,close\n")
	for i, symbol := range []string{"KA", "KB", "KC", "KD", "KE", "KF"} {
		state, price, spread := uint64(i+1), int64(1_000_000), int64(20+20*i)
		for d := time.Date(2016, 1, 4, 0, 0, 0, 0, time.UTC); d.Year() < 2020; d = d.AddDate(0, 0, 1) {
			if d.Weekday() == time.Saturday || d.Weekday() == time.Sunday {
				continue
			}
			fmt.Fprintf(&b, "%s,%s,%d.%04d\n", symbol, d.Format(time.DateOnly), price/10_000, price%10_000)
			state = state*6364136223846793005 + 1442695040888963407
			price += price * (int64(state>>33)%(2*spread+1) - spread + 3) / 10_000
		}
	}
	return writeFile(t, "market.csv", b.String())
}

// fixedWeights is a script with constant weights, rebalanced at the end of each
// month. symbol may be empty.
func fixedWeights(name, symbol string, weights ...any) string {
	var universe, target []string
	for i := 0; i < len(weights); i += 2 {
		universe = append(universe, fmt.Sprintf("%q", weights[i]))
		target = append(target, fmt.Sprintf("%q: %v", weights[i], weights[i+1]))
	}
	return head(name, symbol, "monthly", universe) + "    return {" + strings.Join(target, ", ") + "}\n"
}

// slowScript loops this many times in each of two hundred decisions; ten thousand
// loops take a few tenths of a second.
func slowScript(name, symbol string, loops int) string {
	return head(name, symbol, "weekly", []string{`"KA"`, `"KB"`}) + fmt.Sprintf(`    x = 0
    for k in range(%d):
        x = (x + k * k) %% 9973
    return {"KA": x / 9973, "KB": 1 - x / 9973}
`, loops)
}

func head(name, symbol, schedule string, universe []string) string {
	text := fmt.Sprintf("NAME = %q\nSCHEDULE = %q\n", name, schedule)
	if symbol != "" {
		text += fmt.Sprintf("SYMBOL = %q\n", symbol)
	}
	return text + fmt.Sprintf("INPUTS = {\"universe\": {\"type\": \"array\", \"default\": [%s], \"title\": \"Universe\"}}\n\n\ndef decide(ctx):\n", strings.Join(universe, ", "))
}
