package sample

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// seed determines the sample market.
const seed = 0x53594e2d32303235

// freedom is the degrees of freedom of the shocks. Their tails are as fat as those of
// real daily returns.
const freedom = 5

// stream is a separate source of shocks for each name, so that adding an asset does not
// change the others.
type stream struct{ source *rand.PCG }

func newStream(name string) stream {
	h := fnv.New64a()
	h.Write([]byte(name)) // never fails
	return stream{rand.NewPCG(seed, h.Sum64())}
}

// normal draws a nearly normal number with mean 0 and variance 1: the sum of twelve
// uniform numbers less six. It needs no logarithm or exponential, whose last bit differs
// between architectures.
func (s stream) normal() float64 {
	sum := -6.0
	for range 12 {
		sum += float64(float64(s.source.Uint64()>>11) * 0x1p-53)
	}
	return sum
}

// mixing draws √(ν/χ²), which turns a normal number into a Student t one, scaled to keep
// the variance at 1.
func (s stream) mixing() float64 {
	squares := 0.0
	for range freedom {
		z := s.normal()
		squares += float64(z * z)
	}
	return math.Sqrt((freedom - 2) / squares)
}

// student draws from Student's t, scaled to variance 1.
func (s stream) student() float64 { return s.normal() * s.mixing() }
