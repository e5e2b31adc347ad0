package screen

import "math/bits"

// walk collects a page from sets, one after the other.
type walk struct {
	skip, most int
	page       []uint32
}

// over takes the rows of [low, high) that are in s. If apart is given, they must also be
// in it (inside) or must not be (otherwise).
func (w *walk) over(s set, low, high int, apart set, inside bool) {
	high = min(high, len(s)<<6)
	for i := low >> 6; i<<6 < high && len(w.page) < w.most; i++ {
		word := s[i]
		if i<<6 < low {
			word &= ^uint64(0) << (low & 63)
		}
		if high-i<<6 < 64 {
			word &= 1<<(high&63) - 1
		}
		if apart != nil && inside {
			word &= apart[i]
		} else if apart != nil {
			word &^= apart[i]
		}
		if n := bits.OnesCount64(word); n <= w.skip {
			w.skip -= n
			continue
		}
		for ; word != 0 && len(w.page) < w.most; word &= word - 1 {
			if w.skip > 0 {
				w.skip--
				continue
			}
			w.page = append(w.page, uint32(i<<6+bits.TrailingZeros64(word)))
		}
	}
}

// descending returns the rows [offset, offset+limit) of the set, starting from the last.
func descending(s set, offset, limit int) []uint32 {
	var page []uint32
	for i := len(s) - 1; i >= 0 && len(page) < limit; i-- {
		word := s[i]
		if n := bits.OnesCount64(word); n <= offset {
			offset -= n
			continue
		}
		for word != 0 && len(page) < limit {
			top := 63 - bits.LeadingZeros64(word)
			word &^= 1 << top
			if offset > 0 {
				offset--
				continue
			}
			page = append(page, uint32(i<<6+top))
		}
	}
	return page
}
