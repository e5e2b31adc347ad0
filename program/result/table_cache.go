package result

import (
	"fmt"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"ballast/storage/columnar"
)

// tableCache keeps decoded parts of results, which never change, up to a number of
// bytes. The least recently used are dropped first.
type tableCache struct {
	mu     sync.Mutex
	tables *simplelru.LRU[tableKey, decoded]
	bytes  int64
	limit  int64
	hits   uint64
	misses uint64
}

// tableKey names a decoded part of a run's result.
type tableKey struct {
	runID string
	part  part
}

// mostTables only keeps the index finite; the limit of bytes bounds the cache.
const mostTables = 1 << 20

func newTableCache(limit int64) (*tableCache, error) {
	c := &tableCache{limit: limit}
	var err error
	c.tables, err = simplelru.NewLRU(mostTables, func(_ tableKey, d decoded) { c.bytes -= d.Size() })
	if err != nil {
		return nil, fmt.Errorf("make the cache of tables: %w", err)
	}
	return c, nil
}

func (c *tableCache) get(runID string, p part) (decoded, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.tables.Get(tableKey{runID, p})
	if ok {
		c.hits++
	} else {
		c.misses++
	}
	return d, ok
}

// has reports whether a part is cached, without counting that as a use.
func (c *tableCache) has(runID string, p part) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.tables.Contains(tableKey{runID, p})
}

// counts returns hits, misses and size.
func (c *tableCache) counts() columnar.CacheCounts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return columnar.CacheCounts{Hits: c.hits, Misses: c.misses, Bytes: c.bytes}
}

// add caches a part, unless it is larger than the whole cache.
func (c *tableCache) add(runID string, p part, d decoded) {
	size := d.Size()
	if size > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := tableKey{runID, p}
	c.tables.Remove(key) // subtracts its bytes
	c.tables.Add(key, d)
	for c.bytes += size; c.bytes > c.limit; {
		c.tables.RemoveOldest()
	}
}
