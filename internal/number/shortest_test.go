package number

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// same checks that Append writes the same text as strconv.
func same(t interface{ Fatalf(string, ...any) }, v float64) {
	form := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		form = 'e'
	}
	if got, want := string(Append(nil, v)), strconv.FormatFloat(v, form, -1, 64); got != want {
		t.Fatalf("%b is written %s, want %s", v, got, want)
	}
}

func TestAppendIsWhatStrconvWrites(t *testing.T) {
	t.Parallel()
	for _, v := range []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 0.5, 0.25, 10, 100, 123456789012345680, 1e15, 1e20, 9.999999999999999e20, 1e-6, 1.000001e-6,
		0.3, 2.0 / 3, math.Pi, 1 << 53, 1<<53 - 1, 1<<53 + 2, 9007199254740993, 5e-6, 0.1 + 0.2, 1e-5, 4.35, 2.5, 0.0009765625, 123.456,
	} {
		same(t, v)
	}
	for e := -25; e < 75; e++ { // around powers of two, where the gap changes
		v := math.Ldexp(1, e)
		for range 3 {
			same(t, v)
			same(t, -v)
			v = math.Nextafter(v, math.Inf(1))
		}
		v = math.Nextafter(math.Ldexp(1, e), 0)
		same(t, v)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300_000 {
		same(t, rng.NormFloat64()*0.01)
		same(t, rng.Float64())
		same(t, math.Ldexp(1+rng.Float64(), rng.IntN(88)-19))
		same(t, float64(rng.IntN(1_000_000))/1000)
		same(t, math.Trunc(rng.Float64()*1e17))
	}
}

// TestShortestIsShortest checks the digits of all kinds of numbers, including those that
// Append writes with an exponent.
func TestShortestIsShortest(t *testing.T) {
	t.Parallel()
	check := func(t interface{ Fatalf(string, ...any) }, v float64) {
		digits, exponent := shortest(v)
		for digits%10 == 0 {
			digits, exponent = digits/10, exponent+1
		}
		text := strconv.FormatFloat(v, 'e', -1, 64)
		want, err := strconv.ParseFloat(strconv.FormatUint(digits, 10)+"e"+strconv.Itoa(exponent), 64)
		if err != nil || want != v {
			t.Fatalf("%v is given as %de%d", v, digits, exponent)
		}
		mantissa := 0
		for _, c := range text {
			if c == 'e' {
				break
			}
			if c != '.' {
				mantissa++
			}
		}
		if n := len(strconv.FormatUint(digits, 10)); n != mantissa {
			t.Fatalf("%v takes %d digits, given as %de%d", v, mantissa, digits, exponent)
		}
	}
	for _, v := range []float64{math.SmallestNonzeroFloat64, math.MaxFloat64, 2.2250738585072014e-308, 2.225073858507201e-308, 9.5e-310, 1e308, 1e-300} {
		check(t, v)
	}
	rapid.Check(t, func(t *rapid.T) {
		v := math.Abs(math.Float64frombits(rapid.Uint64().Draw(t, "bits")))
		if v > 0 && v <= math.MaxFloat64 {
			check(t, v)
		}
	})
}

func FuzzAppend(f *testing.F) {
	f.Add(uint64(0x3ff0000000000000))
	f.Fuzz(func(t *testing.T, b uint64) {
		if v := math.Float64frombits(b); !math.IsNaN(v) && !math.IsInf(v, 0) {
			same(t, v)
		}
	})
}

// BenchmarkAppend writes a vector of 20 years, and the same with strconv for comparison.
func BenchmarkAppend(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 5040)
	for i := range x {
		x[i] = rng.Float64() * 0.1
	}
	text := make([]byte, 0, 25*len(x))
	write := map[string]func([]byte, float64) []byte{
		"number":  Append,
		"strconv": func(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'f', -1, 64) },
	}
	for name, one := range write {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				text = text[:0]
				for _, v := range x {
					text = one(text, v)
				}
			}
			b.SetBytes(int64(len(text)))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/number")
		})
	}
}
