package engine

import (
	"context"
	"fmt"
	"runtime"
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
	coming  int // being started
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
	k, err := p.take()
	if err != nil {
		return nil, err
	}
	return openAnswer(ctx, k, o, data)
}

// take returns a child that is ready, and starts others in its place.
func (p *Pool) take() (*process, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, fmt.Errorf("the query pool is closed")
	}
	p.used = time.Now()
	var k *process
	if n := len(p.warm); n > 0 {
		k, p.warm = p.warm[n-1], p.warm[:n-1]
	}
	for len(p.warm)+p.coming < p.c.Warm {
		p.coming++
		p.work.Go(p.prepare)
	}
	if p.resting == nil && p.c.Idle > 0 {
		p.resting = time.AfterFunc(p.c.Idle, p.rest)
	}
	if k == nil {
		p.work.Add(1)
	}
	p.mu.Unlock()
	if k != nil {
		return k, nil
	}
	defer p.work.Done()
	return p.start()
}

// start starts a child and waits until it is ready.
func (p *Pool) start() (*process, error) {
	answer := make(chan birth)
	p.orders <- answer
	b := <-answer
	if b.err != nil {
		return nil, b.err
	}
	return b.child, b.child.meet()
}

// prepare starts a child for a later order. If it fails, the child is started when it is
// needed, and the caller sees the error.
func (p *Pool) prepare() {
	k, err := p.start()
	p.mu.Lock()
	p.coming--
	if err == nil && !p.closed {
		p.warm = append(p.warm, k)
		k = nil
	}
	p.mu.Unlock()
	if err == nil && k != nil {
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
