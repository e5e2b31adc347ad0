package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// settle is how long a new process is ready before the next is replaced, so that the load
// balancer has noticed it.
const settle = 2 * time.Second

// perSecond is how many requests a second are sent while processes are replaced.
const perSecond = 50

// rolling replaces every process by another build and back, one after the other, under
// requests.
func rolling(ctx context.Context, o options) ([]figure, error) {
	return onFleet(ctx, o, 2, func(f *fleet, c *client) (figures []figure, err error) {
		if err := f.createAll(ctx, c, 8, "BASE", light); err != nil {
			return nil, err
		}
		whole := 5 * time.Minute
		if o.quick {
			whole = time.Minute
		}
		quiet := f.send(ctx, c, 20*time.Second)
		before := quiet()
		results := f.send(ctx, c, whole)
		other := cmp.Or(o.before, o.ballast)
		for _, program := range []string{other, o.ballast} {
			for _, r := range append(append([]*replica{}, f.services...), f.workers...) {
				if err := r.process.Stop(45 * time.Second); err != nil {
					return nil, err
				}
				if err := r.start(program); err != nil {
					return nil, err
				}
				if err := f.ready(ctx); err != nil {
					return nil, err
				}
				if err := pause(ctx, settle); err != nil {
					return nil, err
				}
			}
		}
		during := results()
		if err := f.settled(ctx, 2*time.Minute); err != nil {
			return nil, err
		}
		var runs, distinct, failed int
		if err := f.pool.QueryRow(ctx, "select count(*), count(distinct label), count(*) filter (where status <> 'complete') from runs where label like $1", during.round+"-%").Scan(&runs, &distinct, &failed); err != nil {
			return nil, fmt.Errorf("count the runs: %w", err)
		}
		lost := during.started - distinct
		return []figure{
			{"requests that failed", fmt.Sprintf("%d of %d %s", len(during.failures), during.sent, first(during.failures)), "0", len(during.failures) == 0},
			{"runs lost, doubled, failed", fmt.Sprintf("%d, %d, %d of %d", lost, runs-distinct, failed, during.started), "0", lost == 0 && runs == distinct && failed == 0},
			{"p99 while processes are replaced", fmt.Sprintf("%v (%v before)", during.p99().Round(time.Millisecond), before.p99().Round(time.Millisecond)), "≤ 3 ×", during.p99() <= 3*before.p99()},
		}, nil
	})
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	text, _, _ := strings.Cut(list[0], "\n")
	return "(" + text + ")"
}

// sending is what came of requests.
type sending struct {
	round string // what its labels begin with

	mu            sync.Mutex
	sent, started int
	took          []time.Duration
	failures      []string
}

// p99 is the time within which 99 of 100 answers came.
func (s *sending) p99() time.Duration {
	if len(s.took) == 0 {
		return 0
	}
	slices.Sort(s.took)
	return s.took[len(s.took)*99/100]
}

// send sends requests at a steady rate for a while: mostly reads, and a run in ten, each
// with a label and an idempotency key of its own. The result is there when the function
// that it returns has returned.
func (f *fleet) send(ctx context.Context, c *client, whole time.Duration) func() *sending {
	s := &sending{round: fmt.Sprintf("rolling-%d", time.Now().UnixNano())}
	var all sync.WaitGroup
	all.Go(func() {
		tick := time.NewTicker(time.Second / perSecond)
		defer tick.Stop()
		for i, end := 0, time.Now().Add(whole); time.Now().Before(end) && ctx.Err() == nil; i++ {
			<-tick.C
			all.Go(func() { s.one(ctx, c, i, fmt.Sprintf("%s-%d", s.round, i)) })
		}
	})
	return func() *sending { all.Wait(); return s }
}

// one sends the i-th request.
func (s *sending) one(ctx context.Context, c *client, i int, label string) {
	model := fmt.Sprintf("BASE-%d", i%8)
	method, path, body, run := http.MethodGet, "/v1/models/"+model, any(nil), i%50 == 0
	switch {
	case run:
		method, path, body = http.MethodPost, "/v1/models/"+model+"/runs", map[string]any{"label": label, "intent": "test", "inputs": map[string]any{"initial_cash": 10000 + i}}
	case i%10 == 1:
		path += "/history?include=returns"
	}
	began := time.Now()
	status, answer, err := c.call(ctx, method, path, body, "Idempotency-Key", label)
	took := time.Since(began)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent++
	s.took = append(s.took, took)
	switch {
	case err != nil:
		s.failures = append(s.failures, err.Error())
	case status >= 400:
		s.failures = append(s.failures, fmt.Sprintf("%s %s: %d %s", method, path, status, answer))
	case run:
		s.started++
	}
}
