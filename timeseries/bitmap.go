package timeseries

import "math/bits"

// setBits sets the bits [from, to) of an Arrow bitmap.
func setBits(bitmap []byte, from, to int) {
	for ; from < to && from&7 != 0; from++ {
		bitmap[from>>3] |= 1 << (from & 7)
	}
	for ; from+8 <= to; from += 8 {
		bitmap[from>>3] = 0xff
	}
	for ; from < to; from++ {
		bitmap[from>>3] |= 1 << (from & 7)
	}
}

// countBits returns how many of the first n bits are set.
func countBits(bitmap []byte, n int) int {
	count := 0
	for _, b := range bitmap[:n>>3] {
		count += bits.OnesCount8(b)
	}
	if n&7 != 0 {
		count += bits.OnesCount8(bitmap[n>>3] & (1<<(n&7) - 1))
	}
	return count
}

// bounds returns the first and last set bit among the first n, or −1 and −1 if none is
// set.
func bounds(bitmap []byte, n int) (first, last int) {
	first, last = -1, -1
	for t := range n {
		if t&7 == 0 && bitmap[t>>3] == 0 {
			continue
		}
		if bitmap[t>>3]&(1<<(t&7)) != 0 {
			first = t
			break
		}
	}
	for t := n - 1; t >= 0; t-- {
		if bitmap[t>>3]&(1<<(t&7)) != 0 {
			last = t
			break
		}
	}
	return first, last
}
