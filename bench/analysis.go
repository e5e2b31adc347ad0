package bench

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ballast/analyze"
	"ballast/metrics"
	"ballast/timeseries"
)

// Sizes of the rows of analyses.
const (
	analyzedDays   = 4612
	analyzedWindow = 252
	analyzedLags   = 9
	analyzedLevel  = 0.99
)

// explained returns a series and five factors of it. The series moves with three of them.
func explained() (y analyze.Column, x []analyze.Column, err error) {
	columns, err := randomColumns(6, analyzedDays)
	if err != nil {
		return y, nil, err
	}
	y, x = columns[0], columns[1:]
	for t := range y.Values {
		y.Values[t] += 0.8*x[0].Values[t] - 0.3*x[1].Values[t] + 0.1*x[2].Values[t]
	}
	return y, x, nil
}

func randomColumns(columns, days int) ([]analyze.Column, error) {
	f, err := panel(columns, days+1)
	if err != nil {
		return nil, err
	}
	out := make([]analyze.Column, columns)
	for i, m := range f.Members {
		out[i] = analyze.Column{Name: m.Key, Values: slices.Clone(m.Returns[1:])}
	}
	return out, nil
}

// analysisFactors measures a regression with its errors and diagnostics, and statsmodels
// beside it.
func analysisFactors(e *Env) Row {
	return Row{
		Name: "regression on five factors, 4,612 days, with errors and diagnostics", Key: "AnalysisFactors",
		Bar: "≤ 1 ms", Limits: []Limit{{Figure: "p50", Most: 1}},
		Measure: func(ctx context.Context) (Result, error) {
			y, x, err := explained()
			if err != nil {
				return Result{}, err
			}
			var r *analyze.Regression
			took, err := repeat(ctx, e.count(400, 20), func() error {
				r, err = analyze.Regress(y, x, analyzedLags)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			var loadings, errors []float64
			for _, c := range r.Coefficients {
				loadings, errors = append(loadings, c.Loading), append(errors, c.StdError)
			}
			own := append(append(loadings, errors...), r.RSquared)
			return besidePeer(ctx, e, "statsmodels", "factors", took, append([]analyze.Column{y}, x...), own, 20)
		},
	}
}

// analysisRolling measures the same regression over each window of a year.
func analysisRolling(e *Env) Row {
	return Row{
		Name: "the same loadings over each window of 252 days", Key: "AnalysisRolling",
		Bar: "≤ 5 ms", Limits: []Limit{{Figure: "p50", Most: 5}},
		Measure: func(ctx context.Context) (Result, error) {
			y, x, err := explained()
			if err != nil {
				return Result{}, err
			}
			var r *analyze.Rolling
			took, err := repeat(ctx, e.count(200, 10), func() error {
				r, err = analyze.RollingRegression(y, x, analyzedWindow)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			own := slices.Clone(r.Alpha)
			for _, loadings := range r.Loadings {
				own = append(own, loadings...)
			}
			return besidePeer(ctx, e, "statsmodels", "rolling", took, append([]analyze.Column{y}, x...), own, 5)
		},
	}
}

// analysisCorrelation measures the correlation of all pairs of many series.
func analysisCorrelation(e *Env) Row {
	return Row{
		Name: "correlation of 500 series of 5,000 days", Key: "AnalysisCorrelation",
		Bar: "≤ 60 ms", Limits: []Limit{{Figure: "p50", Most: 60}},
		Measure: func(ctx context.Context) (Result, error) {
			columns, err := randomColumns(500, 5000)
			if err != nil {
				return Result{}, err
			}
			var c *analyze.Correlations
			took, err := repeat(ctx, e.count(40, 3), func() error {
				c, err = analyze.Correlate(columns, analyze.Pearson)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			return besidePeer(ctx, e, "NumPy", "correlation", took, columns, slices.Concat(c.Values...), 10)
		},
	}
}

// analysisAgreement compares figures that the other rows do not have with those of
// statsmodels, SciPy, NumPy and ffn.
func analysisAgreement(e *Env) Row {
	return Row{
		Name: "tests, tails, components and drawdowns beside statsmodels, SciPy, NumPy and ffn", Key: "AnalysisAgreement",
		Bar: "≤ 1 ppb", Limits: []Limit{{Figure: "difference", Most: 1}},
		Measure: func(ctx context.Context) (Result, error) {
			y, x, err := explained()
			if err != nil {
				return Result{}, err
			}
			all := append([]analyze.Column{y}, x...)
			own, err := comparedFigures(y, x)
			if err != nil {
				return Result{}, err
			}
			peer, err := scriptAnswer(ctx, e, "analyses", "agreement", all, 0)
			if err != nil {
				return Result{}, err
			}
			if peer == nil {
				return Result{Skipped: "the peers cannot be had here"}, nil
			}
			difference, err := largestDifference(own, peer.Values)
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{{Name: "difference", Value: difference * 1e9, Unit: "ppb"}},
				Note:    fmt.Sprintf("the largest of %d figures, relative to those above 1 and absolute below", len(own)),
			}, nil
		},
	}
}

// comparedFigures are the figures of analysisAgreement in the order of its peer.
func comparedFigures(y analyze.Column, x []analyze.Column) ([]float64, error) {
	r, err := analyze.Regress(y, x, analyzedLags)
	if err != nil {
		return nil, err
	}
	out := []float64{r.AdjustedRSquared, r.DurbinWatson, r.BreuschPagan, r.BreuschPaganP}
	var t, p, intervals, inflations []float64
	for i, c := range r.Coefficients {
		t, p, intervals = append(t, c.T), append(p, c.P), append(intervals, c.Low, c.High)
		if i > 0 {
			inflations = append(inflations, c.VarianceInflation)
		}
	}
	out = slices.Concat(out, t, p, intervals, inflations)
	all := append([]analyze.Column{y}, x...)
	components, err := analyze.Components(all)
	if err != nil {
		return nil, err
	}
	for _, c := range components {
		out = append(out, c.Eigenvalue)
	}
	spearman, err := analyze.Correlate(all, analyze.Spearman)
	if err != nil {
		return nil, err
	}
	out = append(out, slices.Concat(spearman.Values...)...)
	tails, err := analyze.Tails(y, analyzedLevel)
	if err != nil {
		return nil, err
	}
	for _, tail := range tails {
		if tail.Method == analyze.GeneralisedPareto {
			out = append(out, tail.ValueAtRisk, tail.ExpectedShortfall)
		}
	}
	s := timeseries.Series{Returns: y.Values}
	for i := range y.Values {
		s.Dates = append(s.Dates, timeseries.Date(i+1))
	}
	for _, d := range metrics.DeepestDrawdowns(s, 5) {
		out = append(out, float64(d.Value))
	}
	return out, nil
}

// largestDifference compares figures: those above 1 relatively, the others absolutely.
func largestDifference(own, peer []float64) (float64, error) {
	if len(own) != len(peer) {
		return 0, fmt.Errorf("there are %d figures, and %d of the peer", len(own), len(peer))
	}
	largest := 0.0
	for i, v := range own {
		if math.IsNaN(v) || math.IsNaN(peer[i]) {
			return 0, fmt.Errorf("figure %d is %v, and %v of the peer", i, v, peer[i])
		}
		largest = max(largest, math.Abs(v-peer[i])/max(1, math.Abs(peer[i])))
	}
	return largest, nil
}

// reported measures a report on a model of 10 assets over 20 years, against one of them.
func reported(e *Env) Row {
	return Row{
		Name: "report on a model, from POST to complete", Key: "AnalysisReport",
		Bar: "p50 ≤ 60 ms", Limits: []Limit{{Figure: "p50", Most: 60}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			var took samples
			for range e.count(40, 5) {
				s.builds++
				d, err := s.client.create(ctx, "analyses", map[string]any{
					"kind": "report", "arguments": map[string]any{"keys": []string{"BENCH"}, "benchmark": "BENCH-00"}, "name": fmt.Sprintf("Report %d", s.builds),
				})
				if err != nil {
					return Result{}, err
				}
				took = append(took, d)
			}
			return Result{
				Figures: []Figure{milliseconds("p50", took.median()), milliseconds("p99", took.percentile(0.99))},
				Note:    fmt.Sprintf("%d reports with all parts, the fact sheet read every %s until active", len(took), pollInterval),
			}, nil
		},
	}
}
