package sandbox

import (
	"context"
	"runtime"
)

// starter starts children on one thread that lives as long as the pool, because the
// kernel ends a child when the thread that started it ends.
type starter struct {
	orders chan chan<- birth
}

type birth struct {
	child *child
	err   error
}

func newStarter(ctx context.Context, argv []string) *starter {
	s := &starter{orders: make(chan chan<- birth)}
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		coarseTimers()
		for order := range s.orders {
			c, err := spawn(ctx, argv)
			order <- birth{c, err}
		}
	}()
	return s
}

// start starts a child and waits until it is ready.
func (s *starter) start() (*child, error) {
	answer := make(chan birth)
	s.orders <- answer
	b := <-answer
	if b.err != nil {
		return nil, b.err
	}
	return b.child, b.child.meet()
}

// stop ends the thread. All children must have ended.
func (s *starter) stop() { close(s.orders) }
