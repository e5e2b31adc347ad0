package backfill_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"ballast/catalog/backfill"
	"ballast/timeseries"
)

// overlap returns n sessions of a proxy and of an asset that is slope times the proxy,
// with noise.
func overlap(n int, slope, intercept, noise float64) *backfill.Overlap {
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	o := &backfill.Overlap{Start: 1, End: timeseries.Date(n)}
	for range n {
		p := .01 * rng.NormFloat64()
		o.Proxy = append(o.Proxy, p)
		o.Own = append(o.Own, intercept+slope*p+noise*rng.NormFloat64())
	}
	return o
}

func TestScaleFindsWhatMadeTheReturns(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		method   backfill.Method
		o        *backfill.Overlap
		leverage float64
		want     float64
		basis    backfill.Basis
	}{
		{"raw", backfill.Raw, overlap(0, 0, 0, 0), 3, 1, backfill.One},
		{"leverage needs no overlap", backfill.Scaled, overlap(0, 0, 0, 0), -3, -3, backfill.Leverage},
		{"volatility", backfill.Scaled, overlap(100, 2, .001, 0), 1, 2, backfill.Volatility},
		{"volatility of an inverse", backfill.Scaled, overlap(100, -2, .001, 0), 1, -2, backfill.Volatility},
		{"slope", backfill.Beta, overlap(63, .5, -.001, 0), 1, .5, backfill.Regression},
		{"slope of a leveraged fund", backfill.Beta, overlap(100, 2.9, 0, 0), 3, 2.9, backfill.Regression},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, basis, err := backfill.Scale(test.method, test.o, test.leverage)
			if err != nil || basis != test.basis || math.Abs(got-test.want) > 1e-12 {
				t.Errorf("%v by %s, %v", got, basis, err)
			}
		})
	}
}

func TestScaleRefuses(t *testing.T) {
	t.Parallel()
	var short *backfill.TooShort
	if _, _, err := backfill.Scale(backfill.Beta, overlap(62, 1, 0, 0), 1); !errors.As(err, &short) || short.Have != 62 {
		t.Error(err)
	}
	var flat *backfill.Flat
	still := overlap(100, 0, .0003, 0)
	if _, _, err := backfill.Scale(backfill.Scaled, still, 1); !errors.As(err, &flat) {
		t.Error(err)
	}
	still.Own, still.Proxy = still.Proxy, still.Own
	if _, _, err := backfill.Scale(backfill.Beta, still, 1); !errors.As(err, &flat) {
		t.Error(err)
	}
}

// By hand: three times 1 % is 3 %; twice the financing of 3.6 % is 7.2 %, with
// expenses of 0.95 % − 3·0.2 % 7.55 % a year, 0.02996 % a session.
func TestTermsOfALeveragedFund(t *testing.T) {
	t.Parallel()
	expense := backfill.Expense(.0095, .002, 3)
	terms := backfill.NewTerms(3, backfill.Costs{Financing: .036, Expense: expense}, 252)
	if got, want := terms.Of(.01), .03-.0755/252; math.Abs(got-want) > 1e-15 {
		t.Errorf("%v, not %v", got, want)
	}
	// An inverse fund earns interest on its assets and on the proceeds of its short
	// position.
	if got := backfill.NewTerms(-1, backfill.Costs{Financing: .0252}, 252).Of(0); math.Abs(got-.0002) > 1e-15 {
		t.Errorf("%v a session", got)
	}
	// A fund at its proxy's scale borrows nothing.
	if got := backfill.NewTerms(1, backfill.Costs{Financing: .05}, 252); got != (backfill.Terms{Scale: 1}) {
		t.Error(got)
	}
}

// The expected figures come from gonum's estimators (v0.16 and later).
func TestTrackIsGonums(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := overlap(rapid.IntRange(63, 300).Draw(t, "n"), rapid.Float64Range(-3, 3).Draw(t, "slope"), .0002, .004)
		terms := backfill.NewTerms(1.5, backfill.Costs{Expense: .01}, 252)
		got := backfill.Track(o, terms, 252)
		alpha, beta := stat.LinearRegression(o.Proxy, o.Own, nil, false)
		difference := make([]float64, len(o.Own))
		for i := range difference {
			difference[i] = o.Own[i] - terms.Of(o.Proxy[i])
		}
		mean, sd := stat.MeanStdDev(difference, nil)
		correlation := stat.Correlation(o.Own, o.Proxy, nil)
		for name, pair := range map[string][2]float64{
			"beta": {beta, float64(got.Beta)}, "alpha": {252 * alpha, float64(got.Alpha)},
			"correlation": {correlation, float64(got.Correlation)}, "r_squared": {correlation * correlation, float64(got.RSquared)},
			"volatility_ratio": {stat.StdDev(o.Own, nil) / stat.StdDev(o.Proxy, nil), float64(got.VolatilityRatio)},
			"tracking_error":   {sd * math.Sqrt(252), float64(got.TrackingError)}, "tracking_difference": {252 * mean, float64(got.TrackingDifference)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-9*max(1, math.Abs(pair[0])) {
				t.Errorf("%s: %v, not %v", name, pair[1], pair[0])
			}
		}
	})
}

func TestTrackSaysNothingOfAShortOverlap(t *testing.T) {
	t.Parallel()
	got := backfill.Track(overlap(62, 1, 0, .01), backfill.Terms{Scale: 1}, 252)
	if got.Sessions != 62 || !math.IsNaN(float64(got.Beta)) || !math.IsNaN(float64(got.TrackingError)) || *got.End != 62 {
		t.Error(got)
	}
	if none := backfill.Track(backfill.Common(timeseries.Series{Base: 5}, timeseries.Series{Base: 9}), backfill.Terms{}, 252); none.Start != nil || none.Sessions != 0 {
		t.Error(none)
	}
}

// A day on which a threefold fund would lose everything ends the splice at that day's
// close.
func TestRuinEndsTheSplice(t *testing.T) {
	t.Parallel()
	proxy := timeseries.Series{Base: 1, Dates: []timeseries.Date{2, 3, 4, 5}, Returns: []float64{.1, -.4, .01, .02}}
	own := timeseries.Series{Base: 5, Dates: []timeseries.Date{6}, Returns: []float64{.5}}
	older := timeseries.Series{Base: 0, Dates: []timeseries.Date{1, 2, 3, 4}, Returns: []float64{.1, .1, .1, .1}}
	got, stretches := backfill.Join(own, []backfill.Proxy{{Series: proxy, Terms: backfill.Terms{Scale: 3}}, {Series: older, Terms: backfill.Terms{Scale: 1}}})
	want := timeseries.Series{Base: 3, Dates: []timeseries.Date{4, 5, 6}, Returns: []float64{.03, .06, .5}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]backfill.Stretch{{Proxy: 0, Start: 4, End: 5}}, stretches); d != "" {
		t.Error(d)
	}
}

func TestCompoundBringsWeekendsIntoMonday(t *testing.T) {
	t.Parallel()
	friday := timeseries.NewDate(2024, time.January, 5)
	coin := timeseries.Series{Base: friday - 1, Dates: []timeseries.Date{friday, friday + 1, friday + 2, friday + 3}, Returns: []float64{.1, .5, -.5, .2}}
	got := backfill.Compound(coin, []timeseries.Date{friday - 1, friday, friday + 3, friday + 4})
	want := timeseries.Series{Base: friday - 1, Dates: []timeseries.Date{friday, friday + 3}, Returns: []float64{.1, -.1}}
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); d != "" {
		t.Error(d)
	}
}
