package backfill

import (
	"math"

	"ballast/internal/number"
	"ballast/timeseries"
)

// Tracking describes how well a proxy follows an asset on their common sessions. The figures
// are null if there are fewer than MinOverlap sessions, or if one of the series is
// constant.
type Tracking struct {
	Start              *timeseries.Date `json:"start"` // first session of the overlap with a return
	End                *timeseries.Date `json:"end"`
	Sessions           int              `json:"sessions"`    // returns that both have; the figures are null below 63
	Correlation        number.Float     `json:"correlation"` // of the asset's daily returns with the proxy's as they are
	Beta               number.Float     `json:"beta"`        // slope of the regression of the asset on the proxy
	Alpha              number.Float     `json:"alpha"`       // its intercept, annual fraction; a splice drops it
	RSquared           number.Float     `json:"r_squared"`
	VolatilityRatio    number.Float     `json:"volatility_ratio"`    // of the asset to the proxy
	TrackingError      number.Float     `json:"tracking_error"`      // annual volatility of the asset's returns less what the method makes of the proxy's
	TrackingDifference number.Float     `json:"tracking_difference"` // their annual mean: what the asset earned beyond what the method makes of the proxy
}

// Track computes the figures for the given terms and number of sessions per year.
func Track(o *Overlap, t Terms, sessionsPerYear int) Tracking {
	none := number.Float(math.NaN())
	k := Tracking{
		Sessions: o.Sessions(), Correlation: none, Beta: none, Alpha: none, RSquared: none,
		VolatilityRatio: none, TrackingError: none, TrackingDifference: none,
	}
	if k.Sessions > 0 {
		k.Start, k.End = &o.Start, &o.End
	}
	if k.Sessions < MinOverlap {
		return k
	}
	year := float64(sessionsPerYear)
	s := momentsOf(o.Own, o.Proxy)
	if s.xx > 0 {
		k.Beta = number.Float(s.beta())
		k.Alpha = number.Float(year * (s.my - float64(s.beta()*s.mx)))
		k.VolatilityRatio = number.Float(s.volatilityRatio())
	}
	if s.xx > 0 && s.yy > 0 {
		c := s.correlation()
		k.Correlation, k.RSquared = number.Float(c), number.Float(c*c)
	}
	difference := make([]float64, len(o.Own))
	mean := 0.0
	for i, r := range o.Own {
		difference[i] = r - t.Of(o.Proxy[i])
		mean += difference[i]
	}
	mean /= float64(len(difference))
	sum := 0.0
	for _, d := range difference {
		sum += float64((d - mean) * (d - mean))
	}
	k.TrackingError = number.Float(math.Sqrt(year * sum / float64(len(difference)-1)))
	k.TrackingDifference = number.Float(year * mean)
	return k
}
