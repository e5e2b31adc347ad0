package backfill

import "math"

// moments holds the centred sums of two vectors of equal length, x for the proxy and y
// for the asset.
type moments struct {
	n          int
	mx, my     float64
	xx, yy, xy float64
}

func momentsOf(y, x []float64) moments {
	s := moments{n: len(x)}
	if s.n == 0 {
		return s
	}
	for i := range x {
		s.mx += x[i]
		s.my += y[i]
	}
	s.mx /= float64(s.n)
	s.my /= float64(s.n)
	for i := range x {
		dx, dy := x[i]-s.mx, y[i]-s.my
		s.xx += float64(dx * dx)
		s.yy += float64(dy * dy)
		s.xy += float64(dx * dy)
	}
	// A remainder of rounding equal numbers does not count as variance.
	if s.xx <= rounding*rounding*float64(s.n)*s.mx*s.mx {
		s.xx, s.xy = 0, 0
	}
	if s.yy <= rounding*rounding*float64(s.n)*s.my*s.my {
		s.yy, s.xy = 0, 0
	}
	return s
}

// rounding is a relative error larger than that of the means.
const rounding = 1e-12

func (s moments) beta() float64            { return s.xy / s.xx }
func (s moments) volatilityRatio() float64 { return math.Sqrt(s.yy / s.xx) }
func (s moments) correlation() float64 {
	return max(-1, min(1, s.xy/(math.Sqrt(s.xx)*math.Sqrt(s.yy))))
}
