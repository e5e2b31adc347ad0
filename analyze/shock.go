package analyze

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Impact is what a regression expects of its series when factors move. All figures are
// fractions.
type Impact struct {
	Return    float64 // without the constant
	StdError  float64 // from that of the loadings; what the factors do not explain comes on top
	Low, High float64 // the 95 % interval of Return
}

// Shock returns the impact of moves of factors, by name; the other factors stay where
// they are. It returns a *DataError for a name that is not a factor of the regression.
func (r *Regression) Shock(moves map[string]float64) (Impact, error) {
	vector := mat.NewVecDense(len(r.Coefficients), nil)
	var factors []string
	for i, c := range r.Coefficients[1:] {
		vector.SetVec(i+1, moves[c.Name])
		factors = append(factors, c.Name)
	}
	for name, move := range moves {
		switch {
		case !slices.Contains(factors, name):
			return Impact{}, failed(name, "the shock moves %s, which is not a factor of the regression; its factors are %s", name, strings.Join(factors, ", "))
		case !finite(move):
			return Impact{}, failed(name, "the shock moves %s by %v; it must be a finite fraction, such as -0.2", name, move)
		}
	}
	out := Impact{StdError: math.Sqrt(max(0, mat.Inner(vector, r.Covariance, vector)))}
	for i, c := range r.Coefficients[1:] {
		out.Return += c.Loading * vector.AtVec(i+1)
	}
	width := distuv.UnitNormal.Quantile(0.975) * out.StdError
	out.Low, out.High = out.Return-width, out.Return+width
	return out, nil
}
