package screen

import (
	"iter"
	"math/bits"
	"sync"
)

// set is a bitmap of rows, the lowest row in the lowest bit of the first word.
type set []uint64

// words returns the length of a set of n rows.
func words(n int) int { return (n + 63) / 64 }

func (s set) has(row uint32) bool { return s[row>>6]&(1<<(row&63)) != 0 }

func (s set) add(rows []uint32) {
	for _, r := range rows {
		s[r>>6] |= 1 << (r & 63)
	}
}

// addRange adds the rows of [low, high).
func (s set) addRange(low, high int) {
	for r := low; r < high; {
		if r&63 == 0 && high-r >= 64 {
			s[r>>6] = ^uint64(0)
			r += 64
			continue
		}
		s[r>>6] |= 1 << (r & 63)
		r++
	}
}

func (s set) and(o set) {
	o = o[:len(s)]
	for i := range s {
		s[i] &= o[i]
	}
}

func (s set) or(o set) {
	o = o[:len(s)]
	for i := range s {
		s[i] |= o[i]
	}
}

func (s set) subtract(o set) {
	o = o[:len(s)]
	for i := range s {
		s[i] &^= o[i]
	}
}

func (s set) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// countBoth counts the rows in both sets.
func (s set) countBoth(o set) int {
	o = o[:len(s)]
	n := 0
	for i, w := range s {
		n += bits.OnesCount64(w & o[i])
	}
	return n
}

// countOf counts the rows that are in the set.
func (s set) countOf(rows []uint32) int {
	n := 0
	for _, r := range rows {
		n += int(s[r>>6] >> (r & 63) & 1)
	}
	return n
}

// appendRows adds the rows in ascending order.
func (s set) appendRows(rows []uint32) []uint32 {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			rows = append(rows, uint32(i<<6+bits.TrailingZeros64(w)))
		}
	}
	return rows
}

// each yields the rows in ascending order. Rows may be removed from the set meanwhile.
func (s set) each() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(uint32(i<<6 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// scratch is a pool of empty sets of one length.
type scratch struct{ pool sync.Pool }

func newScratch(rows int) *scratch {
	n := words(rows)
	return &scratch{pool: sync.Pool{New: func() any { s := make(set, n); return &s }}}
}

func (p *scratch) take() *set {
	s := p.pool.Get().(*set)
	clear(*s)
	return s
}

func (p *scratch) give(s *set) { p.pool.Put(s) }
