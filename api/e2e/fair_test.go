package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"ballast/internal/testenv"
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
	*sharedService
	t    *testing.T
	name string
	key  string
}

func (s *sharedService) tenant(t *testing.T, name, plan string) *tenant {
	t.Helper()
	if _, err := s.ballast(t.Context(), "account", "create", name, "--plan", plan, "--grant-cents", "100000"); err != nil {
		t.Fatal(err)
	}
	key, err := s.ballast(t.Context(), "keys", "create", "--account", name)
	if err != nil {
		t.Fatal(err)
	}
	return &tenant{sharedService: s, t: t, name: name, key: key}
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
	{"timing reports", func(ctx context.Context, a *tenant, _ string, n int) {
		go func() { // it is answered when it has ended
			_, m := a.call(ctx, http.MethodPost, "/v1/models", map[string]string{"script": spinsShifted(fmt.Sprint("T", n))})
			for status := 0; ctx.Err() == nil && status != http.StatusUnprocessableEntity; time.Sleep(100 * time.Millisecond) {
				status, _ = a.call(ctx, http.MethodGet, fmt.Sprintf(timingOf, m.Get("id")), nil) // 404 until it has a result
			}
		}()
	}},
}

// Accounts keep sixteen pieces of work each going that spin, one account more at
// each step, and others run short models beside them: these wait for none of that
// to end.
func TestSpinningAccountsDelayNoOtherAccount(t *testing.T) {
	testenv.OnlyInSoak(t)
	s := start(t, "--run-deadline", longestSpin.String(), "--rate-limit", "0", "--address-rate-limit", "0", "--shutdown-grace", "10s")
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

// spinsShifted decides at once on the last session of a month, and computes
// without end between the tenth and the twentieth.
func spinsShifted(symbol string) string {
	return fmt.Sprintf(spinner, symbol, symbol, `"monthly"`, 0, `ctx.date[8:9] == "1"`)
}

const timingOf = "/v1/models/%s/history?include=timing"

// A timing report is work like a run: it is paid for, its failure is kept, it ends
// with who asked for it, and it keeps nobody else from one.
func TestTimingReportsAreWork(t *testing.T) {
	testenv.NotInTest(t)
	s := start(t, "--run-deadline", "3s", "--metering", "on", "--rate-limit", "0", "--address-rate-limit", "0")
	ctx := t.Context()
	bad, good, poor := s.tenant(t, "bad", "business"), s.tenant(t, "good", "free"), s.tenant(t, "poor", "free")
	spins, sound := bad.model(spinsShifted("SPINS")), good.model(spinnerOf("SOUND", 0))
	bad.call(ctx, http.MethodPatch, "/v1/models/"+spins, map[string]any{"visibility": "public"})

	spent := make(chan gjson.Result, 1)
	go func() {
		status, answer := bad.call(ctx, http.MethodGet, fmt.Sprintf(timingOf, spins), nil)
		if status != http.StatusUnprocessableEntity {
			t.Errorf("shifted runs that spin answer %d", status)
		}
		spent <- answer
	}()
	if status, answer := good.call(ctx, http.MethodGet, fmt.Sprintf(timingOf, sound), nil); status != http.StatusOK || answer.Get("timing.offsets.#").Int() != 22 {
		t.Errorf("beside them a report answers %d: %s", status, answer)
	}
	first := <-spent
	began := time.Now()
	_, again := bad.call(ctx, http.MethodGet, fmt.Sprintf(timingOf, spins), nil)
	if took := time.Since(began); took > 2*time.Second || again.Get("error.message").String() != first.Get("error.message").String() {
		t.Errorf("after %s another answer: %s, then %s", took, first, again)
	}
	_, billing := bad.call(ctx, http.MethodGet, "/v1/account/billing/charges", nil)
	report := billing.Get(`data.#(activity=="Timing report of SPINS")#`)
	if report.Get("#").Int() != 1 || report.Get("0.seconds").Int() < 1 || report.Get("0.program_id").String() != spins {
		t.Errorf("charged are %s", billing)
	}
	_, billing = good.call(ctx, http.MethodGet, "/v1/account/billing/charges", nil)
	if n := billing.Get(`data.#(activity=="Timing report of SOUND")#|#`).Int(); n != 1 {
		t.Errorf("%d charges for a report that was made once: %s", n, billing)
	}

	model := poor.model(spinnerOf("POOR", 0))
	_, statement := poor.call(ctx, http.MethodGet, "/v1/account/billing", nil)
	if _, err := s.ballast(ctx, "account", "grant", "poor", "--cents", fmt.Sprint(2-statement.Get("remaining_cents").Int())); err != nil {
		t.Fatal(err)
	}
	if status, answer := poor.call(ctx, http.MethodGet, fmt.Sprintf(timingOf, model), nil); status != http.StatusPaymentRequired {
		t.Errorf("without credit a report answers %d: %s", status, answer)
	}
}

func TestATimingReportEndsWithItsCallers(t *testing.T) {
	testenv.NotInTest(t)
	s := start(t, "--run-deadline", "60s", "--metering", "on", "--rate-limit", "0", "--address-rate-limit", "0")
	a := s.tenant(t, "a", "free")
	model := a.model(spinsShifted("SPINS"))
	leaving, cancel := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		a.call(leaving, http.MethodGet, fmt.Sprintf(timingOf, model), nil)
		close(left)
	}()
	held := func() int64 {
		_, statement := a.call(t.Context(), http.MethodGet, "/v1/account/billing", nil)
		return statement.Get("held_cents").Int()
	}
	within := func(what string, holds func() bool) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); !holds(); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal(what)
			}
		}
	}
	within("the report holds nothing", func() bool { return held() > 0 })
	before := s.childrenTime(t)
	within("the report computes nothing", func() bool { return s.childrenTime(t) > before+time.Second/2 })
	cancel()
	<-left
	within("the report goes on without its caller", func() bool { return held() == 0 })
	_, billing := a.call(t.Context(), http.MethodGet, "/v1/account/billing/charges", nil)
	if n := billing.Get(`data.#(activity=="Timing report of SPINS")#|#`).Int(); n != 1 {
		t.Errorf("%d charges for what was done of it: %s", n, billing)
	}
}

// childrenTime is the processor time of the service's children that live, to
// hundredths of a second: its sandboxes, and the database.
func (s *sharedService) childrenTime(t *testing.T) time.Duration {
	t.Helper()
	found, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var ticks int
	for _, path := range found {
		text, _ := os.ReadFile(path) // of a process that may just have ended
		_, after, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(after) // from the third of proc(5) on
		if len(fields) < 13 || fields[1] != strconv.Itoa(s.process.Process.Pid) {
			continue
		}
		for _, field := range fields[11:13] {
			n, err := strconv.Atoi(field)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			ticks += n
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
