package backtest_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/timeseries"
)

// TestExtremesAreNumbersOrErrors uses some returns and targets at the limits of a
// float64. A result must have only finite numbers, and an error must name the first day
// without one.
func TestExtremesAreNumbersOrErrors(t *testing.T) {
	many(t, 10, func(t *rapid.T) {
		u := drawUniverse(t)
		u.exaggerate(t)
		r, err := u.run(u.frame)
		if err == nil {
			allFinite(t, r)
			return
		}
		var failed *backtest.DecisionError
		if !errors.As(err, &failed) {
			return // the model never starts
		}
		if !strings.Contains(err.Error(), "too large for a float64") && !strings.Contains(err.Error(), "lost in the rounding") {
			t.Fatal(err)
		}
		at, _ := timeseries.Find(u.frame.Axis, failed.Date)
		if _, err := u.run(u.frame.Cut(failed.Date)); u.spec.Fill == backtest.FillClose && (err == nil || err.Error() != failed.Error()) {
			t.Fatalf("cut on the day of the error: %v, want %v", err, failed)
		}
		if at > 0 {
			part, err := u.run(u.frame.Cut(u.frame.Axis[at-1]))
			var idle *backtest.StartError
			if errors.As(err, &idle) {
				return
			}
			if err != nil {
				t.Fatalf("cut on the day before %v: %v", failed, err)
			}
			allFinite(t, part)
		}
	})
}

// exaggerate makes some returns and targets very large, or turns them into nearly
// complete losses.
func (u universe) exaggerate(t *rapid.T) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "extremes"), 0))
	often := rapid.SampledFrom([]int{2, 20, 200}).Draw(t, "one in")
	extreme := rapid.SampledFrom([]float64{1e30, 1e160, 1e300, math.MaxFloat64, -1 + 1e-7, -1 + 0x1p-53, -1, -1e150}).Draw(t, "return")
	for i := range u.frame.Members {
		for k := range u.frame.Members[i].Returns {
			if k > 0 && rng.IntN(often) == 0 {
				u.frame.Members[i].Returns[k] = extreme
			}
		}
	}
	scale := rapid.SampledFrom([]float64{1, 1, 1e-300, 1e160, 1e305}).Draw(t, "targets")
	for _, target := range u.plan {
		for key := range target {
			target[key] *= scale
		}
	}
}

func allFinite(t *rapid.T, r *backtest.Result) {
	t.Helper()
	columns := [][]float64{r.Returns, r.Equity, r.Gross, r.Traded, r.CashWeight, r.CashContribution,
		{r.Summary.FinalValue, r.Summary.MaxGrossExposure}}
	columns = append(append(columns, r.Weights...), r.Contributions...)
	for _, e := range r.Ledger {
		columns = append(columns, []float64{e.Turnover})
		for _, one := range e.Trades {
			columns = append(columns, []float64{one.Before, one.Target})
		}
	}
	for i, column := range columns {
		for k, v := range column {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("column %d has %v in row %d of %d; ruined %v", i, v, k, len(column), r.Summary.Ruined)
			}
		}
	}
}
