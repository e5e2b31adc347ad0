package provider

import (
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	keptAnswers = 64
	// fresh is how long an answer is reused without a request.
	fresh = time.Minute
	// largestKept is the size of the largest answer that is kept, in bytes.
	largestKept = 1 << 20
)

// kept is the last good answer to a request.
type kept struct {
	body     []byte
	etag     string
	modified string // Last-Modified
	at       time.Time
}

// answers keeps the last good answers and drops the least recently used first.
type answers struct {
	mu    sync.Mutex
	byKey *lru.Cache[string, kept]
}

func newAnswers() *answers {
	cache, err := lru.New[string, kept](keptAnswers)
	if err != nil {
		panic(err) // the size is positive
	}
	return &answers{byKey: cache}
}

func (a *answers) get(key string) (kept, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.byKey.Get(key)
}

func (a *answers) put(key string, k kept) {
	if len(k.body) > largestKept {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.byKey.Add(key, k)
}
