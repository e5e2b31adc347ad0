package columnar

import (
	"context"
	"sync"
)

// flights lets concurrent callers share one piece of work per name. The work has a
// context of its own, which ends when nobody waits for it any more: no caller that
// leaves fails the others, and work that nobody wants stops.
type flights struct {
	mu     sync.Mutex
	byName map[string]*sharedWork
}

// sharedWork is one piece of work and those who wait for it.
type sharedWork struct {
	waiting int
	cancel  context.CancelFunc
	done    chan struct{} // closed when path and err are set
	path    string
	err     error
}

// do returns what work returns, for this caller or for one that came before it. Values
// of the first caller's context are passed on to the work.
func (f *flights) do(ctx context.Context, name string, work func(context.Context) (string, error)) (string, error) {
	f.mu.Lock()
	x, ok := f.byName[name]
	if !ok {
		x = f.begin(ctx, name, work)
	}
	x.waiting++
	f.mu.Unlock()
	select {
	case <-x.done:
		return x.path, x.err
	case <-ctx.Done():
		f.leave(name, x)
		return "", ctx.Err()
	}
}

// begin starts the work; the caller holds f.mu.
func (f *flights) begin(ctx context.Context, name string, work func(context.Context) (string, error)) *sharedWork {
	if f.byName == nil {
		f.byName = map[string]*sharedWork{}
	}
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	x := &sharedWork{cancel: cancel, done: make(chan struct{})}
	f.byName[name] = x
	go func() {
		defer cancel()
		x.path, x.err = work(own)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.forget(name, x)
		close(x.done)
	}()
	return x
}

// leave stops the work if nobody else waits for it. Whoever comes next begins anew
// rather than sharing the cancellation.
func (f *flights) leave(name string, x *sharedWork) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if x.waiting--; x.waiting == 0 {
		x.cancel()
		f.forget(name, x)
	}
}

// forget removes the work, unless another has taken its place; the caller holds f.mu.
func (f *flights) forget(name string, x *sharedWork) {
	if f.byName[name] == x {
		delete(f.byName, name)
	}
}
