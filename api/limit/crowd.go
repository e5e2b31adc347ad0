package limit

import "sync"

// Crowd bounds how much a caller does at the same time. Its methods are safe for
// concurrent use; a nil Crowd bounds nobody.
type Crowd[K comparable] struct {
	most int
	mu   sync.Mutex
	now  map[K]int
}

// NewCrowd gives each caller `most` places. It returns nil for 0, which means no
// bound.
func NewCrowd[K comparable](most int) *Crowd[K] {
	if most <= 0 {
		return nil
	}
	return &Crowd[K]{most: most, now: map[K]int{}}
}

// Enter takes one of k's places, if one is free; leave gives it back.
func (c *Crowd[K]) Enter(k K) (leave func(), ok bool) {
	if c == nil {
		return func() {}, true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now[k] >= c.most {
		return nil, false
	}
	c.now[k]++
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.now[k]--; c.now[k] == 0 {
			delete(c.now, k)
		}
	}), true
}
