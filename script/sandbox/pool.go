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

// Config is what a pool is made of.
type Config struct {
	Command    []string              // argv of a child, such as /proc/self/exe sandbox
	Size       int                   // children that are kept warm, and so runs at the same time; 1 where less
	Most       int                   // children with the extra ones for accounts that have no run in one; Size where less
	Strict     bool                  // refuse to start where a guard is missing
	Defaults   Limits                // of jobs that name none
	Logger     *slog.Logger          // slog.Default where nil
	Registerer prometheus.Registerer // none where nil
}

// Children are replaced after so many runs, or when they keep that much memory after one.
const (
	runsOfChild  = 1000
	keptMemory   = 256 << 20
	patrolEvery  = 100 * time.Millisecond
	extraFor     = 5 * time.Second // that an extra child is kept with nothing to do
	startBackoff = 100 * time.Millisecond
	maxBackoff   = 5 * time.Second
)

// ErrClosed is the error of Run on a closed pool.
var ErrClosed = errors.New("the sandbox is closed")

// ErrDisplaced says that a run has left its child to another account's. It may be
// run again as a job that is Long.
var ErrDisplaced = errors.New("the run made room for another account's")

// Pool keeps warm children and has them execute jobs, one each at a time. Accounts
// share the children as package fair has it, so that no account's jobs keep
// another's waiting. Its methods may be called by several goroutines.
type Pool struct {
	config  Config
	log     *slog.Logger
	metrics *metrics
	guards  confine.Report
	shares  *fair.Shares
	idle    chan *child
	starter *starter
	closing context.Context
	close   context.CancelFunc
	work    sync.WaitGroup // runs and starts of children

	mu       sync.Mutex
	closed   bool
	living   int // children that are idle or work
	starting int
	wanting  int // runs that have a place and wait for a child
}

// NewPool starts the children and waits until all are ready. In strict mode it
// fails where a guard is missing.
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
		idle:   make(chan *child, 2*c.Most), // more than ever live
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

// start starts a child, which in strict mode has to have every guard.
func (p *Pool) start() (*child, error) {
	c, err := p.starter.start()
	if err != nil {
		return nil, err
	}
	if missing := c.guards.Missing(); p.config.Strict && len(missing) > 0 {
		c.end()
		return nil, fmt.Errorf("the sandbox lacks %s on this system and was asked to be strict: %s", strings.Join(missing, ", "), c.guards)
	}
	return c, nil
}

// fill starts the first children, side by side.
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

// Guards tells which guards hold over the children on this system.
func (p *Pool) Guards() confine.Report { return p.guards }

// children is the number of those that live.
func (p *Pool) children() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.living
}

// Run executes job on a child when it is its account's turn. A script that fails
// or breaks a limit gives a *script.RunError; ctx ends the run and gives a
// *Stopped with its error; ErrDisplaced asks to be called again with a job that is
// Long; any other error is the service's own.
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
		err = p.told(ctx, err, cpu)
	}
	p.metrics.observe(time.Since(began), err)
	return outcome, err
}

// run tries a job a second time where the child died under the first or was not
// sound: an earlier job may have left it so.
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

// turn waits until a job may have a child.
func (p *Pool) turn(ctx context.Context, job Job) (*fair.Place, error) {
	p.metrics.waiting.Inc()
	defer p.metrics.waiting.Dec()
	return p.shares.Take(ctx, fair.Claim{Account: job.Account, Long: job.Long})
}

// unsound reports whether a child ended or answered as no sound one does.
func unsound(err error) bool {
	var (
		died *diedError
		bad  *damagedError
	)
	return errors.As(err, &died) || errors.As(err, &bad)
}

func outcomeOf(answer *reply, r *backtest.Result, f *timeseries.Frame, cpu time.Duration) (*Outcome, error) {
	o := &Outcome{Log: answer.Log, CPU: cpu, Steps: answer.Steps, Causality: answer.verdict}
	if a := answer.answer; a != nil {
		for i := range a.Tables {
			o.Tables = append(o.Tables, recordOf(&a.Tables[i]))
		}
		o.Scalars, o.Figures = a.Scalars, a.Figures
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

// acquire gives a warm child to a run that has a place, or starts one.
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

// want counts runs that need a child.
func (p *Pool) want(n int) {
	p.mu.Lock()
	p.wanting += n
	p.mu.Unlock()
	p.grow()
}

// grow starts the children that are missing: those that are kept warm, and one for
// each run that has a place and finds none.
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

// birth starts a child, which may take several tries.
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

// release gives a child back, or another in its place.
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

// offer leaves a child that is fit for others to take. One more than are kept
// warm stays for a while.
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

// patrol looks after the children that nobody has taken: one that was taken over
// could go on with nobody watching.
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
			default: // others were faster
			}
		}
	}
}

// replace ends a child and starts another where one is missing.
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

// Close ends the runs and the children and returns when all are gone.
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
