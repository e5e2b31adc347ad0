package analyze_test

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"ballast/analyze"
	"ballast/internal/testenv"
)

// realReturns are the daily returns of all symbols of a file over the sessions that they
// have in common.
func realReturns(t *testing.T, file string) map[string]analyze.Column {
	t.Helper()
	f, err := os.Open(testenv.Data(t, file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(unpacked)
	head, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	closing := slices.Index(head, "adj_close")
	closes := map[string]map[string]float64{}
	sessions := map[string]int{}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		v, err := strconv.ParseFloat(row[closing], 64)
		if err != nil {
			t.Fatal(err)
		}
		if closes[row[0]] == nil {
			closes[row[0]] = map[string]float64{}
		}
		closes[row[0]][row[1]] = v
		sessions[row[1]]++
	}
	var common []string
	for day, n := range sessions {
		if n == len(closes) {
			common = append(common, day)
		}
	}
	slices.Sort(common)
	out := map[string]analyze.Column{}
	for symbol, by := range closes {
		c := analyze.Column{Name: symbol}
		for i, day := range common[1:] {
			c.Values = append(c.Values, by[day]/by[common[i]]-1)
		}
		out[symbol] = c
	}
	return out
}

// Reference figures on real bars: the regression by statsmodels 0.15.0 (OLS with HAC
// errors of 9 lags, no correction; het_breuschpagan; RollingOLS), the style by an active
// set.
func TestRealFunds(t *testing.T) {
	t.Parallel()
	all := realReturns(t, "bars/etf21_yahoo_2025.csv.gz")
	var factors []analyze.Column
	for _, symbol := range []string{"SPY", "EFA", "IEF", "GLD", "DBC"} {
		factors = append(factors, all[symbol])
	}
	r, err := analyze.Regress(all["VNQ"], factors, analyze.AutomaticLags)
	if err != nil {
		t.Fatal(err)
	}
	if r.N != 4612 || r.Lags != 9 {
		t.Errorf("%d rows and %d lags", r.N, r.Lags)
	}
	for i, want := range [][2]float64{
		{-0.00018794263581380013, 0.00014619310190110257},
		{1.0151654475387764, 0.07631885176421845},
		{0.19631464997895398, 0.05171203096107767},
		{0.3314400910208709, 0.06823908342064726},
		{0.0015849499904481406, 0.03373859166992858},
		{-0.07579764036820175, 0.024840143218914576},
	} {
		near(t, r.Coefficients[i].Name, r.Coefficients[i].Loading, want[0], 1e-12)
		near(t, r.Coefficients[i].Name+" error", r.Coefficients[i].StdError, want[1], 1e-12)
	}
	near(t, "R²", r.RSquared, 0.5808426584186304, 1e-12)
	near(t, "adjusted R²", r.AdjustedRSquared, 0.5803876461068833, 1e-12)
	near(t, "Durbin–Watson", r.DurbinWatson, 2.3680539205166626, 1e-10)
	near(t, "Breusch–Pagan", r.BreuschPagan, 27.80550781813003, 1e-9)
	near(t, "its probability", r.BreuschPaganP, 3.972758846563427e-05, 1e-13)

	for i, want := range []float64{4.9491457341281375, 5.128924919641397, 1.2307294863135663, 1.3104317043513996, 1.4848945918277523} {
		near(t, "variance inflation of "+factors[i].Name, r.Coefficients[i+1].VarianceInflation, want, 1e-10)
	}
	impact, err := r.Shock(map[string]float64{"SPY": -0.2, "IEF": 0.05})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "impact", impact.Return, -0.18646108495671174, 1e-12)
	near(t, "its error", impact.StdError, 0.015555446448509145, 1e-12)

	rolling, err := analyze.RollingRegression(all["VNQ"], factors, 252)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		window int
		want   []float64
	}{
		{len(rolling.Last) - 1, []float64{-0.000600038459239118, 0.36972021175059416, 0.3396352970250538, 0.9047866086294128, -0.009982109305723658, 0.030098579647436924}},
		{1000 - 251, []float64{-8.100951258595886e-05, 1.4603939358453604, -0.1423912982983303, 0.3164402914983192, 0.007416481009083875, -0.005115501032665115}},
	} {
		near(t, "rolling alpha", rolling.Alpha[c.window], c.want[0], 1e-12)
		for j, f := range factors {
			near(t, "rolling "+f.Name, rolling.Loadings[j][c.window], c.want[j+1], 1e-10)
		}
	}
	near(t, "rolling R²", rolling.RSquared[len(rolling.Last)-1], 0.563911540913239, 1e-11)

	mix, err := analyze.Style(all["VNQ"], factors)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.8489932104426045, 0.15100678955739552, 0, 0, 0} {
		near(t, "style of "+factors[i].Name, mix.Weights[i], want, 1e-12)
	}
	near(t, "R² of the style", mix.RSquared, 0.563941276279212, 1e-12)
}

// Reference figures on real bars: the eigenvalues of the correlation by numpy.
func TestRealStocks(t *testing.T) {
	t.Parallel()
	all := realReturns(t, "bars/stocks20_skfolio.csv.gz")
	var columns []analyze.Column
	for _, symbol := range slices.Sorted(maps.Keys(all)) {
		c := all[symbol]
		c.Values = c.Values[len(c.Values)-2520:]
		columns = append(columns, c)
	}
	components, err := analyze.Components(columns)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{8.186798144024673, 1.9403305739061163, 1.3253024872616816, 1.0163286517984855, 0.8595001838150893} {
		near(t, "eigenvalue", components[i].Eigenvalue, want, 1e-12)
	}
}

// Generalised Pareto tails of real funds: the likelihood of scipy 1.17.1's genpareto,
// maximised by the roots of its derivatives, which is greater than at scipy's own fit by
// 5e-7. IEF's tail ends, the others are heavier than exponential.
func TestRealTails(t *testing.T) {
	t.Parallel()
	all := realReturns(t, "bars/etf21_yahoo_2025.csv.gz")
	for symbol, want := range map[string][2]float64{
		"SPY": {0.03703167140961042, 0.05353809062802382},
		"VNQ": {0.05510575565754357, 0.0915891994252901},
		"IEF": {0.011299584022583492, 0.013873925985604966},
		"GLD": {0.030562575418611043, 0.04071044763693282},
	} {
		tails, err := analyze.Tails(all[symbol], 0.99)
		if err != nil {
			t.Fatal(err)
		}
		near(t, symbol, tails[2].ValueAtRisk, want[0], 1e-11)
		near(t, symbol+" shortfall", tails[2].ExpectedShortfall, want[1], 1e-11)
	}
}

func TestRealSpearman(t *testing.T) {
	t.Parallel()
	all := realReturns(t, "bars/etf21_yahoo_2025.csv.gz")
	c, err := analyze.Correlate([]analyze.Column{all["SPY"], all["IEF"]}, analyze.Spearman)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Spearman's by scipy 1.17.1", c.Values[0][1], -0.2847675824965503, 1e-13)
}
