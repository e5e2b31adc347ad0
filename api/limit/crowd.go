package limit

import "sync"

// Crowd bounds how many of something a caller has at the same time. Its methods
// may be called from any goroutine; nil bounds nobody.
type Crowd[K comparable] struct {
	most int
	mu   sync.Mutex
	now  map[K]int
}

// NewCrowd lets a caller have so many; it returns nil for 0, which is no bound.
func NewCrowd[K comparable](most int) *Crowd[K] {
	if most <= 0 {
		return nil
	}
	return &Crowd[K]{most: most, now: map[K]int{}}
}

// Enter takes one of k's places, which leave gives back; it reports whether there
// was one.
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
