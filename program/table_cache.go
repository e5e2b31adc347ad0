package program

import (
	"fmt"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// tableCache keeps decoded daily tables of runs, which never change, up to a
// number of bytes; the least recently used go first.
type tableCache struct {
	mu     sync.Mutex
	tables *simplelru.LRU[tableKey, *daily]
	bytes  int64
	limit  int64
}

// tableKey names what was decoded of a run's table.
type tableKey struct {
	runID   string
	weights bool
}

// mostTables only keeps the cache's index finite; its bytes bound it.
const mostTables = 1 << 20

func newTableCache(limit int64) (*tableCache, error) {
	c := &tableCache{limit: limit}
	var err error
	c.tables, err = simplelru.NewLRU(mostTables, func(_ tableKey, d *daily) { c.bytes -= d.size() })
	if err != nil {
		return nil, fmt.Errorf("make the cache of tables: %w", err)
	}
	return c, nil
}

// get returns a table with at least what is asked for.
func (c *tableCache) get(runID string, weights bool) (*daily, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d, ok := c.tables.Get(tableKey{runID, true}); ok {
		return d, true
	}
	if weights {
		return nil, false
	}
	return c.tables.Get(tableKey{runID, false})
}

// add keeps a table; one that is larger than the whole cache is not kept.
func (c *tableCache) add(runID string, weights bool, d *daily) {
	size := d.size()
	if size > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := tableKey{runID, weights}
	c.tables.Remove(key) // its bytes go with it
	c.tables.Add(key, d)
	for c.bytes += size; c.bytes > c.limit; {
		c.tables.RemoveOldest()
	}
}

// size is the memory of a table's columns, in bytes.
func (d *daily) size() int64 {
	return int64(4*cap(d.dates)) + 8*int64(cap(d.returns)+cap(d.gross)+cap(d.traded)+len(d.weights)*cap(d.returns))
}
