package simulate

import "math/bits"

// philox is the counter-based generator Philox 4x64-10 (Salmon, Moraes, Dror and
// Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"). Its numbers are those
// of numpy.random.Philox(key=[seed, path]).
type philox struct{ seed, path uint64 }

const (
	philoxM0 = 0xD2E7470EE14C6C93
	philoxM1 = 0xCA5A826395121157
	philoxW0 = 0x9E3779B97F4A7C15
	philoxW1 = 0xBB67AE8584CAA73B
)

// block gives the four words of counter c. The first block that NumPy uses is that
// of counter 1.
func (p philox) block(c uint64) [4]uint64 {
	k0, k1 := p.seed, p.path
	x0, x1, x2, x3 := c, uint64(0), uint64(0), uint64(0) // an array would lie in memory
	for range 10 {
		h0, l0 := bits.Mul64(philoxM0, x0)
		h1, l1 := bits.Mul64(philoxM1, x2)
		x0, x1, x2, x3 = h1^x1^k0, l1, h0^x3^k1, l0
		k0 += philoxW0
		k1 += philoxW1
	}
	return [4]uint64{x0, x1, x2, x3}
}

// stream reads a path's numbers in order, from any of them on.
type stream struct {
	from  philox
	words [4]uint64
	held  uint64 // the counter whose words are held; 0 before the first
}

// uniform is the path's number n, in [0, 1).
func (s *stream) uniform(n int) float64 { return fraction(s.bits(n)) }

// bits are the 53 bits that number n is made of.
func (s *stream) bits(n int) uint64 {
	if c := uint64(n)/4 + 1; c != s.held {
		s.words, s.held = s.from.block(c), c
	}
	return s.words[n&3] >> 11
}

// fraction makes a number of [0, 1) of 53 bits.
func fraction(bits uint64) float64 { return float64(bits) * 0x1p-53 }
