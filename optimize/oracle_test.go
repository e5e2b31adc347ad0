package optimize_test

import (
	"compress/gzip"
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ballast/internal/testenv"
	"ballast/optimize"
)

// stocks returns the covariance of stockReturns.
func stocks(t *testing.T) *mat.SymDense { return ofColumns(stockReturns(t)) }

// stockReturns returns the last 2,520 daily returns of twenty stocks, until 2022-12-28, in
// the order of their symbols.
func stockReturns(t *testing.T) [][]float64 {
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
	const bars = 2520
	prices := make(map[string][]float64)
	var symbols []string
	for _, r := range records[1:] {
		if len(prices[r[0]]) == 0 {
			symbols = append(symbols, r[0])
		}
		p, err := strconv.ParseFloat(r[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		prices[r[0]] = append(prices[r[0]], p)
	}
	out := make([][]float64, len(symbols))
	for i, s := range symbols {
		p := prices[s][len(prices[s])-bars-1:]
		for k := range bars {
			out[i] = append(out[i], p[k+1]/p[k]-1)
		}
	}
	return out
}

// The weights of least variance of the twenty stocks are those of an exact active set,
// which PyPortfolioOpt 1.6.0 gives to 2e-15. Risk parity is that of Newton's method;
// Riskfolio-Lib 7.4.0 and skfolio 1.12.2 agree to 2e-6 and 3e-6, which are their own
// tolerances.
func TestWeightsOfRealStocks(t *testing.T) {
	t.Parallel()
	c := stocks(t)
	n := c.SymmetricDim()
	lower, upper := even(n, 0, 1)
	p := optimize.Problem{Covariance: c, Lower: lower, Upper: upper, Rows: []optimize.Row{optimize.Total(n, 1)}}
	least, err := optimize.Quadratic(p)
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Certify(least).Residual(); r > 1e-13 {
		t.Errorf("the residual is %g", r)
	}
	budget := make([]float64, n)
	for i := range budget {
		budget[i] = 1 / float64(n)
	}
	equal, err := optimize.RiskParity(c, budget, lower, upper, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name      string
		got, want []float64
	}{
		{"least variance", least.Weights, []float64{0.011990212607992583, 0, 0, 0, 0, 0, 0.012982937783918281, 0.19868632188873703, 0, 0.207151762609069, 0, 0.10479477556741083, 0, 6.161722544206816e-05, 0.07084438405537034, 0.13199639300477034, 0.003179437298843836, 0, 0.20007529384735648, 0.05823686411108931}},
		{"risk parity", equal, []float64{0.044061359645956324, 0.02966795691494519, 0.036661540062456276, 0.03851299398337475, 0.04067425099892714, 0.04044380255802341, 0.04821580546859122, 0.066319471979638, 0.04022311325293213, 0.0659505573512409, 0.054915744863402255, 0.06292072274987011, 0.04353931711616324, 0.06213687952874491, 0.05950712301801867, 0.06720666939422901, 0.03221822616674581, 0.047722541737355545, 0.07324143108497026, 0.04586049212441481}},
	} {
		for i, w := range tc.want {
			if d := math.Abs(tc.got[i] - w); d > 1e-10 {
				t.Errorf("%s: weight %d is %v, %g off", tc.name, i, tc.got[i], d)
			}
		}
	}
	w := mat.NewVecDense(n, least.Weights)
	if v := mat.Inner(w, c, w); math.Abs(v-7.963985450426781e-05) > 1e-16 {
		t.Errorf("the variance is %v", v)
	}
}
