package sample

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
)

// seed makes this market and no other.
const seed = 0x53594e2d32303235

// freedom is the degrees of freedom of the shocks: tails as fat as those of
// daily returns.
const freedom = 5

// stream is a source of shocks of its own for each name, so that an asset added
// to the market leaves the others as they are.
type stream struct{ source *rand.PCG }

func newStream(name string) stream {
	h := fnv.New64a()
	h.Write([]byte(name)) // never fails
	return stream{rand.NewPCG(seed, h.Sum64())}
}

// normal draws a nearly normal number of mean 0 and variance 1: twelve uniform
// ones less six. It needs no logarithm or exponential, which differ in the last
// bit from one architecture to another.
func (s stream) normal() float64 {
	sum := -6.0
	for range 12 {
		sum += float64(float64(s.source.Uint64()>>11) * 0x1p-53)
	}
	return sum
}

// mixing draws √(ν/χ²), by which a normal number becomes a Student t one, scaled
// to keep the variance at 1.
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
