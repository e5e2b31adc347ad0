package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"time"

	"ballast/internal/testenv"
)

// TestKilledWhileSweeping kills the service with -9 while it computes a sweep. The next
// start computes only what is missing; the result is that of a sweep that nobody
// interrupted, and nothing of the work in between is left.
func TestKilledWhileSweeping(t *testing.T) {
	t.Parallel()
	testenv.NotInTest(t)
	if runtime.GOOS != "linux" {
		t.Skip("kills processes as Linux does")
	}
	binary.Path(t)
	data := t.TempDir()
	p, url := serveProcess(t, data)
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	c := caller(t, data, url)
	model := `NAME = "Slow"
SYMBOL = "SLOW"
SCHEDULE = "weekly"
INPUTS = {
    "universe": {"type": "array", "default": ["KA", "KB"]},
    "seed": {"type": "integer", "default": 0, "minimum": 0, "maximum": 1000},
}


def decide(ctx):
    x = ctx.inputs.seed
    for k in range(4000):
        x = (x + k * k) % 9973
    return {"KA": x / 9973, "KB": 1 - x / 9973}
`
	if err := c.do(t.Context(), "POST", "/v1/models", map[string]string{"script": model}, nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the model is active", func() bool {
		var sheet struct{ Status string }
		return c.do(t.Context(), "GET", "/v1/models/SLOW", nil, &sheet) == nil && sheet.Status == "active"
	})
	sweep := map[string]any{"kind": "sweep", "arguments": map[string]any{"model": "SLOW", "grid": map[string]any{"seed": map[string]any{"from": 1, "to": 60}}}}
	var created struct{ ID string }
	if err := c.do(t.Context(), "POST", "/v1/analyses", sweep, &created); err != nil {
		t.Fatal(err)
	}
	parts := func() []string {
		found, err := filepath.Glob(filepath.Join(data, "objects", "runs", "*", "*.part.*"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for kills := range 2 {
		before := kills
		eventually(t, "a part is stored", func() bool { return len(parts()) > before })
		p.kill()
		p, c.url = serveProcess(t, data)
		p.says(t, "sweep continues")
	}
	type result struct {
		RunID  string `json:"run_id"`
		Tables map[string]struct{ Columns map[string]any }
	}
	finished := func(id, after string) (r result) {
		eventually(t, "the sweep has ended", func() bool {
			return c.do(t.Context(), "GET", fmt.Sprintf("/v1/analyses/%s/result", id), nil, &r) == nil && r.RunID != after
		})
		return r
	}
	interrupted := finished(created.ID, "")
	if n := len(interrupted.Tables["points"].Columns["point"].([]any)); n != 60 {
		t.Fatalf("%d points", n)
	}
	eventually(t, "the parts are deleted", func() bool { return len(parts()) == 0 })
	if err := c.do(t.Context(), "POST", "/v1/analyses/"+created.ID+"/runs", map[string]any{}, nil); err != nil {
		t.Fatal(err)
	}
	whole := finished(created.ID, interrupted.RunID)
	if !reflect.DeepEqual(whole.Tables, interrupted.Tables) {
		t.Errorf("the sweep that was killed has other points:\n%v\n%v", interrupted.Tables, whole.Tables)
	}
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after two minutes it does not hold that %s", what)
		}
	}
}
