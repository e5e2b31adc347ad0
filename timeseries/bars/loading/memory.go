package loading

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// remembered is how many assets a process remembers to have asked for in vain.
const remembered = 100_000

// memory keeps the results of what was asked for in vain, so that reads of it
// ask nobody, not even the database.
type memory struct {
	now     func() time.Time
	results *lru.Cache[string, vain]
}

type vain struct {
	result Result
	until  time.Time
}

// longestMemory bounds it: other processes may have brought bars meanwhile.
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
