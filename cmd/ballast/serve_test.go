package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"ballast/internal/testenv"
	"ballast/service"
)

// TestServe takes one data folder through the life of a service.
func TestServe(t *testing.T) {
	data := t.TempDir()
	service, url := serveProcess(t, data)
	market := smallMarket(t)

	t.Run("imports beside the service", func(t *testing.T) {
		if out := must(t, "import", "bars", market, "--data-dir", data); !strings.Contains(out, "6 new symbols") {
			t.Errorf("report: %s", out)
		}
	})
	c := caller(t, data, url)
	t.Run("prints a key alone", func(t *testing.T) {
		out, errs, code := command(t, "keys", "create", "--account", "tester", "--data-dir", data)
		if code != 0 || errs != "" || !regexp.MustCompile(`^bk_[A-Za-z0-9_-]{43}\n$`).MatchString(out) {
			t.Errorf("exit code %d, output %q, errors %q", code, out, errs)
		}
	})
	t.Run("refuses a second service", func(t *testing.T) {
		_, errs, code := command(t, "serve", "--data-dir", data, "--listen", "127.0.0.1:0")
		if code != 1 || !strings.Contains(errs, "another ballast serves the data folder "+data) {
			t.Errorf("exit code %d, errors %q", code, errs)
		}
	})
	t.Run("refuses a port in use", func(t *testing.T) {
		address := strings.TrimPrefix(url, "http://")
		_, errs, code := command(t, "serve", "--data-dir", t.TempDir(), "--listen", address)
		if code != 1 || !strings.Contains(errs, "listen on "+address) || !strings.Contains(errs, "--listen") {
			t.Errorf("exit code %d, errors %q", code, errs)
		}
	})

	t.Run("drains", func(t *testing.T) {
		id := create(t, c, slowScript("Slow", "SLOW", 10_000))
		var run struct {
			ID, Status string
		}
		await(t, c, id, "active")
		answered := make(chan error, 1)
		begin := func() {
			go func() {
				answered <- c.do(context.Background(), "POST", "/v1/models/SLOW/runs?wait=true", struct{}{}, &run)
			}()
		}
		begin()
		for busy := ""; busy != "running"; time.Sleep(5 * time.Millisecond) {
			var sheet killedSheet
			if err := c.do(t.Context(), "GET", "/v1/models/SLOW", nil, &sheet); err != nil {
				t.Fatal(err)
			}
			if sheet.Run != nil {
				busy = sheet.Run.Status
			}
			if len(answered) > 0 { // the run ended before anyone saw it
				if err := <-answered; err != nil {
					t.Fatal(err)
				}
				busy = ""
				begin()
			}
		}
		if code := service.stop(t); code != 0 {
			t.Errorf("exit code %d", code)
		}
		// The service answers the caller with the run as it is then, and finishes the run.
		if err := <-answered; err != nil || run.Status != "running" && run.Status != "complete" {
			t.Errorf("the caller who waited got %+v, %v", run, err)
		}
		finished := false
		for line := range strings.Lines(service.logs()) {
			finished = finished || strings.Contains(line, `"msg":"run complete","run_id":"`+run.ID+`"`)
			if !strings.Contains(line, `"level":"INFO"`) {
				t.Errorf("logged while it stopped: %s", line)
			}
		}
		if !finished {
			t.Errorf("the service ended before the run %q:\n%s", run.ID, service.logs())
		}
	})

	t.Run("takes up what was queued", func(t *testing.T) {
		testenv.NotInTest(t)
		if runtime.GOOS != "linux" {
			t.Skip("looks for children in /proc")
		}
		service, c.url = serveProcess(t, data, "--workers", "1")
		var ids []string
		for i := range 4 {
			ids = append(ids, create(t, c, slowScript(fmt.Sprintf("Queued %d", i), fmt.Sprintf("Q%d", i), 6_000)))
		}
		children := family(service.cmd.Process.Pid)
		if !strings.Contains(fmt.Sprint(children), "postgres") || len(sandboxes(children)) == 0 {
			t.Fatalf("the family is not complete: %v", children)
		}
		service.kill()
		gone(t, children, 2*time.Second)
		service, c.url = serveProcess(t, data)
		for _, id := range ids {
			await(t, c, id, "active")
		}
		children = family(service.cmd.Process.Pid)
		if code := service.stop(t); code != 0 {
			t.Errorf("exit code %d", code)
		}
		gone(t, children, 2*time.Second)
	})
}

// create posts a script and returns the model's id.
func create(t *testing.T, c *client, script string) string {
	t.Helper()
	var sheet killedSheet
	if err := c.do(t.Context(), "POST", "/v1/models", map[string]string{"script": script}, &sheet); err != nil {
		t.Fatal(err)
	}
	return sheet.ID
}

// await waits until a model has a status and no work in progress.
func await(t *testing.T, c *client, id, status string) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		var sheet killedSheet
		if err := c.do(t.Context(), "GET", "/v1/models/"+id, nil, &sheet); err != nil {
			t.Fatal(err)
		}
		if sheet.Run == nil && sheet.Status == status {
			return
		}
		if sheet.Status == "failed" || time.Now().After(deadline) {
			t.Fatalf("%s is %s, want %s: %+v", sheet.Name, sheet.Status, status, sheet.Error)
		}
	}
}

// A service never uses a command's database, because it would lose it when the
// command ends.
func TestServeWaitsForCommands(t *testing.T) {
	binary.Path(t)
	t.Parallel()
	c := service.Default()
	c.Storage.DataDir = t.TempDir()
	held, err := service.Open(t.Context(), c, slog.New(slog.DiscardHandler), service.SharedDatabase)
	if err != nil {
		t.Fatal(err)
	}
	late := launch(t, "serve", "--data-dir", c.Storage.DataDir, "--listen", "127.0.0.1:0", "--log-format", "json")
	late.says(t, "waiting for another command")
	began := time.Now()
	<-late.done
	if code := late.cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(late.logs(), "another ballast command") || time.Since(began) > 2*service.DatabasePatience {
		t.Errorf("exit code %d after %v\n%s", code, time.Since(began), late.logs())
	}
	patient := launch(t, "serve", "--data-dir", c.Storage.DataDir, "--listen", "127.0.0.1:0", "--log-format", "json")
	patient.says(t, "waiting for another command")
	if err := held.Close(); err != nil {
		t.Error(err)
	}
	patient.ready(t)
	if runtime.GOOS == "linux" && !strings.Contains(fmt.Sprint(family(patient.cmd.Process.Pid)), "postgres") {
		t.Error("the service runs on a database that is not its own")
	}
	if code := patient.stop(t); code != 0 {
		t.Errorf("exit code %d\n%s", code, patient.logs())
	}
}

func TestDemoOnceEndsInSilence(t *testing.T) {
	out, errs, code := command(t, "demo", "--once", "--listen", "127.0.0.1:0")
	if code != 0 || errs != "" {
		t.Errorf("exit code %d, errors %q", code, errs)
	}
	for _, words := range []string{"synthetic", "Built All together (DEMO-ALL)", "MAX DRAWDOWN"} {
		if !strings.Contains(out, words) {
			t.Errorf("the output lacks %q:\n%s", words, out)
		}
	}
	for _, words := range []string{"http://", "bk_"} {
		if strings.Contains(out, words) {
			t.Errorf("the output has %q of a service that has ended:\n%s", words, out)
		}
	}
}

func TestFreeAddress(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // closed below
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	taken := l.Addr().String()
	if got := freeAddress(t.Context(), taken); got != "127.0.0.1:0" {
		t.Errorf("freeAddress(%s) = %s", taken, got)
	}
	if got := freeAddress(t.Context(), "127.0.0.1:0"); got != "127.0.0.1:0" {
		t.Errorf("freeAddress = %s", got)
	}
	if got := freeAddress(t.Context(), "no address"); got != "127.0.0.1:0" {
		t.Errorf("freeAddress = %s", got)
	}
}
