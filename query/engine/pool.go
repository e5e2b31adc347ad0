package engine

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Config configures a Pool.
type Config struct {
	Command []string      // starts a child; the folder of its temporary files is added
	Dir     string        // folder in which each child gets a folder of its own
	Warm    int           // number of children started ahead
	Idle    time.Duration // after how long unused children are ended
}

// Pool starts children. Its methods may be called from several goroutines.
type Pool struct {
	c      Config
	orders chan chan<- birth

	mu      sync.Mutex
	warm    []*process
	coming  int          // being started; at least as many as there are callers
	callers []chan birth // those that wait for a child, in the order in which they came
	closed  bool
	used    time.Time
	resting *time.Timer
	work    sync.WaitGroup
}

type birth struct {
	child *process
	err   error
}

// NewPool returns a Pool. It starts no child before the first order.
func NewPool(c Config) *Pool {
	p := &Pool{c: c, orders: make(chan chan<- birth)}
	go func() {
		// The kernel kills a child when the thread that started it ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for order := range p.orders {
			k, err := spawn(c)
			order <- birth{k, err}
		}
	}()
	return p
}

// Run gives an order to a child, with the order's tables as Arrow streams. The caller
// closes the answer. The error is a *Failure of the statement, the context's error, or an
// error of the process; with it comes a closed answer if a process has worked on the
// order, and nil otherwise.
func (p *Pool) Run(ctx context.Context, o *Order, data ...[]byte) (*Answer, error) {
	if len(data) != len(o.Data) {
		return nil, fmt.Errorf("query: %d tables instead of %d", len(data), len(o.Data))
	}
	k, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	return openAnswer(ctx, k, o, data)
}

// take returns a child that is ready, or else the first that becomes ready, and starts
// others in its place.
func (p *Pool) take(ctx context.Context) (*process, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, fmt.Errorf("the query pool is closed")
	}
	p.used = time.Now()
	if p.resting == nil && p.c.Idle > 0 {
		p.resting = time.AfterFunc(p.c.Idle, p.rest)
	}
	if n := len(p.warm); n > 0 {
		k := p.warm[n-1]
		p.warm = p.warm[:n-1]
		p.refill()
		p.mu.Unlock()
		return k, nil
	}
	answer := make(chan birth, 1)
	p.callers = append(p.callers, answer)
	p.refill()
	p.mu.Unlock()
	select {
	case b := <-answer:
		return b.child, b.err
	case <-ctx.Done():
		p.leave(answer)
		return nil, ctx.Err()
	}
}

// refill starts children until there is one for each waiting caller, and at least Warm in
// all. More would only delay those that callers wait for. The caller holds p.mu.
func (p *Pool) refill() {
	for !p.closed && len(p.warm)+p.coming < max(p.c.Warm, len(p.callers)) {
		p.coming++
		p.work.Go(p.prepare)
	}
}

// prepare starts a child and gives it to the caller that has waited longest, or keeps it
// for a later one. If it fails, a caller gets the error only if no other child is coming
// for it.
func (p *Pool) prepare() {
	k, err := p.start()
	p.mu.Lock()
	p.coming--
	switch {
	case len(p.callers) > 0 && (err == nil || p.coming < len(p.callers)):
		p.serve(birth{k, err})
		k = nil
		if err == nil {
			p.refill()
		}
	case err == nil:
		k = p.keep(k)
	}
	p.mu.Unlock()
	if k != nil {
		k.close()
	}
}

// start starts a child and waits until it is ready.
func (p *Pool) start() (*process, error) {
	answer := make(chan birth)
	p.orders <- answer
	b := <-answer
	if b.err != nil {
		return nil, b.err
	}
	if err := b.child.meet(); err != nil {
		return nil, err
	}
	return b.child, nil
}

// serve ends the wait of the caller that has waited longest. The caller holds p.mu.
func (p *Pool) serve(b birth) {
	p.callers[0] <- b
	p.callers = p.callers[1:]
}

// keep keeps a child for a later caller. It returns the child if there are enough. The
// caller holds p.mu.
func (p *Pool) keep(k *process) *process {
	if p.closed || len(p.warm) >= p.c.Warm {
		return k
	}
	p.warm = append(p.warm, k)
	return nil
}

// leave ends the wait of a caller. If it was given a child just now, the child is kept
// for another.
func (p *Pool) leave(answer chan birth) {
	var k *process
	p.mu.Lock()
	if i := slices.Index(p.callers, answer); i >= 0 {
		p.callers = slices.Delete(p.callers, i, i+1)
	} else if b := <-answer; b.child != nil {
		if k = b.child; len(p.callers) > 0 {
			p.serve(b)
			k = nil
		} else {
			k = p.keep(k)
		}
	}
	p.mu.Unlock()
	if k != nil {
		k.close()
	}
}

// rest ends children that have been unused for a while.
func (p *Pool) rest() {
	p.mu.Lock()
	var idle []*process
	if left := p.c.Idle - time.Since(p.used); left > 0 && !p.closed {
		p.resting.Reset(left)
	} else {
		idle, p.warm, p.resting = p.warm, nil, nil
	}
	p.mu.Unlock()
	for _, k := range idle {
		k.close()
	}
}

// Close ends the waiting children. Callers close their own answers.
func (p *Pool) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	if p.resting != nil {
		p.resting.Stop()
	}
	idle := p.warm
	p.warm = nil
	p.mu.Unlock()
	for _, k := range idle {
		k.close()
	}
	p.work.Wait()
	close(p.orders)
	return nil
}
