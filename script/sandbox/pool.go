package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/prometheus/client_golang/prometheus"

	"ballast/backtest"
	"ballast/internal/confine"
	"ballast/internal/fair"
	"ballast/timeseries"
)

// Config configures a pool.
type Config struct {
	Command    []string              // argv of a child, such as /proc/self/exe sandbox
	Size       int                   // children kept warm, and thus concurrent runs; at least 1
	Most       int                   // children including extra ones for accounts without a run; at least Size
	Strict     bool                  // refuse to start if a guard is missing
	Defaults   Limits                // for jobs that set none
	Logger     *slog.Logger          // nil is slog.Default
	Registerer prometheus.Registerer // nil is none
}

const (
	runsOfChild  = 1000      // runs after which a child is replaced
	keptMemory   = 256 << 20 // bytes; a child that keeps more after a run is replaced
	patrolEvery  = 100 * time.Millisecond
	extraFor     = 5 * time.Second // how long an extra child is kept idle
	startBackoff = 100 * time.Millisecond
	maxBackoff   = 5 * time.Second
)

// ErrClosed is returned by Run on a closed pool.
var ErrClosed = errors.New("the sandbox is closed")

// ErrDisplaced says that a run had to give its child to another account. The job may
// be run again with Long set.
var ErrDisplaced = errors.New("the run was stopped to make room for a run of another account")

// Pool keeps warm children that execute jobs, one at a time each. Accounts share the
// children by the rules of package fair, so that no account's jobs block another's.
// Its methods are safe for concurrent use.
type Pool struct {
	config  Config
	log     *slog.Logger
	metrics *poolMetrics
	guards  confine.Report
	shares  *fair.Shares
	idle    chan *child
	starter *starter
	closing context.Context
	close   context.CancelFunc
	work    sync.WaitGroup // runs and starts of children

	mu       sync.Mutex
	closed   bool
	living   int // children that are idle or busy
	starting int
	wanting  int // runs that have a place and wait for a child
}

// NewPool starts the children and waits until all are ready. In strict mode it fails
// if a guard is missing.
func NewPool(ctx context.Context, c Config) (*Pool, error) {
	if len(c.Command) == 0 {
		return nil, errors.New("the sandbox has no command")
	}
	c.Size = max(c.Size, 1)
	c.Most = max(c.Most, c.Size)
	c.Defaults = c.Defaults.or(standard)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	p := &Pool{
		config: c, log: c.Logger,
		shares: fair.New(fair.Size{Places: c.Size, Most: c.Most, Long: c.Most - 1}),
		idle:   make(chan *child, 2*c.Most), // more than can ever be alive
	}
	var err error
	if p.metrics, err = newMetrics(c.Registerer, func() int { return len(p.idle) }, p.children); err != nil {
		return nil, err
	}
	p.closing, p.close = context.WithCancel(context.Background())
	p.starter = newStarter(p.closing, c.Command)
	if err := p.fill(ctx); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	missing := p.guards.Missing()
	level := slog.LevelInfo
	if len(missing) > 0 {
		level = slog.LevelWarn
	}
	p.log.Log(ctx, level, "sandbox ready", "children", c.Size, "guards", p.guards.String(), "missing", missing)
	p.metrics.show(p.guards)
	p.work.Go(p.patrol)
	return p, nil
}

// start starts a child. In strict mode it fails if a guard is missing.
func (p *Pool) start() (*child, error) {
	c, err := p.starter.start()
	if err != nil {
		return nil, err
	}
	if missing := c.guards.Missing(); p.config.Strict && len(missing) > 0 {
		c.end()
		return nil, fmt.Errorf("the sandbox lacks %s on this system, which strict mode requires: %s", strings.Join(missing, ", "), c.guards)
	}
	return c, nil
}

// fill starts the first children in parallel.
func (p *Pool) fill(ctx context.Context) error {
	type started struct {
		c   *child
		err error
	}
	ready := make(chan started, p.config.Size)
	for range p.config.Size {
		go func() {
			c, err := p.start()
			ready <- started{c, err}
		}()
	}
	var problem error
	for range p.config.Size {
		s := <-ready
		if s.err != nil {
			problem = s.err
			continue
		}
		p.guards = s.c.guards
		s.c.rest()
		p.living++
		p.idle <- s.c
	}
	return errors.Join(problem, ctx.Err())
}

// Guards reports which guards are active in the children on this system.
func (p *Pool) Guards() confine.Report { return p.guards }

// children returns the number of living children.
func (p *Pool) children() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.living
}

// Run executes job on a child when it is its account's turn. If the script fails or
// exceeds a limit, the error is a *script.RunError. If ctx ends the run, it is a
// *Stopped with ctx's error. On ErrDisplaced the caller may run the job again with
// Long set. Any other error is internal.
func (p *Pool) Run(ctx context.Context, job Job) (*Outcome, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	p.work.Add(1)
	p.mu.Unlock()
	defer p.work.Done()

	limits := job.Limits.or(p.config.Defaults)
	began := time.Now()
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.closing, cancel)()
	outcome, cpu, err := p.run(running, job, limits)
	if err != nil {
		err = p.outcomeError(ctx, err, cpu)
	}
	p.metrics.observe(time.Since(began), err)
	return outcome, err
}

// run tries a job a second time if the child died or sent a damaged message, because
// an earlier job may have left the child in a bad state.
func (p *Pool) run(ctx context.Context, job Job, limits Limits) (*Outcome, time.Duration, error) {
	place, err := p.turn(ctx, job)
	if err != nil {
		return nil, 0, err
	}
	defer place.Give()
	var m *message
	for second := false; ; second = true {
		c, err := p.acquire(ctx)
		if err != nil {
			return nil, 0, err
		}
		if m == nil {
			if m, err = pack(job, limits); err != nil {
				p.release(c)
				return nil, 0, err
			}
			defer m.close()
		}
		answer, result, cpu, err := c.run(ctx, m, place)
		p.release(c)
		switch {
		case err == nil:
			outcome, err := outcomeOf(answer, result, job.Frame, cpu)
			return outcome, cpu, err
		case unsound(err) && !second && p.closing.Err() == nil:
			p.log.WarnContext(ctx, "sandbox process failed, the run is tried once more", "error", err)
		default:
			return nil, cpu, err
		}
	}
}

// turn waits until a job may use a child.
func (p *Pool) turn(ctx context.Context, job Job) (*fair.Place, error) {
	p.metrics.waiting.Inc()
	defer p.metrics.waiting.Dec()
	return p.shares.Take(ctx, fair.Claim{Account: job.Account, Long: job.Long})
}

// unsound reports whether a child died or sent a damaged message.
func unsound(err error) bool {
	var (
		died *diedError
		bad  *damagedError
	)
	return errors.As(err, &died) || errors.As(err, &bad)
}

func outcomeOf(answer *reply, r *backtest.Result, f *timeseries.Frame, cpu time.Duration) (*Outcome, error) {
	o := &Outcome{Log: answer.Log, CPU: cpu, Steps: answer.Steps, Optimizers: answer.Optimizers, Causality: answer.verdict}
	if o.Points = answer.points; o.Points != nil {
		return o, nil
	}
	if a := answer.answer; a != nil {
		o.Wants, o.Keep = a.Wants, a.Keep
		for i := range a.Tables {
			o.Tables = append(o.Tables, recordOf(&a.Tables[i]))
		}
		o.Scalars, o.Figures, o.Drawn = a.Scalars, a.Figures, a.Drawn
		return o, nil
	}
	if r.State != nil {
		r.State.Past = backtest.Fingerprint(f, r.State.Session)
	}
	daily, ledger, err := r.Tables(memory.DefaultAllocator)
	if err != nil {
		return nil, err
	}
	o.Tables, o.Summary = []Table{{DailyTable, daily}, {LedgerTable, ledger}}, r.Summary
	return o, nil
}

// acquire returns a warm child, or starts one, for a run that has a place.
func (p *Pool) acquire(ctx context.Context) (*child, error) {
	p.want(1)
	defer p.want(-1)
	for {
		select {
		case <-p.closing.Done():
			return nil, ErrClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		case c := <-p.idle:
			why := c.unfit()
			if why == "" {
				return c, nil
			}
			p.replace(c, why)
		}
	}
}

// want changes the number of runs that need a child.
func (p *Pool) want(n int) {
	p.mu.Lock()
	p.wanting += n
	p.mu.Unlock()
	p.grow()
}

// grow starts missing children: up to Size, and one for each run that has a place but
// no idle child.
func (p *Pool) grow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	missing := max(p.config.Size-p.living, p.wanting-len(p.idle)) - p.starting
	for range missing {
		p.starting++
		p.work.Go(p.birth)
	}
}

// birth starts a child, with as many tries as it takes.
func (p *Pool) birth() {
	c, err := p.start()
	for wait := startBackoff; err != nil && p.closing.Err() == nil; wait = min(2*wait, maxBackoff) {
		p.log.ErrorContext(p.closing, "sandbox process does not start", "error", err)
		select {
		case <-p.closing.Done():
		case <-time.After(wait):
			c, err = p.start()
		}
	}
	p.mu.Lock()
	p.starting--
	if err == nil {
		p.living++
	}
	p.mu.Unlock()
	if err == nil {
		c.rest()
		p.offer(c)
	}
}

// release returns a child to the pool, or replaces it.
func (p *Pool) release(c *child) {
	switch {
	case c.broken:
		p.replace(c, "broken")
	case c.lowered:
		p.replace(c, "slow")
	default:
		c.rest()
		p.offer(c)
	}
}

// offer makes a fit child available to other runs. A child in excess of Size is kept
// for a while.
func (p *Pool) offer(c *child) {
	why := c.unfit()
	if why == "" && time.Since(c.rested.at) > extraFor && p.children() > p.config.Size {
		why = "extra"
	}
	if why != "" {
		p.replace(c, why)
		return
	}
	p.idle <- c
}

// patrol checks the idle children regularly: a script that took over its child could
// otherwise continue unobserved after its run.
func (p *Pool) patrol() {
	tick := time.NewTicker(patrolEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.closing.Done():
			return
		case <-tick.C:
		}
		for range len(p.idle) {
			select {
			case c := <-p.idle:
				p.offer(c)
			default: // a run has taken it
			}
		}
	}
}

// replace ends a child and starts another if one is missing.
func (p *Pool) replace(c *child, why string) {
	p.metrics.replaced.WithLabelValues(why).Inc()
	p.mu.Lock()
	p.living--
	p.mu.Unlock()
	p.work.Go(func() {
		c.end()
		p.grow()
	})
}

// Close ends all runs and children and returns when they are gone.
func (p *Pool) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	p.mu.Unlock()
	p.close()
	p.work.Wait()
	for {
		select {
		case c := <-p.idle:
			c.end()
		default:
			p.starter.stop()
			p.metrics.unregister()
			return nil
		}
	}
}
