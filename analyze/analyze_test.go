package analyze_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ballast/analyze"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// column draws a series of returns without long runs of equal values.
func column(t *rapid.T, name string, n int) analyze.Column {
	seed := rapid.Uint64Range(1, 1<<40).Draw(t, name)
	return noise(name, n, seed)
}

// noise is a series of pseudo-random returns (xorshift), the same on each machine.
func noise(name string, n int, seed uint64) analyze.Column {
	c := analyze.Column{Name: name, Values: make([]float64, n)}
	x := seed*0x9E3779B97F4A7C15 | 1
	for i := range c.Values {
		sum := 0.0
		for range 4 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			sum += float64(x>>11) / (1 << 53)
		}
		c.Values[i] = 0.0003 + 0.01*(sum-2)
	}
	return c
}

func near(t interface {
	Helper()
	Errorf(string, ...any)
}, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > tolerance {
		t.Errorf("%s is %.17g, want %.17g (difference %.3g)", what, got, want, got-want)
	}
}

// plainRegression is the textbook formula: β = (XᵀX)⁻¹Xᵀy with the autocovariances of
// the scores added lag by lag.
func plainRegression(y []float64, x [][]float64, lags int) (beta, errors []float64) {
	n, k := len(y), len(x)+1
	design := mat.NewDense(n, k, nil)
	for t := range n {
		design.Set(t, 0, 1)
		for j := range x {
			design.Set(t, j+1, x[j][t])
		}
	}
	var gram, inverse mat.Dense
	gram.Mul(design.T(), design)
	if err := inverse.Inverse(&gram); err != nil {
		panic(err)
	}
	var moments, coefficients mat.VecDense
	moments.MulVec(design.T(), mat.NewVecDense(n, y))
	coefficients.MulVec(&inverse, &moments)
	var fitted mat.VecDense
	fitted.MulVec(design, &coefficients)
	scores := mat.NewDense(n, k, nil)
	for t := range n {
		for j := range k {
			scores.Set(t, j, (y[t]-fitted.AtVec(t))*design.At(t, j))
		}
	}
	meat := mat.NewDense(k, k, nil)
	for lag := -lags; lag <= lags; lag++ {
		weight := 1 - math.Abs(float64(lag))/float64(lags+1)
		for t := max(0, lag); t < min(n, n+lag); t++ {
			for i := range k {
				for j := range k {
					meat.Set(i, j, meat.At(i, j)+weight*scores.At(t, i)*scores.At(t-lag, j))
				}
			}
		}
	}
	var half, covariance mat.Dense
	half.Mul(&inverse, meat)
	covariance.Mul(&half, &inverse)
	for j := range k {
		beta, errors = append(beta, coefficients.AtVec(j)), append(errors, math.Sqrt(covariance.At(j, j)))
	}
	return beta, errors
}

func TestRegressionEqualsTextbook(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(20, 200).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "k")
		lags := rapid.IntRange(0, 9).Draw(t, "lags")
		y := column(t, "y", n)
		var x []analyze.Column
		var values [][]float64
		for j := range k {
			x = append(x, column(t, "x"+string(rune('0'+j)), n))
			values = append(values, x[j].Values)
		}
		r, err := analyze.Regress(y, x, lags)
		if err != nil {
			t.Skip(err) // two factors of one seed
		}
		beta, stdErrors := plainRegression(y.Values, values, lags)
		for j, c := range r.Coefficients {
			near(t, c.Name, c.Loading, beta[j], 1e-10)
			near(t, c.Name+" error", c.StdError, stdErrors[j], 1e-10)
		}
	})
}

func TestRegressionOnItself(t *testing.T) {
	t.Parallel()
	y := noise("MOM", 500, 7)
	r, err := analyze.Regress(y, []analyze.Column{{Name: "self", Values: y.Values}}, analyze.AutomaticLags)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "alpha", r.Coefficients[0].Loading, 0, 1e-18)
	near(t, "loading", r.Coefficients[1].Loading, 1, 1e-14)
	near(t, "R²", r.RSquared, 1, 0)
	near(t, "t", r.Coefficients[1].T, math.NaN(), 0)
	near(t, "Durbin–Watson", r.DurbinWatson, math.NaN(), 0)
}

// Shifting and scaling a series moves the constant and scales the loadings; the order of
// the factors does not matter.
func TestRegressionShiftsScalesAndPermutes(t *testing.T) {
	t.Parallel()
	y, a, b := noise("y", 300, 1), noise("a", 300, 2), noise("b", 300, 3)
	r, err := analyze.Regress(y, []analyze.Column{a, b}, 5)
	if err != nil {
		t.Fatal(err)
	}
	moved := analyze.Column{Name: "y"}
	for _, v := range y.Values {
		moved.Values = append(moved.Values, 3*v+0.25)
	}
	s, err := analyze.Regress(moved, []analyze.Column{b, a}, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range []int{0, 2, 1} {
		shift := 0.0
		if i == 0 {
			shift = 0.25
		}
		near(t, "loading", s.Coefficients[j].Loading, 3*r.Coefficients[i].Loading+shift, 1e-13)
		near(t, "error", s.Coefficients[j].StdError, 3*r.Coefficients[i].StdError, 1e-13)
	}
	near(t, "R²", s.RSquared, r.RSquared, 1e-13)
	near(t, "Durbin–Watson", s.DurbinWatson, r.DurbinWatson, 1e-12)
	near(t, "Breusch–Pagan", s.BreuschPagan, r.BreuschPagan, 1e-10)
}

func TestBadSeriesAreNamed(t *testing.T) {
	t.Parallel()
	y, a, b := noise("Y", 100, 1), noise("A", 100, 2), noise("B", 100, 3)
	same := analyze.Column{Name: "CASH", Values: make([]float64, 100)}
	sum := analyze.Column{Name: "SUM", Values: make([]float64, 100)}
	ruined := analyze.Column{Name: "RUINED", Values: append([]float64{math.Inf(-1)}, a.Values[1:]...)}
	apart := analyze.Column{Name: "APART", Values: append([]float64{1}, make([]float64, 99)...)}
	for i := range sum.Values {
		same.Values[i], sum.Values[i] = 0.01, 2*a.Values[i]-b.Values[i]
		if i > 0 {
			apart.Values[i] = math.NaN()
		}
	}
	two := []analyze.Column{a, b}
	for name, c := range map[string]struct {
		do     func() error
		series string
		says   string
	}{
		"constant target":    {func() error { _, err := analyze.Regress(same, two, 3); return err }, "CASH", "constant"},
		"constant factor":    {func() error { _, err := analyze.Regress(y, []analyze.Column{a, same}, 3); return err }, "CASH", "constant"},
		"collinear factors":  {func() error { _, err := analyze.Regress(y, []analyze.Column{a, b, sum}, 3); return err }, "SUM", "combination of A, B"},
		"too short":          {func() error { _, err := analyze.Regress(y, []analyze.Column{apart}, 0); return err }, "Y", "1 rows in common"},
		"infinite":           {func() error { _, err := analyze.Regress(y, []analyze.Column{ruined}, 0); return err }, "RUINED", "infinite"},
		"lags":               {func() error { _, err := analyze.Regress(y, two, 100); return err }, "", "from 0 to 99"},
		"constant component": {func() error { _, err := analyze.Components([]analyze.Column{a, same}); return err }, "CASH", "constant"},
		"collinear style":    {func() error { _, err := analyze.Style(y, []analyze.Column{a, b, sum}); return err }, "SUM", "cannot be told apart"},
		"short window":       {func() error { _, err := analyze.RollingRegression(y, two, 3); return err }, "", "at least 4"},
		"level":              {func() error { _, err := analyze.Tails(y, 1); return err }, "", "below 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bad *analyze.DataError
			if err := c.do(); !errors.As(err, &bad) || bad.Series != c.series || !strings.Contains(bad.Message, c.says) {
				t.Errorf("got %v (%+v), want series %q and %q", err, bad, c.series, c.says)
			}
		})
	}
}

func TestRollingEqualsWindows(t *testing.T) {
	t.Parallel()
	y := noise("y", 400, 1)
	x := []analyze.Column{noise("a", 400, 2), noise("b", 400, 3)}
	x[0].Values[17] = math.NaN()
	for i := 200; i < 270; i++ {
		x[1].Values[i] = 0.5 // a window of this alone has no answer
	}
	r, err := analyze.RollingRegression(y, x, 60)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Last) != 340 || r.Last[339] != 399 {
		t.Fatalf("%d windows, the last ends with row %d", len(r.Last), r.Last[len(r.Last)-1])
	}
	nulls := 0
	for w, last := range r.Last {
		first := last - 59
		if first <= 17 && last >= 17 {
			first--
		}
		cut := func(c analyze.Column) analyze.Column {
			return analyze.Column{Name: c.Name, Values: c.Values[max(0, first) : last+1]}
		}
		want, err := analyze.Regress(cut(y), []analyze.Column{cut(x[0]), cut(x[1])}, 0)
		if err != nil {
			nulls++
			near(t, "R² of a flat window", r.RSquared[w], math.NaN(), 0)
			continue
		}
		near(t, "alpha", r.Alpha[w], want.Coefficients[0].Loading, 1e-12)
		near(t, "a", r.Loadings[0][w], want.Coefficients[1].Loading, 1e-9)
		near(t, "b", r.Loadings[1][w], want.Coefficients[2].Loading, 1e-9)
		near(t, "R²", r.RSquared[w], want.RSquared, 1e-11)
	}
	if nulls != 11 {
		t.Errorf("%d windows have no answer, want 11", nulls)
	}
}

func TestCorrelations(t *testing.T) {
	t.Parallel()
	a, b, gappy := noise("a", 90, 1), noise("b", 90, 2), noise("gappy", 90, 3)
	gappy.Values[3], gappy.Values[50] = math.NaN(), math.NaN()
	flat := analyze.Column{Name: "flat", Values: make([]float64, 90)}
	opposite := analyze.Column{Name: "opposite"}
	cubed := analyze.Column{Name: "cubed"}
	for _, v := range a.Values {
		opposite.Values, cubed.Values = append(opposite.Values, 1-2*v), append(cubed.Values, v*v*v)
	}
	all := []analyze.Column{a, b, gappy, flat, opposite, cubed}
	for _, method := range []analyze.Method{analyze.Pearson, analyze.Spearman} {
		c, err := analyze.Correlate(all, method)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "with itself", c.Values[0][0], 1, 0)
		near(t, "with its opposite", c.Values[0][4], -1, 1e-14)
		near(t, "with a constant", c.Values[0][3], math.NaN(), 0)
		near(t, "a constant with itself", c.Values[3][3], math.NaN(), 0)
		near(t, "symmetric", c.Values[2][1], c.Values[1][2], 0)
		if c.N[0][2] != 88 || c.N[0][1] != 90 || c.N[2][2] != 88 {
			t.Errorf("rows are %v", c.N)
		}
		if method == analyze.Spearman {
			near(t, "with its cube", c.Values[0][5], 1, 1e-14)
		}
	}
}

func TestClusterOrderKeepsTwinsTogether(t *testing.T) {
	t.Parallel()
	var columns []analyze.Column
	for i := range 12 {
		base := noise("base", 300, uint64(1+i%4)).Values
		own := noise("own", 300, uint64(100+i)).Values
		c := analyze.Column{Name: string(rune('A' + i)), Values: make([]float64, 300)}
		for t := range c.Values {
			c.Values[t] = base[t] + 0.2*own[t]
		}
		columns = append(columns, c)
	}
	c, err := analyze.Correlate(columns, analyze.Pearson)
	if err != nil {
		t.Fatal(err)
	}
	order := c.ClusterOrder()
	if len(order) != 12 {
		t.Fatalf("order is %v", order)
	}
	for i := 0; i < 12; i += 3 {
		if order[i]%4 != order[i+1]%4 || order[i]%4 != order[i+2]%4 {
			t.Errorf("order is %v, which separates series that move together", order)
		}
	}
}

func TestComponentsAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 6).Draw(t, "k")
		var columns []analyze.Column
		for i := range k {
			columns = append(columns, column(t, string(rune('a'+i)), 60))
		}
		components, err := analyze.Components(columns)
		if err != nil {
			t.Fatal(err)
		}
		values, shares := 0.0, 0.0
		for i, c := range components {
			values, shares = values+c.Eigenvalue, shares+c.Share
			length := 0.0
			for _, v := range c.Loadings {
				length += v * v
			}
			near(t, "length", length, 1, 1e-12)
			if i > 0 && c.Eigenvalue > components[i-1].Eigenvalue+1e-12 {
				t.Errorf("component %d is larger than the one before", i)
			}
		}
		near(t, "eigenvalues", values, float64(k), 1e-11)
		near(t, "shares", shares, 1, 1e-12)
	})
}

func TestStyleFindsAMixAndIsOptimal(t *testing.T) {
	t.Parallel()
	x := []analyze.Column{noise("a", 200, 1), noise("b", 200, 2), noise("c", 200, 3), {Name: "cash", Values: make([]float64, 200)}}
	y := analyze.Column{Name: "y", Values: make([]float64, 200)}
	for t := range y.Values {
		y.Values[t] = 0.3*x[0].Values[t] + 0.5*x[2].Values[t] + 0.2*x[3].Values[t]
	}
	mix, err := analyze.Style(y, x)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.3, 0, 0.5, 0.2} {
		near(t, x[i].Name, mix.Weights[i], want, 1e-12)
	}
	near(t, "R²", mix.RSquared, 1, 1e-12)

	rapid.Check(t, func(t *rapid.T) {
		y := column(t, "y", 50)
		var x []analyze.Column
		for j := range 4 {
			x = append(x, column(t, string(rune('a'+j)), 50))
		}
		mix, err := analyze.Style(y, x)
		if err != nil {
			t.Skip(err)
		}
		sum := 0.0
		for _, w := range mix.Weights {
			sum += w
			if w < 0 {
				t.Errorf("weight %v", w)
			}
		}
		near(t, "sum", sum, 1, 1e-12)
		least := spread(y, x, mix.Weights)
		for i := range 4 { // no step towards an index alone makes the difference smaller
			w := make([]float64, 4)
			for j := range w {
				w[j] = mix.Weights[j] * 0.999
			}
			w[i] += 0.001
			if spread(y, x, w) < least*(1-1e-12) {
				t.Errorf("more of %s is better than %v", x[i].Name, mix.Weights)
			}
		}
	})
}

// spread is the variance of y − Σ wⱼxⱼ.
func spread(y analyze.Column, x []analyze.Column, w []float64) float64 {
	sum, squares, n := 0.0, 0.0, float64(len(y.Values))
	for t, v := range y.Values {
		for j := range x {
			v -= w[j] * x[j].Values[t]
		}
		sum += v
		squares += v * v
	}
	return squares/n - sum*sum/n/n
}

func TestTails(t *testing.T) {
	t.Parallel()
	// A normal sample at its quantiles has the tail of the normal distribution, which
	// Cornish–Fisher must give: 1.645 and 2.063 deviations.
	normal := analyze.Column{Name: "normal"}
	pareto := analyze.Column{Name: "pareto"}
	const n = 20_000
	for i := range n {
		p := (float64(i) + 0.5) / n
		normal.Values = append(normal.Values, math.Sqrt2*math.Erfinv(2*p-1))
		pareto.Values = append(pareto.Values, -(math.Pow(p, -0.25)-1)/0.25)
	}
	tails, err := analyze.Tails(normal, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	for _, tail := range tails[:2] {
		near(t, tail.Method, tail.ValueAtRisk, 1.6448536, 2e-3)
		near(t, tail.Method+" shortfall", tail.ExpectedShortfall, 2.0627128, 4e-3)
	}
	// A generalised Pareto distribution of shape 0.25 and scale 1 is its own tail.
	tails, err = analyze.Tails(pareto, 0.99)
	if err != nil {
		t.Fatal(err)
	}
	want := (math.Pow(0.01, -0.25) - 1) / 0.25
	near(t, "Pareto", tails[2].ValueAtRisk, want, 0.01*want)
	near(t, "Pareto shortfall", tails[2].ExpectedShortfall, (want+1)/0.75, 0.02*want)

	short, err := analyze.Tails(analyze.Column{Name: "one", Values: []float64{0.1}}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	for _, tail := range short {
		near(t, tail.Method+" of one return", tail.ValueAtRisk, math.NaN(), 0)
		near(t, tail.Method+" of one return", tail.ExpectedShortfall, math.NaN(), 0)
	}
}

func TestAttributionAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		keys := []string{"A", "B", "C"}
		var periods [][]analyze.Segment
		for range rapid.IntRange(1, 40).Draw(t, "periods") {
			segments := make([]analyze.Segment, 3)
			last := analyze.Segment{Weight: 1, BenchmarkWeight: 1}
			for i := range segments {
				s := analyze.Segment{
					Weight: rapid.Float64Range(-0.5, 1).Draw(t, "w"), BenchmarkWeight: rapid.Float64Range(0, 0.5).Draw(t, "b"),
					Return: rapid.Float64Range(-0.1, 0.1).Draw(t, "r"), BenchmarkReturn: rapid.Float64Range(-0.1, 0.1).Draw(t, "rb"),
				}
				if i == 2 {
					s.Weight, s.BenchmarkWeight = last.Weight, last.BenchmarkWeight
				}
				last.Weight -= s.Weight
				last.BenchmarkWeight -= s.BenchmarkWeight
				segments[i] = s
			}
			periods = append(periods, segments)
		}
		a, err := analyze.Attribute(keys, periods)
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for _, e := range a.Effects {
			total += e.Total()
		}
		near(t, "sum of the effects", total, a.Return-a.Benchmark, 1e-12)
	})
}

func TestAttributionOfTwoPeriodsByHand(t *testing.T) {
	t.Parallel()
	// Period 1: 60/40 against 50/50, returns 10 % and 0 %: 1 % more. The benchmark earns
	// 5 %, so each holding's allocation is 0.1·5 % and −0.1·(−5 %).
	one := []analyze.Segment{{0.6, 0.5, 0.1, 0.1}, {0.4, 0.5, 0, 0}}
	a, err := analyze.Attribute([]string{"A", "B"}, [][]analyze.Segment{one})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "A", a.Effects[0].Allocation, 0.005, 1e-16)
	near(t, "B", a.Effects[1].Allocation, 0.005, 1e-16)
	near(t, "return", a.Return, 0.06, 1e-15)
	if _, err := analyze.Attribute([]string{"A"}, [][]analyze.Segment{{{0.5, 1, 0, 0}}}); err == nil || !strings.Contains(err.Error(), "add up to 0.5") {
		t.Errorf("half a portfolio: %v", err)
	}
	if _, err := analyze.Attribute([]string{"A"}, [][]analyze.Segment{{{1, 1, -1, 0}}}); err == nil || !strings.Contains(err.Error(), "loses everything") {
		t.Errorf("a ruined portfolio: %v", err)
	}
}

func BenchmarkRegressFiveFactors(b *testing.B) {
	y := noise("y", 4612, 99)
	var x []analyze.Column
	for j := range 5 {
		x = append(x, noise(string(rune('a'+j)), 4612, uint64(j+1)))
	}
	for b.Loop() {
		if _, err := analyze.Regress(y, x, 9); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRollingFiveFactors(b *testing.B) {
	y := noise("y", 4612, 99)
	var x []analyze.Column
	for j := range 5 {
		x = append(x, noise(string(rune('a'+j)), 4612, uint64(j+1)))
	}
	for b.Loop() {
		if _, err := analyze.RollingRegression(y, x, 252); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCorrelate500(b *testing.B) {
	var x []analyze.Column
	for j := range 500 {
		x = append(x, noise(string(rune('a'+j)), 5000, uint64(j+1)))
	}
	for b.Loop() {
		if _, err := analyze.Correlate(x, analyze.Pearson); err != nil {
			b.Fatal(err)
		}
	}
}
