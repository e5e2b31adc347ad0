package bars

import "container/list"

// lru is a map with a limit on the sum of its entries' sizes.
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
