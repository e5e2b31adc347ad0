package syncing

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// remembered is how many results a process keeps.
const remembered = 100_000

// memory keeps the results of loads that brought nothing, so that further reads of
// those assets ask neither a provider nor the database.
type memory struct {
	now     func() time.Time
	results *lru.Cache[string, vain]
}

type vain struct {
	result Result
	until  time.Time
}

// longestMemory bounds how long a result is kept, since other processes may bring
// bars in the meantime.
const longestMemory = 5 * time.Minute

func newMemory(now func() time.Time) *memory {
	results, err := lru.New[string, vain](remembered)
	if err != nil {
		panic(err) // the size is positive
	}
	return &memory{now: now, results: results}
}

func (m *memory) get(assetID string) (Result, bool) {
	v, ok := m.results.Get(assetID)
	if !ok || !m.now().Before(v.until) {
		return Result{}, false
	}
	return v.result, true
}

func (m *memory) put(assetID string, r Result, span time.Duration) {
	if span > 0 {
		m.results.Add(assetID, vain{r, m.now().Add(min(span, longestMemory))})
	}
}
