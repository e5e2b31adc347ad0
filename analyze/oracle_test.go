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
// errors of 9 lags, no correction; het_breuschpagan), the style by an active set.
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
