package optimizer_test

import (
	"compress/gzip"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ballast/internal/testenv"
	"ballast/optimize/estimate"
	"ballast/optimize/optimizer"
)

// stocks returns the last 2,520 daily returns of twenty stocks, until 2022-12-28.
func stocks(t *testing.T) optimizer.Input {
	t.Helper()
	f, err := os.Open(testenv.Data(t, "bars/stocks20_skfolio.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	in := optimizer.Input{BarsPerYear: 252}
	prices := make(map[string][]float64)
	for _, r := range records[1:] {
		if len(prices[r[0]]) == 0 {
			in.Symbols = append(in.Symbols, r[0])
		}
		p, err := strconv.ParseFloat(r[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		prices[r[0]] = append(prices[r[0]], p)
	}
	for _, s := range in.Symbols {
		p := prices[s][len(prices[s])-2521:]
		column := make([]float64, 2520)
		for k := range column {
			column[k] = p[k+1]/p[k] - 1
		}
		in.Returns = append(in.Returns, column)
	}
	return in
}

func number(v float64) *float64 { return &v }

// definition returns a checked definition over all bars.
func definition(t testing.TB, d optimizer.Definition) *optimizer.Definition {
	t.Helper()
	if d.Covariance == nil {
		d.Covariance = &optimizer.Covariance{Estimator: estimate.Sample, Lookback: 2520}
	}
	if details := d.Check(); len(details) > 0 {
		t.Fatal(details)
	}
	return &d
}

func solve(t testing.TB, d *optimizer.Definition, in optimizer.Input) *optimizer.Answer {
	t.Helper()
	a, err := d.Solve(d.Bounded(in))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The intensities are those of scikit-learn 1.9.
func TestShrinkageOfRealStocks(t *testing.T) {
	t.Parallel()
	in := stocks(t)
	for by, want := range map[estimate.Estimator]float64{estimate.LedoitWolf: 0.014517920897546627, estimate.OAS: 0.003369712440164397} {
		if got := estimate.Shrinkage(in.Returns, by); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s shrinks by %v, want %v", by, got, want)
		}
	}
}

// The highest ratio is that of an active set, which PyPortfolioOpt 1.6.0 agrees with;
// hierarchical risk parity is that of PyPortfolioOpt 1.6.0 and Riskfolio-Lib 7.4.0.
func TestWeightsOfRealStocks(t *testing.T) {
	t.Parallel()
	in := stocks(t)
	mean := &optimizer.Expected{Estimator: optimizer.ExpectMean, Lookback: 2520}
	sharpe := solve(t, definition(t, optimizer.Definition{Objective: optimizer.MaxSharpe, Expected: mean}), in)
	for _, tc := range []struct {
		name      string
		got, want []float64
		within    float64
	}{
		{"max_sharpe", sharpe.Weights, []float64{0.022158080048776972, 0.09991959099199871, 0.0, 0.10614825370415425, 0.0, 0.0, 0.017373937065046034, 0.0, 0.0, 0.0, 0.3056614226326555, 0.014508705604499352, 0.14361964094699958, 0.0, 0.0, 0.0, 0.0, 0.29061036900586956, 0.0, 0.0}, 1e-10},
		{"hrp", solve(t, definition(t, optimizer.Definition{Objective: optimizer.HRP}), in).Weights, []float64{0.04073857557958762, 0.016362621784083823, 0.029122292123842555, 0.03393081988461253, 0.020578358935113044, 0.03497791656476384, 0.06509716351040754, 0.10212535854751728, 0.023890352242781288, 0.05077000947588803, 0.05941025183852832, 0.056684790793084375, 0.03485699613065202, 0.05030284836429892, 0.06604219324986779, 0.08579995102748587, 0.016458469730993495, 0.06414964074035256, 0.09755613307389069, 0.05114525640224838}, 1e-12},
	} {
		for i, w := range tc.want {
			if d := math.Abs(tc.got[i] - w); !(d <= tc.within) {
				t.Errorf("%s: the weight of %s is %v, want %v", tc.name, in.Symbols[i], tc.got[i], w)
			}
		}
	}
	if math.Abs(sharpe.Objective-0.08878387234954319) > 1e-12 {
		t.Errorf("the ratio is %v", sharpe.Objective)
	}
}

// every returns a definition of each objective, with all estimators in turn.
func every(t testing.TB) []*optimizer.Definition {
	t.Helper()
	mean := &optimizer.Expected{Estimator: optimizer.ExpectMean, Lookback: 2520}
	var out []*optimizer.Definition
	for _, by := range estimate.Estimators {
		c := &optimizer.Covariance{Estimator: by, Lookback: 1000}
		market := map[string]float64{"AAPL": 3, "MSFT": 2, "XOM": 1, "JNJ": 1, "BAC": 1}
		out = append(out,
			definition(t, optimizer.Definition{Objective: optimizer.MinVariance, Covariance: c, Tracking: &optimizer.Tracking{Benchmark: map[string]float64{"KO": 0.5, "WMT": 0.5}, Max: 0.08}}),
			definition(t, optimizer.Definition{Objective: optimizer.MaxSharpe, Covariance: c, Expected: mean, Riskless: 0.02, Turnover: &optimizer.Turnover{Max: 0.4}}),
			definition(t, optimizer.Definition{Objective: optimizer.TargetReturn, Covariance: c, Expected: mean, Target: number(0.2)}),
			definition(t, optimizer.Definition{Objective: optimizer.TargetRisk, Covariance: c, Expected: mean, Target: number(0.2)}),
			definition(t, optimizer.Definition{Objective: optimizer.MeanVariance, Covariance: c, Expected: mean, Groups: []optimizer.Group{{Members: []string{"AMD", "AAPL", "MSFT", "GONE"}, Max: number(0.3)}}}),
			definition(t, optimizer.Definition{Objective: optimizer.RiskParity, Covariance: c, Bounds: map[string]optimizer.Bounds{"default": {0, 0.06}}}),
			definition(t, optimizer.Definition{Objective: optimizer.MaxDiversification, Covariance: c}),
			definition(t, optimizer.Definition{Objective: optimizer.HRP, Covariance: c, Bounds: map[string]optimizer.Bounds{"default": {0.01, 0.08}}}),
			definition(t, optimizer.Definition{Objective: optimizer.MinCVaR, Covariance: c, Turnover: &optimizer.Turnover{Max: 1.1}, Groups: []optimizer.Group{{Members: []string{"AMD", "AAPL", "MSFT", "GONE"}, Min: number(0.3)}}}),
			definition(t, optimizer.Definition{Objective: optimizer.BlackLitterman, Covariance: c, Market: market, Views: []optimizer.View{{Weights: map[string]float64{"AAPL": 1, "XOM": -1}, Return: 0.03}}}),
		)
	}
	return out
}

// Every objective is certified with every estimator, and members in another order get the
// same weights.
func TestEveryObjective(t *testing.T) {
	t.Parallel()
	in := stocks(t)
	in.Current = map[string]float64{"KO": 0.3, "WMT": 0.3, "AMD": 0.4}
	to := rand.New(rand.NewPCG(1, 2)).Perm(len(in.Symbols))
	other := optimizer.Input{Symbols: make([]string, len(to)), Returns: make([][]float64, len(to)), Current: in.Current, BarsPerYear: 252}
	for i, k := range to {
		other.Symbols[k], other.Returns[k] = in.Symbols[i], in.Returns[i]
	}
	for _, d := range every(t) {
		a := solve(t, d, in)
		if d.Turnover != nil {
			turnover := 0.0
			for i, s := range in.Symbols {
				turnover += math.Abs(a.Weights[i] - in.Current[s])
			}
			if math.Abs(turnover-d.Turnover.Max) > 1e-10 {
				t.Errorf("%s %s trades %v", d.Objective, d.Covariance.Estimator, turnover)
			}
		}
		if d.Objective == optimizer.HRP {
			continue // without reordering of leaves, the order of the members decides ties of the tree
		}
		b := solve(t, d, other)
		for i, k := range to {
			if math.Abs(a.Weights[i]-b.Weights[k]) > 1e-8 {
				t.Errorf("%s %s: the weight of %s is %v, and %v in another order", d.Objective, d.Covariance.Estimator, in.Symbols[i], a.Weights[i], b.Weights[k])
			}
		}
		if d := math.Abs(floats.Sum(a.Weights) - 1); d > 1e-12 {
			t.Errorf("the weights are %v off their sum", d)
		}
	}
}

// The posterior has another form, with inverses in place of the gain: He and Litterman
// (1999), equation 8: ((τΣ)⁻¹ + P'Ω⁻¹P)⁻¹((τΣ)⁻¹π + P'Ω⁻¹Q).
func TestPosteriorHasTwoForms(t *testing.T) {
	t.Parallel()
	in := stocks(t)
	c, err := estimate.Covariance(in.Returns, estimate.LedoitWolf, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := len(in.Symbols)
	market := make([]float64, n)
	floats.AddConst(1/float64(n), market)
	prior := estimate.Implied(c, market, 2.5)
	views := []estimate.View{{Weights: make([]float64, n), Return: 1e-3}, {Weights: make([]float64, n), Return: 2e-4}}
	views[0].Weights[0] = 1
	views[1].Weights[3], views[1].Weights[7] = 1, -1
	const tau = 0.05
	mean, covariance, err := estimate.Posterior(c, prior, views, tau)
	if err != nil {
		t.Fatal(err)
	}
	var scaled, inverse, precision mat.Dense
	scaled.Scale(tau, c)
	if err := inverse.Inverse(&scaled); err != nil {
		t.Fatal(err)
	}
	precision.CloneFrom(&inverse)
	var right mat.VecDense
	right.MulVec(&inverse, mat.NewVecDense(n, prior))
	for _, v := range views {
		w := mat.NewVecDense(n, v.Weights)
		omega := mat.Inner(w, &scaled, w)
		var outer mat.Dense
		outer.Outer(1/omega, w, w)
		precision.Add(&precision, &outer)
		right.AddScaledVec(&right, v.Return/omega, w)
	}
	var uncertain mat.Dense
	if err := uncertain.Inverse(&precision); err != nil {
		t.Fatal(err)
	}
	var want mat.VecDense
	want.MulVec(&uncertain, &right)
	for i := range n {
		if math.Abs(mean[i]-want.AtVec(i)) > 1e-14 {
			t.Errorf("the mean of %s is %v, want %v", in.Symbols[i], mean[i], want.AtVec(i))
		}
		for j := range n {
			if d := covariance.At(i, j) - c.At(i, j) - uncertain.At(i, j); math.Abs(d) > 1e-15 {
				t.Errorf("the covariance of %s and %s is %g off", in.Symbols[i], in.Symbols[j], d)
			}
		}
	}
}

// What no weights can satisfy is named with its numbers.
func TestLimitsThatClash(t *testing.T) {
	t.Parallel()
	in := stocks(t)
	mean := &optimizer.Expected{Estimator: optimizer.ExpectMean, Lookback: 2520}
	for want, d := range map[string]optimizer.Definition{
		"the upper bounds of AAPL, AMD, BAC, BBY, CVX, GE, HD, JNJ and 12 others add up to 0.8": {Objective: optimizer.MinVariance, Bounds: map[string]optimizer.Bounds{"default": {0, 0.04}}},
		"group 1 (AAPL and AMD) has at least 0.5":                                               {Objective: optimizer.MinVariance, Groups: []optimizer.Group{{Members: []string{"AAPL", "AMD"}, Min: number(0.5)}}, Bounds: map[string]optimizer.Bounds{"AAPL": {0, 0.2}, "AMD": {0, 0.2}}},
		"the expected return is at least 2 a year":                                              {Objective: optimizer.TargetReturn, Target: number(2), Expected: mean},
		"the least is 0.1":              {Objective: optimizer.TargetRisk, Target: number(0.05), Expected: mean},
		"the riskless one (0.9 a year)": {Objective: optimizer.MaxSharpe, Riskless: 0.9, Expected: mean},
		"view 1 is about GONE":          {Objective: optimizer.BlackLitterman, Market: map[string]float64{"KO": 1}, Views: []optimizer.View{{Weights: map[string]float64{"GONE": 1}}}},
	} {
		checked := definition(t, d)
		_, err := checked.Solve(checked.Bounded(in))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v; it should say %q", err, want)
		}
	}
}

func BenchmarkLedoitWolf(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	columns := make([][]float64, 500)
	for i := range columns {
		columns[i] = make([]float64, 2520)
		for t := range columns[i] {
			columns[i][t] = 0.01 * r.NormFloat64()
		}
	}
	for b.Loop() {
		if _, err := estimate.Covariance(columns, estimate.LedoitWolf, 0); err != nil {
			b.Fatal(err)
		}
	}
}
