package number

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// shortest returns the digits and the exponent of ten of the shortest decimal that
// reads back as v; among several, the nearest to v. v must be finite and above 0.
//
// The method is Raffaello Giulietti's "The Schubfach way to render doubles" (2020),
// in the form of Alexander Bolz's Drachennest: three products of 128 by 64 bits.
// With appendFixed it takes half the time of strconv.AppendFloat of Go 1.26
// (BenchmarkAppend).
func shortest(v float64) (digits uint64, exponent int) {
	const (
		hidden = 1 << 52
		bias   = 1075
	)
	b := math.Float64bits(v)
	fraction, biased := b&(hidden-1), int(b>>52&0x7ff)
	c, q := fraction, 1-bias
	if biased != 0 {
		c, q = hidden|fraction, biased-bias
		if q <= 0 && q > -53 && c&(1<<-q-1) == 0 {
			return c >> -q, 0 // an integer
		}
	}
	// Below a power of two the numbers are half as far apart.
	closer := uint64(0)
	k := q * 1262611 >> 22 // ⌊q log₁₀ 2⌋
	if fraction == 0 && biased > 1 {
		closer = 1
		k = (q*1262611 - 524031) >> 22
	}
	h := q + (-k*1741647)>>19 + 1
	g := &powers[-k-leastPower]
	odd := c & 1 // a decimal on the boundary rounds to the even neighbour, so an odd number excludes it
	lower := toOdd(g, (4*c-2+closer)<<h) + odd
	value := toOdd(g, 4*c<<h)
	upper := toOdd(g, (4*c+2)<<h) - odd

	s := value / 4
	if s >= 10 {
		tens := s / 10
		under, over := lower <= 40*tens, 40*tens+40 <= upper
		if under != over {
			if over {
				tens++
			}
			return tens, k + 1
		}
	}
	under, over := lower <= 4*s, 4*s+4 <= upper
	switch {
	case under != over:
		if over {
			s++
		}
	case value > 4*s+2, value == 4*s+2 && s&1 != 0:
		s++
	}
	return s, k
}

// toOdd returns g·c/2¹²⁸ rounded to odd: the last bit is set if anything was cut off.
func toOdd(g *[2]uint64, c uint64) uint64 {
	x, _ := bits.Mul64(g[1], c)
	high, low := bits.Mul64(g[0], c)
	low, carry := bits.Add64(low, x, 0)
	high += carry
	if low > 1 {
		high |= 1
	}
	return high
}

const leastPower, mostPower = -292, 324

// powers holds 10^k for k from leastPower, as 128 bits whose first bit is one, rounded
// up; the upper half comes first.
var powers = func() (table [mostPower - leastPower + 1][2]uint64) {
	ten, half := big.NewInt(10), new(big.Int).SetUint64(math.MaxUint64)
	for i := range table {
		k := int64(i + leastPower)
		numerator, denominator := big.NewInt(1), big.NewInt(1)
		if k >= 0 {
			numerator.Exp(ten, big.NewInt(k), nil)
		} else {
			denominator.Exp(ten, big.NewInt(-k), nil)
		}
		if shift := 127 - k*1741647>>19; shift >= 0 {
			numerator.Lsh(numerator, uint(shift))
		} else {
			denominator.Lsh(denominator, uint(-shift))
		}
		quotient, rest := new(big.Int).QuoRem(numerator, denominator, new(big.Int))
		if rest.Sign() != 0 {
			quotient.Add(quotient, big.NewInt(1))
		}
		table[i] = [2]uint64{new(big.Int).Rsh(quotient, 64).Uint64(), new(big.Int).And(quotient, half).Uint64()}
	}
	return table
}()

// appendFixed appends digits·10^exponent without an exponent, as strconv's format 'f'
// does.
func appendFixed(b []byte, digits uint64, exponent int) []byte {
	for exponent < 0 && digits%10 == 0 { // only a fraction loses its trailing zeros
		digits /= 10
		exponent++
	}
	// The processor computes these three parts in parallel. There are at most 17 digits.
	high := digits / 1e8
	top := high / 1e8
	if digits >= 1e15 && (exponent <= -17 || exponent == -16 && top == 0) {
		return appendFraction(b, byte(top), uint32(high-top*1e8), uint32(digits-high*1e8), exponent)
	}
	var text [18]byte
	put8(text[10:], uint32(digits-high*1e8))
	put8(text[2:], uint32(high-top*1e8))
	text[0], text[1] = pairs[2*top], pairs[2*top+1]
	at := 0
	for text[at] == '0' {
		at++
	}
	written := text[at:]
	switch point := len(written) + exponent; {
	case exponent >= 0:
		b = append(b, written...)
		for range exponent {
			b = append(b, '0')
		}
	case point > 0:
		b = append(b, written[:point]...)
		b = append(b, '.')
		b = append(b, written[point:]...)
	default:
		b = append(b, "0.000000000000000000000"[:2-point]...)
		b = append(b, written...)
	}
	return b
}

// appendFraction appends 0.DIGITS, with 17 digits, or 16 if top is 0. Most numbers
// below 1 have as many.
func appendFraction(b []byte, top byte, middle, low uint32, exponent int) []byte {
	length := 16
	if top > 0 {
		length = 17
	}
	end := 2 - exponent
	n := len(b)
	b = slices.Grow(b, end)[:n+end]
	to := b[n:]
	put8(to[end-8:], low)
	put8(to[end-16:], middle)
	if top > 0 {
		to[end-17] = '0' + top
	}
	for i := range end - length {
		to[i] = '0'
	}
	to[1] = '.'
	return b
}

// put8 writes eight digits.
func put8(to []byte, v uint32) {
	_ = to[7]
	high := v / 10_000
	low := v - high*10_000
	a, b := high/100, low/100
	c, d := high-a*100, low-b*100
	to[0], to[1] = pairs[2*a], pairs[2*a+1]
	to[2], to[3] = pairs[2*c], pairs[2*c+1]
	to[4], to[5] = pairs[2*b], pairs[2*b+1]
	to[6], to[7] = pairs[2*d], pairs[2*d+1]
}

// pairs are the numbers from 00 to 99.
const pairs = "0001020304050607080910111213141516171819" +
	"2021222324252627282930313233343536373839" +
	"4041424344454647484950515253545556575859" +
	"6061626364656667686970717273747576777879" +
	"8081828384858687888990919293949596979899"
