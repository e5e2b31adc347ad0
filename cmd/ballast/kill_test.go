package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ballast/internal/testenv"
)

// TestKill builds models while service, worker and sandboxes are killed at random,
// and checks that nothing that was accepted is lost, half done or different.
// BALLAST_SEED repeats the choices of a run.
func TestKill(t *testing.T) {
	testenv.NotInTest(t)
	if runtime.GOOS != "linux" {
		t.Skip("finds its victims in /proc")
	}
	binary.Path(t)
	k := newKilling(t)
	k.startService(t)
	must(t, "import", "bars", smallMarket(t), "--data-dir", k.data)
	k.key = caller(t, k.data, "").key
	k.startWorker(t)

	began := time.Now()
	posted := make(chan struct{})
	posting, cancel := context.WithCancel(t.Context())
	defer func() {
		cancel()
		<-posted
	}()
	go func() {
		defer close(posted)
		k.post(posting, t, testenv.Rounds(40, 400))
	}()
	for done := false; !done; {
		select {
		case <-posted:
			done = true
		case <-time.After(time.Duration(150+k.random.IntN(900)) * time.Millisecond):
			k.strike(t)
		}
	}
	t.Logf("posted for %v: killed %v; %d requests without an answer, %d symbols taken by those, %d runs of existing models, refusals %v",
		time.Since(began).Round(time.Millisecond), k.killed, k.unanswered.Load(), k.taken.Load(), k.reruns.Load(), k.refusals)
	if t.Failed() {
		return
	}

	began = time.Now()
	sheets := k.settle(t)
	t.Logf("settled in %v", time.Since(began).Round(time.Millisecond))
	k.checkAccepted(t, sheets)
	began = time.Now()
	k.checkResults(t, sheets)
	t.Logf("results checked in %v", time.Since(began).Round(time.Millisecond))
	k.end(t)
}

// newKilling starts a run of the test in a new data folder. Its random choices differ
// each time unless BALLAST_SEED is set.
func newKilling(t *testing.T) *killing {
	t.Helper()
	seed := testenv.Seed(t, uint64(time.Now().UnixNano()))
	return &killing{data: t.TempDir(), seed: seed, random: rand.New(rand.NewPCG(seed, 1)), killed: map[string]int{}, models: map[string]*attempt{}}
}

// killing is one run of the test.
type killing struct {
	data            string
	seed            uint64
	key             string
	url             atomic.Value // string: changes with each start
	random          *rand.Rand   // used only by the goroutine that kills
	service, worker *process
	killed          map[string]int
	shot            time.Time // when a sandbox was last killed

	mu         sync.Mutex
	models     map[string]*attempt // by id
	names      map[string]*attempt // by name
	good       []string            // symbols of accepted models that do not fail
	refusals   map[string]int      // answers of 500 and more, by type
	unanswered atomic.Int64
	taken      atomic.Int64
	reruns     atomic.Int64
}

// attempt is one model that the client wants.
type attempt struct {
	name, symbol, script string
	fails                bool
	uncertain            bool // a request got no response, so the model may exist
}

func (k *killing) startService(t *testing.T, flags ...string) {
	t.Helper()
	p, url := serveProcess(t, k.data, append([]string{"--daily-run-limit", "100000"}, flags...)...)
	k.service = p
	k.url.Store(url)
}

func (k *killing) startWorker(t *testing.T) {
	t.Helper()
	k.worker = launch(t, "worker", "--data-dir", k.data, "--log-format", "json")
	k.worker.says(t, `"working"`)
}

// client returns a client for the service's current address.
func (k *killing) client() *client {
	return &client{url: k.url.Load().(string), key: k.key, http: http.Client{Timeout: 70 * time.Second}}
}

// strike kills something, and starts it again.
func (k *killing) strike(t *testing.T) {
	switch n := k.random.IntN(10); {
	case n < 4:
		k.fell(t, k.service, "service")
		for k.random.IntN(4) == 0 {
			p := launch(t, "serve", "--data-dir", k.data, "--listen", "127.0.0.1:0", "--log-format", "json")
			time.Sleep(time.Duration(k.random.IntN(500)) * time.Millisecond)
			k.fell(t, p, "starting service")
		}
		k.startService(t)
	case n < 6:
		k.fell(t, k.worker, "worker")
		k.startWorker(t)
	default:
		if time.Since(k.shot) < 5*time.Second {
			return // a run is tried twice, so its second sandbox must stay alive
		}
		found := sandboxes(append(family(k.service.cmd.Process.Pid), family(k.worker.cmd.Process.Pid)...))
		if len(found) == 0 {
			return
		}
		victim, err := os.FindProcess(found[k.random.IntN(len(found))].pid)
		if err == nil && victim.Kill() == nil {
			k.killed["sandbox"]++
			k.shot = time.Now()
		}
	}
}

// fell kills a process without warning and checks that its children end too.
func (k *killing) fell(t *testing.T, p *process, kind string) {
	t.Helper()
	if p.ended() {
		t.Fatalf("the %s ended by itself", kind)
	}
	children := family(p.cmd.Process.Pid)
	p.kill()
	k.killed[kind]++
	gone(t, children, 2*time.Second)
}

// post asks for n models with four clients, one request every tenth of a second, and
// starts runs of existing models in between.
func (k *killing) post(ctx context.Context, t *testing.T, n int) {
	k.names, k.refusals = map[string]*attempt{}, map[string]int{}
	work := make(chan int)
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for i := range work {
				k.create(ctx, t, k.attempt(i))
				if i%5 == 4 {
					k.rerun(ctx, t, i)
				}
			}
		})
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for i := range n {
		<-tick.C
		work <- i
	}
	close(work)
	clients.Wait()
}

// attempt makes the script of the i-th model.
func (k *killing) attempt(i int) *attempt {
	a := &attempt{name: fmt.Sprintf("Model %d", i), symbol: fmt.Sprintf("M%d", i)}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.names[a.name] = a
	weight := fmt.Sprintf("0.%02d", i%90+5)
	switch kind := i % 10; {
	case kind == 3:
		a.script = slowScript(a.name, a.symbol, 12_000)
	case kind == 5:
		a.fails = true
		a.script = head(a.name, a.symbol, "monthly", []string{`"KA"`}) + "    return {\"KA\": 1 / (0 if ctx.date > \"2017-06-01\" else 1)}\n"
	case kind == 7:
		a.name += " unnamed"
		k.names[a.name] = a
		a.symbol, a.script = "", fixedWeights(a.name, "", "KC", weight, "KD", "0.1")
	case kind >= 8 && len(k.good) > 5:
		held := []string{k.good[(i*7)%len(k.good)], k.good[(i*13+1)%len(k.good)]}
		if held[0] == held[1] {
			held[1] = "KF"
		}
		a.script = fixedWeights(a.name, a.symbol, held[0], weight, held[1], "0.05", "KE", "0.05")
	default:
		a.script = fixedWeights(a.name, a.symbol, "KA", weight, "KB", "0.05")
	}
	return a
}

// create posts until the model is accepted, as a careful caller does.
func (k *killing) create(ctx context.Context, t *testing.T, a *attempt) {
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(30 * time.Millisecond) {
		var sheet struct{ ID, Symbol string }
		err := k.client().do(ctx, "POST", "/v1/models", map[string]string{"script": a.script}, &sheet)
		var refused *problem
		switch {
		case err == nil:
			k.accept(a, sheet.ID)
			return
		case !errors.As(err, &refused):
			k.unanswered.Add(1)
			a.uncertain = true
		case refused.Body.Error.Type == "symbol_taken" && a.uncertain:
			// An earlier request succeeded, and only its response was lost.
			if k.client().do(ctx, "GET", "/v1/models/"+a.symbol, nil, &sheet) == nil {
				k.taken.Add(1)
				k.accept(a, sheet.ID)
				return
			}
		case refused.Status >= 500:
			a.uncertain = true
			k.mu.Lock()
			k.refusals[refused.Body.Error.Type]++
			k.mu.Unlock()
		default:
			t.Errorf("%s: %v", a.name, refused)
			return
		}
	}
	if ctx.Err() == nil {
		t.Errorf("%s was not accepted in a minute", a.name)
	}
}

func (k *killing) accept(a *attempt, id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.models[id] = a
	if !a.fails && a.symbol != "" {
		k.good = append(k.good, a.symbol)
	}
}

// rerun starts a default run; models that hold the model follow it.
func (k *killing) rerun(ctx context.Context, t *testing.T, i int) {
	k.mu.Lock()
	symbol := k.good[i*31%len(k.good)]
	k.mu.Unlock()
	err := k.client().do(ctx, "POST", "/v1/models/"+symbol+"/runs", struct{}{}, nil)
	var refused *problem
	if err == nil {
		k.reruns.Add(1)
	} else if errors.As(err, &refused) && refused.Status < 500 && refused.Status != http.StatusConflict {
		t.Errorf("run of %s: %v", symbol, refused)
	}
}
