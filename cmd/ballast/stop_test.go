package main

import (
	"net/http"
	"runtime"
	"syscall"
	"testing"
)

// A service that is told to stop first says that it is not ready, answers requests that
// wait for a run at once, and still accepts others for the delay.
func TestStopLetsBalancersNotice(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("stops processes by signals")
	}
	binary.Path(t)
	data := t.TempDir()
	p, url := serveProcess(t, data, "--shutdown-delay", "1m")
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	c := caller(t, data, url)
	if err := c.do(t.Context(), "POST", "/v1/models", map[string]string{"script": slowScript("Slow", "SLOW", 20000)}, nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the model is active", func() bool {
		var sheet struct{ Status string }
		return c.do(t.Context(), "GET", "/v1/models/SLOW", nil, &sheet) == nil && sheet.Status == "active"
	})
	answered := make(chan string, 1)
	go func() {
		var run struct{ Status string }
		if err := c.do(t.Context(), "POST", "/v1/models/SLOW/runs?wait=true", map[string]any{}, &run); err != nil {
			run.Status = err.Error()
		}
		answered <- run.Status
	}()
	eventually(t, "the run has begun", func() bool {
		var runs struct{ Total int }
		return c.do(t.Context(), "GET", "/v1/models/SLOW/runs", nil, &runs) == nil && runs.Total == 2
	})
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.says(t, "not ready any more")
	if status := <-answered; status != "queued" && status != "running" && status != "complete" {
		t.Errorf("the request that waited got %q", status)
	}
	resp, err := http.Get(url + "/readyz") //nolint:noctx // the service answers at once
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("readyz says %d", resp.StatusCode)
	}
	if err := c.do(t.Context(), "GET", "/v1/models/SLOW", nil, nil); err != nil {
		t.Errorf("a request during the delay: %v", err)
	}
}
