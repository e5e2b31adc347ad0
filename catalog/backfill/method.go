package backfill

import "fmt"

// Method specifies how the returns of a proxy are converted to those of an asset.
type Method string

// The methods.
const (
	Raw    Method = "raw"    // as they are
	Scaled Method = "scaled" // by the ratio of the leverages, or else of the volatilities
	Beta   Method = "beta"   // by the slope of a regression of the asset on the proxy
)

// Basis is what a scale was computed from.
type Basis string

// The possible bases.
const (
	One        Basis = "one"        // raw returns
	Leverage   Basis = "leverage"   // the catalog's leverages
	Volatility Basis = "volatility" // on the overlap
	Regression Basis = "regression" // on the overlap
)

// MinOverlap is the smallest number of sessions for an estimate: a quarter.
const MinOverlap = 63

// TooShort says that the series have too few sessions in common for a method.
type TooShort struct{ Have int }

func (e *TooShort) Error() string {
	return fmt.Sprintf("has %d sessions in common with it, but %d are needed", e.Have, MinOverlap)
}

// Flat says that one of the series is constant on the overlap, so that the ratio is
// undefined.
type Flat struct{}

func (*Flat) Error() string {
	return "does not move, or moves independently of it, on the sessions that both have"
}

// Scale returns the factor by which a method multiplies the proxy's returns. leverage is
// the ratio of the asset's leverage to the proxy's, signed.
//
// Raw gives 1. Scaled gives the leverage unless that is 1; then it gives
// σ(asset)/σ(proxy) on the overlap with the sign of their correlation. Beta gives
// cov(asset, proxy)/var(proxy) on the overlap: least squares with an intercept, which is
// dropped, because an excess return in one period does not promise one in another. Errors
// are *TooShort and *Flat.
func Scale(m Method, o *Overlap, leverage float64) (float64, Basis, error) {
	switch {
	case m == Raw:
		return 1, One, nil
	case m == Scaled && leverage != 1:
		return leverage, Leverage, nil
	case o.Sessions() < MinOverlap:
		return 0, "", &TooShort{Have: o.Sessions()}
	}
	s := momentsOf(o.Own, o.Proxy)
	if s.xx <= 0 || s.yy <= 0 || s.xy == 0 {
		return 0, "", &Flat{}
	}
	if m == Beta {
		return s.beta(), Regression, nil
	}
	ratio := s.volatilityRatio()
	if s.xy < 0 {
		ratio = -ratio
	}
	return ratio, Volatility, nil
}
