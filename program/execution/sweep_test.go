package execution

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"ballast/program/result"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// children are a sandbox whose points return their own number. They answer as many points
// as they like, are displaced, and are stopped by a point that takes too much.
type children struct {
	mu     sync.Mutex
	random *rand.Rand
	bad    float64 // the point that stops its child
	cpu    time.Duration
	jobs   int
	after  int // jobs after which the service is stopped; 0 for never
	stop   context.CancelFunc
}

func (c *children) Run(ctx context.Context, job sandbox.Job) (*sandbox.Outcome, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.jobs++; c.jobs == c.after {
		c.stop()
		return nil, context.Canceled
	}
	if !job.Long && c.random.IntN(4) == 0 {
		return nil, sandbox.ErrDisplaced
	}
	n := 1 + c.random.IntN(len(job.Points))
	o := &sandbox.Outcome{CPU: time.Duration(n) * c.cpu}
	for _, values := range job.Points[:n] {
		v := values["n"].(float64)
		if v == c.bad {
			return nil, &script.RunError{Type: script.MemoryLimit, Message: "too much", CPU: c.cpu}
		}
		o.Points = append(o.Points, sandbox.Point{First: 1, Returns: []float64{v, -v}})
	}
	return o, nil
}

func sweepOf(t *testing.T, c *children, points int, parts *result.Parts) *sweeping {
	t.Helper()
	wanted := &script.Sweep{Model: "M", Inputs: []string{"n"}}
	for i := range points {
		wanted.Points = append(wanted.Points, []any{float64(i)})
	}
	frame, err := timeseries.Align([]timeseries.Source{{Key: "A", Series: timeseries.Series{Base: 1000, Dates: []timeseries.Date{1001, 1002, 1003}, Returns: []float64{0, 0, 0}}}})
	if err != nil {
		t.Fatal(err)
	}
	job := sandbox.Job{Frame: frame}
	work, err := workOf(&job, wanted)
	if err != nil {
		t.Fatal(err)
	}
	s := &sweeping{
		executor: &Executor{sandbox: c, log: slog.New(slog.DiscardHandler)}, job: job, wanted: wanted, progress: &progressWriter{},
		results: make([]sandbox.Point, points), saving: saving{parts: parts, work: work},
	}
	if err := s.restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *sweeping) check(t *testing.T, bad int) {
	t.Helper()
	if s.done != len(s.results) {
		t.Errorf("%d points of %d are done", s.done, len(s.results))
	}
	for i, p := range s.results {
		switch {
		case i == bad && (p.Failure == nil || p.Failure.Type != script.MemoryLimit):
			t.Errorf("point %d has the failure %v", i, p.Failure)
		case i != bad && (p.Failure != nil || len(p.Returns) != 2 || p.Returns[0] != float64(i)):
			t.Errorf("point %d is %+v", i, p)
		}
	}
}

// However the points are divided, each is computed once for itself.
func TestPointsDoNotDependOnTheirDivision(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		c := &children{random: rand.New(rand.NewPCG(seed, 1)), bad: 17, cpu: time.Millisecond}
		s := sweepOf(t, c, 40, nil)
		if err := s.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.check(t, 17)
	}
}

// A sweep that is stopped goes on from the parts that it has stored, and computes the
// others alone.
func TestSweepsGoOn(t *testing.T) {
	t.Parallel()
	bucket, err := columnar.OpenBucket(t.Context(), t.TempDir(), columnar.BucketOptions{})
	if err != nil {
		t.Fatal(err)
	}
	store, err := result.NewStore(bucket, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	first := &children{random: rand.New(rand.NewPCG(1, 1)), bad: -1, cpu: 30 * time.Millisecond, after: 10, stop: stop}
	s := sweepOf(t, first, 200, store.Parts("run_1"))
	if err := s.run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	stored := s.done - len(s.saving.due)
	second := &children{random: rand.New(rand.NewPCG(2, 1)), bad: -1, cpu: time.Millisecond}
	parts := store.Parts("run_1")
	s = sweepOf(t, second, 200, parts)
	if s.done != stored || stored == 0 || s.spent == 0 {
		t.Errorf("%d points are restored, and %d were stored; %s were spent", s.done, stored, s.spent)
	}
	if err := s.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.check(t, -1)
	if other := sweepOf(t, second, 201, store.Parts("run_1")); other.done != 0 {
		t.Errorf("another sweep takes over %d points", other.done)
	}
	if err := parts.Delete(t.Context()); err != nil {
		t.Fatal(err)
	}
	for entry := range bucket.List(t.Context(), "") {
		t.Errorf("%s is left", entry.Key)
	}
}

// A sweep that would take too long ends as soon as that can be told.
func TestSweepsAreAffordable(t *testing.T) {
	t.Parallel()
	c := &children{random: rand.New(rand.NewPCG(3, 1)), bad: -1, cpu: 20 * time.Second}
	s := sweepOf(t, c, 1000, nil)
	err := s.run(t.Context())
	var failed *script.RunError
	if !errors.As(err, &failed) || failed.Type != script.TimeLimit || failed.CPU == 0 || s.done > surveyed+2*mostAtOnce {
		t.Errorf("%v after %d points", err, s.done)
	}
}
