package execution

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// flights lets callers who ask for the same thing at the same time share one
// computation. It ends when it is done, or when all of its callers have left.
type flights[T any] struct {
	mu    sync.Mutex
	byKey map[string]*flight[T]
}

type flight[T any] struct {
	callers int
	cancel  context.CancelFunc
	done    chan struct{} // closed when value and err are set
	value   T
	err     error
}

// do computes what key names, or waits for a computation in progress. The computation
// has the values of the first caller's ctx, but not its cancellation.
func (f *flights[T]) do(ctx context.Context, key string, compute func(context.Context) (T, error)) (T, error) {
	one := f.join(ctx, key, compute)
	select {
	case <-one.done:
		f.leave(key, one)
		return one.value, one.err
	case <-ctx.Done():
		f.leave(key, one)
		var none T
		return none, ctx.Err()
	}
}

func (f *flights[T]) join(ctx context.Context, key string, compute func(context.Context) (T, error)) *flight[T] {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one, ok := f.byKey[key]; ok {
		one.callers++
		return one
	}
	working, cancel := context.WithCancel(context.WithoutCancel(ctx))
	one := &flight[T]{callers: 1, cancel: cancel, done: make(chan struct{})}
	if f.byKey == nil {
		f.byKey = map[string]*flight[T]{}
	}
	f.byKey[key] = one
	go func() {
		defer close(one.done)
		defer f.forget(key, one)
		defer func() {
			if p := recover(); p != nil {
				one.err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		one.value, one.err = compute(working)
	}()
	return one
}

// leave cancels the computation with its last caller. A later caller starts a new
// one.
func (f *flights[T]) leave(key string, one *flight[T]) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one.callers--; one.callers > 0 {
		return
	}
	one.cancel()
	if f.byKey[key] == one {
		delete(f.byKey, key)
	}
}

func (f *flights[T]) forget(key string, one *flight[T]) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byKey[key] == one {
		delete(f.byKey, key)
	}
}
