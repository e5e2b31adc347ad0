package metrics_test

import (
	"math"
	"testing"

	"ballast/metrics"

	"pgregory.net/rapid"
)

// The example of Bailey and López de Prado (2014, p. 9 ff.): five years of 250 days, an
// annual Sharpe ratio of 2.5, the best of trials whose ratios have a variance of 1/2. The
// paper gives four digits; the other digits are from SciPy 1.17.1.
func TestDeflatedSharpeOfThePaper(t *testing.T) {
	sharpe := 2.5 / math.Sqrt(250)
	for _, c := range []struct {
		name               string
		skewness, kurtosis float64
		trials             int
		want               float64
	}{
		{"100 trials", -3, 10, 100, 0.9003968344493903},
		{"46 trials", -3, 10, 46, 0.9505017068755787},
		{"88 trials of normal returns", 0, 3, 88, 0.9504908166760139},
	} {
		near(t, c.name, metrics.DeflatedSharpe(moments(1250, sharpe, c.skewness, c.kurtosis), 0, 250, c.trials, 0.5), c.want, 1e-13)
	}
	near(t, "ratio of the best of 100 by luck", math.Sqrt(0.5/250)*metrics.ExpectedMaximum(100), 0.11317200186513214, 1e-15)
}

func TestDeflatedSharpeOfTheOracle(t *testing.T) {
	s, _ := oracle()
	for _, c := range []struct {
		name, source string
		options      metrics.Options
		want         float64
	}{
		{"six trials", "ffn 1.4.1 calc_deflated_sharpe_ratio, ratios 0.1, 0.3 … 1.1", metrics.Options{Trials: 6, TrialSharpeVariance: 0.14}, 0.8164087458219297},
		{"six trials above 2 %", "ffn 1.4.1, rf=0.02", metrics.Options{Trials: 6, TrialSharpeVariance: 0.14, RiskFree: 0.02}, 0.6948770999900404},
		{"one trial", "the probabilistic ratio", metrics.Options{Trials: 1, TrialSharpeVariance: 0.14}, 0.9765586306465345},
		{"two trials, variance not known", "SciPy 1.17.1", metrics.Options{Trials: 2}, 0.9290074883643369},
		{"ten trials, variance not known", "SciPy 1.17.1", metrics.Options{Trials: 10}, 0.6610364002596544},
		{"100 trials, variance not known", "SciPy 1.17.1", metrics.Options{Trials: 100}, 0.2948837366719297},
		{"100 trials, no variance is none known", "the same", metrics.Options{Trials: 100, TrialSharpeVariance: math.Inf(1)}, 0.2948837366719297},
	} {
		block := metrics.Compute(s, c.options)
		near(t, c.name+" ("+c.source+")", float64(block.DeflatedSharpe), c.want, 1e-12)
		if block.Conventions.Trials != c.options.Trials {
			t.Errorf("%s: %d trials named", c.name, block.Conventions.Trials)
		}
		want := 252.0 / 1259
		if v := c.options.TrialSharpeVariance; v > 0 && v < 1 {
			want = v
		}
		near(t, c.name+": variance named", float64(block.Conventions.TrialVariance), want, 0)
	}
}

func TestDeflatedSharpeWithoutTrials(t *testing.T) {
	s, _ := oracle()
	for _, trials := range []int{0, -3} {
		block := metrics.Compute(s, metrics.Options{Trials: trials, TrialSharpeVariance: 0.2})
		if !math.IsNaN(float64(block.DeflatedSharpe)) || block.Conventions.Trials != 0 || !math.IsNaN(float64(block.Conventions.TrialVariance)) {
			t.Errorf("%d trials: %v, named %d with a variance of %v", trials, block.DeflatedSharpe, block.Conventions.Trials, block.Conventions.TrialVariance)
		}
	}
	if got := metrics.DeflatedSharpe(metrics.MomentsOf(s.Returns), 0, 252, 10, math.NaN()); !math.IsNaN(got) {
		t.Errorf("%v without a variance", got)
	}
}

func TestExpectedMaximum(t *testing.T) {
	for trials, want := range map[int]float64{ // SciPy 1.17.1 norm.ppf
		1: 0, 2: 0.5197553442805939, 3: 0.8528044961506949, 10: 1.57459830134575, 1000: 3.255121513652723, 1e6: 4.867860037846844,
	} {
		near(t, "expected maximum", metrics.ExpectedMaximum(trials), want, 1e-10)
	}
	if got := metrics.ExpectedMaximum(0); !math.IsNaN(got) {
		t.Errorf("expected maximum of nothing %v", got)
	}
}

func TestDeflatedSharpeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := metrics.MomentsOf(drawSeries(t, 4).Returns)
		rf := rapid.SampledFrom([]float64{0, 1e-4}).Draw(t, "risk free")
		probabilistic := metrics.ProbabilisticSharpe(m, rf, 0)
		if math.IsNaN(probabilistic) {
			t.Skip("values that hardly vary")
		}
		variance := metrics.TrialVariance(rapid.Float64Range(0, 3).Draw(t, "variance"), m.N, 252)
		trials := rapid.IntRange(1, 100_000).Draw(t, "trials")
		fewer := rapid.IntRange(1, trials).Draw(t, "fewer trials")
		deflated, less := metrics.DeflatedSharpe(m, rf, 252, trials, variance), metrics.DeflatedSharpe(m, rf, 252, fewer, variance)
		const rounding = 1e-15
		if !(deflated >= 0 && deflated <= less+rounding && less <= probabilistic+rounding && probabilistic <= 1) {
			t.Errorf("%v after %d trials, %v after %d, %v before any", deflated, trials, less, fewer, probabilistic)
		}
	})
}
