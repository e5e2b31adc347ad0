package simulate

import "math"

// RatePoint is a point of the curve of spending against success: a fixed real
// withdrawal, a share of the start value a year, paid monthly.
type RatePoint struct {
	Rate      float64
	Success   float64 // share of the paths that pay it to the end
	Low, High float64 // Wilson's interval of that, 95 %
	Shortfall float64 // mean years that a failing path misses; not a number without one
}

// curveRates are the curve's rates, a quarter of a per cent apart.
var curveRates = func() (rates [60]float64) {
	for k := range rates {
		rates[k] = float64(k+1) * 0.0025
	}
	return rates
}()

// curveLimits are how large Σ 1/G may become while a rate is paid.
var curveLimits = func() (limits [len(curveRates)]float64) {
	for k, rate := range curveRates {
		limits[k] = 12 / rate * (1 + short)
	}
	return limits
}()

// curveCount counts the paths that fail at each rate, and the months they miss.
type curveCount struct {
	failed  [len(curveRates)]int64
	missing [len(curveRates)]int64
	_       [64]byte // workers do not share a line of the cache
}

// fail counts a path at the rates that it can no longer pay, with the months that are
// then missing.
func (c *curveCount) fail(p *path, missing int64) {
	for p.annuity > p.limit {
		c.failed[p.rate]++
		c.missing[p.rate] += missing
		if p.rate--; p.rate < 0 {
			p.limit = math.Inf(1)
			return
		}
		p.limit = curveLimits[p.rate]
	}
}

// rates adds up what the workers have counted.
func (c *carrier) rates() []RatePoint {
	points := make([]RatePoint, len(curveRates))
	for k := range points {
		var failed, missing int64
		for w := range c.curve {
			failed += c.curve[w].failed[k]
			missing += c.curve[w].missing[k]
		}
		p := RatePoint{Rate: curveRates[k], Success: float64(int64(len(c.paths))-failed) / float64(len(c.paths)), Shortfall: math.NaN()}
		p.Low, p.High = Wilson(len(c.paths)-int(failed), len(c.paths))
		if failed > 0 {
			p.Shortfall = float64(missing) / float64(failed) / 12
		}
		points[k] = p
	}
	return points
}

// Wilson is the interval of a share that holds with 95 % (Wilson 1927).
func Wilson(successes, n int) (low, high float64) {
	const z = 1.959963984540054 // the normal's quantile of 97.5 %
	size := float64(n)
	share := float64(successes) / size
	centre := (share + z*z/(2*size)) / (1 + z*z/size)
	half := z / (1 + z*z/size) * math.Sqrt(share*(1-share)/size+z*z/(4*size*size))
	low, high = max(centre-half, 0), min(centre+half, 1)
	if successes == 0 { // exactly, without the rounding of the square root
		low = 0
	}
	if successes == n {
		high = 1
	}
	return low, high
}
