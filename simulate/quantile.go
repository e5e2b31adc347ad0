package simulate

import (
	"math"
	"slices"
)

// Levels are the quantiles of bands.
var Levels = [...]float64{0.05, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95}

// Band is how the values of all paths lie in a month.
type Band struct {
	Quantiles [len(Levels)]float64 // linear between order statistics, as NumPy's
	Mean      float64
}

// BandOf returns the band of at least one value.
func BandOf(values []float64) Band { return new(bander).band(values) }

// over divides all by a price level.
func (b Band) over(level float64) Band {
	for i := range b.Quantiles {
		b.Quantiles[i] /= level
	}
	b.Mean /= level
	return b
}

// buckets is a power of two, so that an index needs no check. The highest value has a
// bucket of its own.
const buckets = 2048

// bander finds the quantiles of many rows, one after another.
type bander struct {
	counts [buckets]int32
	at     []uint16 // bucket by value
	found  []float64
}

// band sorts only what lies near the quantiles: values are counted by buckets of
// equal width first.
func (b *bander) band(v []float64) Band {
	low, high, sum := v[0], v[0], 0.0
	for _, x := range v {
		if x < low {
			low = x
		}
		if x > high {
			high = x
		}
		sum += x
	}
	out := Band{Mean: sum / float64(len(v))}
	if low == high {
		for i := range out.Quantiles {
			out.Quantiles[i] = low
		}
		return out
	}
	scale := (buckets - 1) / (high - low)
	if math.IsInf(scale, 0) || math.IsNaN(scale) {
		return b.sorted(v, out)
	}
	clear(b.counts[:])
	b.at = slices.Grow(b.at[:0], len(v))[:len(v)]
	for i, x := range v {
		k := uint16((x - low) * scale)
		b.at[i] = k
		b.counts[k&(buckets-1)]++
	}
	// wanted are the buckets that hold the order statistics beside a quantile.
	var (
		wanted [buckets]bool
		below  [buckets]int32 // values in lower buckets
		ahead  int32
	)
	rank := func(q float64) int32 { return int32(q * float64(len(v)-1)) }
	next := 0
	for k := range b.counts {
		below[k] = ahead
		ahead += b.counts[k]
		for i := next; i < len(Levels); i++ {
			at := rank(Levels[i])
			if at >= ahead {
				break
			}
			wanted[k] = true
			if at+1 < ahead {
				next = i + 1
				continue
			}
			// The order statistic above it is in the next bucket that holds any.
			for up := k + 1; up < buckets; up++ {
				if b.counts[up] > 0 {
					wanted[up] = true
					break
				}
			}
			next = i + 1
		}
	}
	b.found = b.found[:0]
	for i, k := range b.at {
		if wanted[k&(buckets-1)] {
			b.found = append(b.found, v[i])
		}
	}
	slices.Sort(b.found)
	// offset turns a rank among all into one among those found.
	missing := make([]int32, 0, 2*len(Levels)+1) // ranks at which found goes on after a gap
	offsets := make([]int32, 0, 2*len(Levels)+1)
	seen := int32(0)
	for k := range b.counts {
		if wanted[k] {
			missing, offsets = append(missing, below[k]), append(offsets, below[k]-seen)
			seen += b.counts[k]
		}
	}
	at := func(rank int) float64 {
		i, exact := slices.BinarySearch(missing, int32(rank))
		if !exact {
			i--
		}
		return b.found[rank-int(offsets[i])]
	}
	for i, q := range Levels {
		out.Quantiles[i] = quantileOf(len(v), q, at)
	}
	return out
}

// sorted is band by sorting all, for rows that no buckets divide.
func (b *bander) sorted(v []float64, out Band) Band {
	b.found = append(b.found[:0], v...)
	slices.Sort(b.found)
	for i, q := range Levels {
		out.Quantiles[i] = quantileOf(len(v), q, func(rank int) float64 { return b.found[rank] })
	}
	return out
}

// quantileOf is linear between the two order statistics around q.
func quantileOf(n int, q float64, at func(rank int) float64) float64 {
	h := q * float64(n-1)
	below := int(h)
	x := at(below)
	if part := h - float64(below); part > 0 {
		y := at(below + 1)
		if x == y {
			return x
		}
		x += part * (y - x)
	}
	return x
}

// quantile is one quantile of values in no order; it may change their order.
func quantile(v []float64, q float64) float64 {
	slices.Sort(v)
	return quantileOf(len(v), q, func(rank int) float64 { return v[rank] })
}
