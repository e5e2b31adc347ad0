package metrics

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"ballast/internal/number"
	"ballast/timeseries"
)

// Benchmark compares a series with a benchmark over the sessions that both cover.
type Benchmark struct {
	Symbol           string       `json:"symbol"`
	Beta             number.Float `json:"beta"`
	Alpha            number.Float `json:"alpha"` // annual fraction
	RSquared         number.Float `json:"r_squared"`
	Correlation      number.Float `json:"correlation"`
	TrackingError    number.Float `json:"tracking_error"` // annual fraction
	InformationRatio number.Float `json:"information_ratio"`
	UpCapture        number.Float `json:"up_capture"`
	DownCapture      number.Float `json:"down_capture"`
	ActiveReturn     number.Float `json:"active_return"` // difference of the CAGRs, annual fraction
}

// compare computes the benchmark block. riskFree has the risk-free return of each bar of
// s; nil if it is riskFreeBar on all of them, which is 0 otherwise. scratch must have a length of at least twice
// that of s.
func compare(s timeseries.Series, against *BenchmarkSeries, riskFreeBar float64, riskFree []float64, barsPerYear int, scratch []float64) *Benchmark {
	n := len(s.Returns)
	b, from, to := aligned(s, against.Series, scratch[:0:n])
	r := s.Returns[from:to]
	dates := s.Dates[from:to]
	base := s.Base
	if from > 0 {
		base = s.Dates[from-1]
	}

	y, x := r, b
	if riskFree != nil {
		y = floats.SubTo(make([]float64, len(r)), r, riskFree[from:to])
		x = floats.SubTo(make([]float64, len(b)), b, riskFree[from:to])
	}
	fit := leastSquares(y, x, riskFreeBar)
	active := floats.SubTo(scratch[n:n+len(r)], r, b)
	difference := MomentsOf(active)
	ours, theirs := Months(dates, r), Months(dates, b)
	up, down := captures(ours, theirs)
	out := &Benchmark{
		Symbol:           against.Symbol,
		Beta:             number.Float(fit.beta),
		Alpha:            number.Float(fit.intercept * float64(barsPerYear)),
		RSquared:         number.Float(fit.correlation * fit.correlation),
		Correlation:      number.Float(fit.correlation),
		TrackingError:    number.Float(Volatility(difference, barsPerYear)),
		InformationRatio: number.Float(Sharpe(difference, 0, barsPerYear)),
		UpCapture:        number.Float(up),
		DownCapture:      number.Float(down),
		ActiveReturn:     number.NaN(),
	}
	if len(r) > 0 {
		days := int(dates[len(dates)-1] - base)
		out.ActiveReturn = number.Float(CAGR(compounded(ours), days) - CAGR(compounded(theirs), days))
	}
	return out
}

// regression is the line y = intercept + beta·x through excess returns.
type regression struct{ beta, intercept, correlation float64 }

// leastSquares regresses y on x after subtracting the risk-free return from both. All
// results are NaN for fewer than two points and if x is constant; the correlation is
// also NaN if y is constant.
func leastSquares(y, x []float64, riskFreeBar float64) regression {
	none := regression{nan, nan, nan}
	if len(x) < 2 {
		return none
	}
	meanX, meanY := mean(x), mean(y)
	var xx, xy, yy float64
	for i := range x {
		dx, dy := x[i]-meanX, y[i]-meanY
		xx += float64(dx * dx)
		xy += float64(dx * dy)
		yy += float64(dy * dy)
	}
	n := float64(len(x))
	if unlessFlat(math.Sqrt(xx/n), meanX) == 0 {
		return none
	}
	fit := regression{beta: ratio(xy, xx), correlation: nan}
	fit.intercept = meanY - riskFreeBar - float64(fit.beta*(meanX-riskFreeBar))
	if unlessFlat(math.Sqrt(yy/n), meanY) > 0 {
		// Rounding must not push the correlation out of its range.
		fit.correlation = max(-1, min(1, ratio(xy, math.Sqrt(xx)*math.Sqrt(yy))))
	}
	return fit
}
