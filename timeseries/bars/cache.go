package bars

import (
	"sync"

	"ballast/storage/columnar"
	"ballast/timeseries"
)

// cache keeps decoded segments and footers and evicts the least recently used. Objects
// never change, so no entry becomes stale.
type cache struct {
	mu       sync.Mutex
	segments lru[Ref, *decoded]
	footers  lru[string, *columnar.ParquetFile]
	whole    lru[pinned, timeseries.Series]
	hits     uint64
	misses   uint64
}

// pinned is an asset at a version. Its bars never change.
type pinned struct {
	assetID string
	at      Version
}

// bookkeeping is the approximate size of an entry besides its content, in bytes.
const bookkeeping = 256

func newCache(limit int64) *cache {
	return &cache{
		segments: newLRU[Ref, *decoded](limit), footers: newLRU[string, *columnar.ParquetFile](limit / 8),
		whole: newLRU[pinned, timeseries.Series](limit / 2),
	}
}

// all returns the series of assets at a version by id, and true if all of them are
// cached.
func (c *cache) all(assetIDs []string, at Version) (map[string]timeseries.Series, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make(map[string]timeseries.Series, len(assetIDs))
	for _, id := range assetIDs {
		s, ok := c.whole.get(pinned{id, at})
		if !ok {
			return nil, false // the segments are looked up next, and counted
		}
		out[id] = s
	}
	c.hits += uint64(len(assetIDs))
	return out, true
}

// keepWhole caches an asset's series at a version. A series of a single segment shares
// the segment's memory, which is then counted twice.
func (c *cache) keepWhole(assetID string, at Version, s timeseries.Series) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.whole.put(pinned{assetID, at}, s, int64(4*cap(s.Dates)+8*cap(s.Returns))+bookkeeping)
}

func (c *cache) segment(at Ref) (*decoded, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.segments.get(at)
	if ok {
		c.hits++
	} else {
		c.misses++
	}
	return d, ok
}

// counts returns hits and misses, by series and segments.
func (c *cache) counts() columnar.CacheCounts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return columnar.CacheCounts{Hits: c.hits, Misses: c.misses, Bytes: c.segments.size + c.footers.size + c.whole.size}
}

func (c *cache) keepSegment(at Ref, d *decoded) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.segments.put(at, d, int64(4*cap(d.dates)+8*cap(d.returns))+bookkeeping)
}

func (c *cache) footer(key string) (*columnar.ParquetFile, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.footers.get(key)
}

func (c *cache) keepFooter(key string, f *columnar.ParquetFile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	const columnChunk = 1024 // approximate bytes of one column of one row group in a decoded footer
	c.footers.put(key, f, int64(len(f.RowGroups())*f.Schema().NumFields())*columnChunk)
}
