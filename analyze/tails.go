package analyze

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Tail is the loss that a return is worse than with a small probability, and the mean
// of the losses beyond it. Losses are positive fractions.
type Tail struct {
	Method            string
	ValueAtRisk       float64
	ExpectedShortfall float64
}

// The methods of Tails.
const (
	Historical        = "historical"
	CornishFisher     = "cornish_fisher"
	GeneralisedPareto = "generalised_pareto"
)

// Limits of the methods.
const (
	minMoments = 20  // returns that skewness and kurtosis need
	farthest   = -10 // deviations; the normal distribution has nothing beyond it that counts
)

// Tails returns the tails of returns at a level such as 0.95 by each method. Missing
// returns are left out. A figure that a method does not give is NaN:
//
//   - historical: the percentile by linear interpolation, and the mean of the worst
//     ⌊(1−level)(n−1)⌋+1 returns. It needs two returns.
//   - cornish_fisher: the quantile of a normal distribution corrected for skewness and
//     kurtosis, and the integral of that quantile (Maillard 2012). It needs 20 returns
//     that are not constant, and a quantile that falls over the whole tail.
//   - generalised_pareto: losses beyond their 90th percentile, fitted by maximum
//     likelihood, as in McNeil, Frey and Embrechts (2015), section 5.2. It needs 20 such
//     losses, a level above 0.9, and a fit (see fitPareto). The expected shortfall is
//     NaN if the tail is so heavy that it has no mean.
//
// It returns a *DataError if a return is infinite or the level is not between 0.5 and 1.
func Tails(c Column, level float64) ([]Tail, error) {
	if !(level > 0.5 && level < 1) {
		return nil, failed("", "level is %v; it must be above 0.5 and below 1, such as 0.95", level)
	}
	rows, _, err := complete([]Column{c})
	if err != nil {
		return nil, err
	}
	sorted := rows[0].Values
	slices.Sort(sorted)
	return []Tail{historical(sorted, level), cornishFisher(sorted, level), generalisedPareto(sorted, level)}, nil
}

func noTail(method string) Tail {
	return Tail{Method: method, ValueAtRisk: missing, ExpectedShortfall: missing}
}

// percentile interpolates linearly between order statistics.
func percentile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	k := int(at)
	if k+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[k] + (at-float64(k))*(sorted[k+1]-sorted[k])
}

func historical(sorted []float64, level float64) Tail {
	if len(sorted) < 2 {
		return noTail(Historical)
	}
	worst := int((1-level)*float64(len(sorted)-1)) + 1
	return Tail{Method: Historical, ValueAtRisk: -percentile(sorted, 1-level), ExpectedShortfall: -stat.Mean(sorted[:worst], nil)}
}

func cornishFisher(sorted []float64, level float64) Tail {
	n := float64(len(sorted))
	if n < minMoments {
		return noTail(CornishFisher)
	}
	x := slices.Clone(sorted)
	mean, norm := center(x)
	if norm == 0 {
		return noTail(CornishFisher)
	}
	deviation := norm / math.Sqrt(n)
	third, fourth := 0.0, 0.0
	for _, v := range x {
		third += v * v * v
		fourth += v * v * v * v
	}
	skew, excess := third*math.Sqrt(n), fourth*n-3
	z := distuv.UnitNormal.Quantile(1 - level)
	// The corrected quantile is z + skew/6·H₂ + excess/24·H₃ − skew²/36·(2H₃ + H₁) in
	// Hermite's polynomials. Its slope is a parabola in z.
	square := excess/8 - skew*skew/6
	slope := func(z float64) float64 {
		return 1 + skew/3*z + excess/8*(z*z-1) - skew*skew/36*(6*z*z-5)
	}
	vertex := z
	if square != 0 {
		vertex = min(z, max(farthest, -skew/(6*square)))
	}
	if min(slope(z), slope(vertex), slope(farthest)) < 0 {
		return noTail(CornishFisher)
	}
	quantile := z + skew/6*(z*z-1) + excess/24*(z*z*z-3*z) - skew*skew/36*(2*z*z*z-5*z)
	// The integral of Hₙ·φ up to z is −Hₙ₋₁(z)·φ(z).
	density := distuv.UnitNormal.Prob(z)
	shortfall := density / (1 - level) * (1 + skew/6*z + excess/24*(z*z-1) - skew*skew/36*(2*(z*z-1)+1))
	return Tail{Method: CornishFisher, ValueAtRisk: -mean - deviation*quantile, ExpectedShortfall: -mean + deviation*shortfall}
}
