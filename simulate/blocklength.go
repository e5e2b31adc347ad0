package simulate

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"ballast/internal/moments"
)

// BlockLengths are the best mean block lengths of the stationary and the circular
// bootstrap of a series: Politis and White (2004), "Automatic block-length selection
// for the dependent bootstrap", as corrected by Patton, Politis and White (2009).
// They are at most ⌈min(3√n, n/3)⌉, and not a number where the series is constant or
// has fewer than eight values.
func BlockLengths(x []float64) (stationary, circular float64) {
	n := len(x)
	if n < 8 || floats.Min(x) == floats.Max(x) {
		return math.NaN(), math.NaN()
	}
	size := float64(n)
	eps := make([]float64, n)
	copy(eps, x)
	floats.AddConst(-moments.Mean(x), eps)
	together := max(5, int(math.Log10(size)))
	most := min(int(math.Ceil(math.Sqrt(size)))+together, n-2)
	significant := 2 * math.Sqrt(math.Log10(size)/size)
	covariance, correlation := make([]float64, most+1), make([]float64, most+1)
	lag := 0 // the last of the lags before as many insignificant ones as are looked at together
	for i := range covariance {
		late, early := eps[i+1:], eps[:n-i-1]
		product := floats.Dot(eps[i:], eps[:n-i])
		covariance[i] = product / size
		correlation[i] = math.Abs(product) / math.Sqrt(floats.Dot(late, late)*floats.Dot(early, early))
		if i >= together && lag == 0 && floats.Max(correlation[i-together:i]) < significant {
			lag = max(i-together, 1)
		}
	}
	m := most
	if lag > 0 {
		m = min(2*lag, most)
	}
	g, longRun := 0.0, covariance[0]
	for k := 1; k <= m; k++ {
		weight := 1.0 // the flat-top lag window
		if s := float64(k) / float64(m); s > 0.5 {
			weight = 2 * (1 - s)
		}
		g += 2 * weight * float64(k) * covariance[k]
		longRun += 2 * weight * covariance[k]
	}
	longest := math.Ceil(min(3*math.Sqrt(size), size/3))
	length := func(d float64) float64 { return min(math.Cbrt(2*g*g/d)*math.Cbrt(size), longest) }
	return length(2 * longRun * longRun), length(4.0 / 3 * longRun * longRun)
}
