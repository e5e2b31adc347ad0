package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// A run may take longestSpin; nobody is to wait for one of another account.
const (
	longestSpin = 20 * time.Second
	patience    = 8 * time.Second // of a machine that has other work, for a run of some 20 ms
)

// spinner is a script that decides at once, or computes without end where its
// input says so.
const spinner = `NAME = "%s"
SYMBOL = "%s"
SCHEDULE = %s
INPUTS = {
    "universe": {"type": "array", "default": ["AAA", "BBB"], "title": "Universe"},
    "spin": {"type": "integer", "default": %d, "minimum": 0, "title": "Spin"},
}


def decide(ctx):
    total = 0
    if %s:
        for i in range(100000000):
            for j in range(100000000):
                total = total + 1
    return {"AAA": 0.5, "BBB": 0.5}
`

// spinnerOf spins where its input is set; monthly.
func spinnerOf(symbol string, spin int) string {
	return fmt.Sprintf(spinner, symbol, symbol, `"monthly"`, spin, "ctx.inputs.spin > 0")
}

// tenant is an account of a service in a process of its own.
type tenant struct {
	*service
	t    *testing.T
	name string
	key  string
}

func (s *service) tenant(t *testing.T, name, plan string) *tenant {
	t.Helper()
	if _, err := s.ballast(t.Context(), "account", "create", name, "--plan", plan, "--grant-cents", "100000"); err != nil {
		t.Fatal(err)
	}
	key, err := s.ballast(t.Context(), "keys", "create", "--account", name)
	if err != nil {
		t.Fatal(err)
	}
	return &tenant{service: s, t: t, name: name, key: key}
}

// call sends a request, whose answer is nothing where ctx ends it.
func (a *tenant) call(ctx context.Context, method, path string, body any) (int, gjson.Result) {
	text, err := json.Marshal(body)
	if err != nil {
		a.t.Error(err)
	}
	if body == nil {
		text = nil
	}
	r, err := http.NewRequestWithContext(ctx, method, a.url+path, bytes.NewReader(text))
	if err != nil {
		a.t.Error(err)
		return 0, gjson.Result{}
	}
	r.Header.Set("Authorization", "Bearer "+a.key)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			a.t.Error(err)
		}
		return 0, gjson.Result{}
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil && ctx.Err() == nil {
		a.t.Error(err)
	}
	return response.StatusCode, gjson.ParseBytes(answer)
}

// model makes a model and waits until it serves.
func (a *tenant) model(script string) string {
	a.t.Helper()
	status, made := a.call(a.t.Context(), http.MethodPost, "/v1/models", map[string]string{"script": script})
	if status != http.StatusAccepted {
		a.t.Fatalf("%s: a model answers %d: %s", a.name, status, made)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		_, m := a.call(a.t.Context(), http.MethodGet, "/v1/models/"+made.Get("id").String(), nil)
		if m.Get("status").String() == "active" {
			return made.Get("id").String()
		}
		if time.Now().After(end) || m.Get("status").String() == "failed" {
			a.t.Fatalf("%s: the model is %s", a.name, m)
		}
	}
}

// first runs a model with nothing else in flight and returns how long that took.
func (a *tenant) first(model string) time.Duration {
	a.t.Helper()
	began := time.Now()
	status, run := a.call(a.t.Context(), http.MethodPost, "/v1/models/"+model+"/runs?wait=true", map[string]any{"intent": "test"})
	if status != http.StatusOK || run.Get("status").String() != "complete" {
		a.t.Errorf("%s: a run answers %d: %s", a.name, status, run)
	}
	return time.Since(began)
}

// spins are the ways in which an account can have the service compute. Each begins
// a piece of work that spins.
var spins = []struct {
	name  string
	begin func(ctx context.Context, a *tenant, model string, n int)
}{
	{"snapshots", func(ctx context.Context, a *tenant, model string, n int) {
		a.call(ctx, http.MethodPost, "/v1/models/"+model+"/runs", map[string]any{"inputs": map[string]int{"spin": n}})
	}},
	{"builds", func(ctx context.Context, a *tenant, _ string, n int) {
		a.call(ctx, http.MethodPost, "/v1/models", map[string]string{"script": spinnerOf(fmt.Sprint("B", n), 1)})
	}},
	{"draft tests", func(ctx context.Context, a *tenant, model string, n int) {
		path := "/v1/models/" + model + "/draft"
		_, d := a.call(ctx, http.MethodGet, path, nil)
		a.call(ctx, http.MethodPut, path, map[string]any{
			"expected_version": d.Get("version").Int(), "base_hash": d.Get("base_hash").String(), "script": spinnerOf("D", n),
		})
		a.call(ctx, http.MethodPost, path+"/test", map[string]any{"request_key": fmt.Sprint("k", n)})
	}},
}

// Accounts keep sixteen pieces of work each going that spin, one account more at
// each step, and others run short models beside them: these wait for none of that
// to end.
func TestSpinningAccountsDelayNoOther(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the whole service")
	}
	s := start(t, "--run-deadline", longestSpin.String(), "--rate-limit", "0", "--address-rate-limit", "0", "--shutdown-grace", "1s")
	ctx, cancel := context.WithCancel(t.Context())
	var busy sync.WaitGroup
	defer busy.Wait()
	defer cancel()
	var others []*tenant
	var models []string
	for i, plan := range []string{"free", "pro", "business"} {
		a := s.tenant(t, fmt.Sprint("short", i), plan)
		others, models = append(others, a), append(models, a.model(spinnerOf("S", 0)))
	}
	t.Logf("alone %s", others[0].first(models[0]))
	for i, spin := range spins {
		a := s.tenant(t, fmt.Sprint("spins", i), "business")
		model := a.model(spinnerOf("A", 0))
		busy.Go(func() { keepSpinning(ctx, a, model, spin.begin) })
		var took []time.Duration
		for end := time.Now().Add(longestSpin / 4); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
			for i, a := range others {
				took = append(took, a.first(models[i]))
			}
		}
		slices.Sort(took)
		longest := took[len(took)-1]
		t.Logf("%d accounts spin, now with %s: of %d runs, median %s, longest %s", i+1, spin.name, len(took), took[len(took)/2], longest)
		if longest > patience {
			t.Errorf("with %s, a run took %s; none may wait for a run of another account, which take %s", spin.name, longest, longestSpin)
		}
	}
}

// keepSpinning begins sixteen pieces of work, and another whenever one may have ended.
func keepSpinning(ctx context.Context, a *tenant, model string, begin func(context.Context, *tenant, string, int)) {
	for n := 1; ctx.Err() == nil; n++ {
		begin(ctx, a, model, n)
		if n >= 16 {
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}
