package bars

import (
	"container/list"
	"sync"

	"ballast/storage/columnar"
)

// cache keeps decoded segments and footers, the least recently used go first.
// Objects never change, so nothing in it goes stale.
type cache struct {
	mu       sync.Mutex
	segments lru[Ref, *decoded]
	footers  lru[string, *columnar.ParquetFile]
}

func newCache(limit int64) *cache {
	return &cache{segments: newLRU[Ref, *decoded](limit), footers: newLRU[string, *columnar.ParquetFile](limit / 8)}
}

func (c *cache) segment(at Ref) (*decoded, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.segments.get(at)
}

func (c *cache) keepSegment(at Ref, d *decoded) {
	c.mu.Lock()
	defer c.mu.Unlock()
	const overhead = 256
	c.segments.put(at, d, int64(4*cap(d.dates)+8*cap(d.returns))+overhead)
}

func (c *cache) footer(key string) (*columnar.ParquetFile, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.footers.get(key)
}

func (c *cache) keepFooter(key string, f *columnar.ParquetFile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	const columnChunk = 1024 // bytes of one column of one row group in a decoded footer, about
	c.footers.put(key, f, int64(len(f.RowGroups())*f.Schema().NumFields())*columnChunk)
}

// lru is a map bounded by the sum of its entries' sizes.
type lru[K comparable, V any] struct {
	limit   int64
	size    int64
	order   *list.List // of *kept[K, V], the most recently used first
	entries map[K]*list.Element
}

type kept[K comparable, V any] struct {
	key   K
	value V
	size  int64
}

func newLRU[K comparable, V any](limit int64) lru[K, V] {
	return lru[K, V]{limit: limit, order: list.New(), entries: map[K]*list.Element{}}
}

func (l *lru[K, V]) get(key K) (value V, ok bool) {
	e, ok := l.entries[key]
	if !ok {
		return value, false
	}
	l.order.MoveToFront(e)
	return e.Value.(*kept[K, V]).value, true
}

func (l *lru[K, V]) put(key K, value V, size int64) {
	if _, ok := l.entries[key]; ok || size > l.limit {
		return
	}
	l.entries[key] = l.order.PushFront(&kept[K, V]{key: key, value: value, size: size})
	l.size += size
	for l.size > l.limit {
		last := l.order.Remove(l.order.Back()).(*kept[K, V])
		delete(l.entries, last.key)
		l.size -= last.size
	}
}
