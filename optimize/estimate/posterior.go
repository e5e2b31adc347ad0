package estimate

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// View says that a portfolio will earn a return per bar above the riskless one.
type View struct {
	Weights []float64
	Return  float64
}

var errViews = errors.New("the views contradict or repeat one another, or name members without risk")

// Posterior returns the expected returns π and the covariance Σ of Black and Litterman
// after views, as He and Litterman (1999) give them: with P and Q the weights and returns
// of the views, Ω = diag(τPΣP') and K = τΣP'(PτΣP' + Ω)⁻¹, the expected returns are
// π + K(Q − Pπ) and the covariance is Σ + τΣ − KPτΣ. Without views they are π and
// (1 + τ)Σ.
func Posterior(c *mat.SymDense, prior []float64, views []View, tau float64) ([]float64, *mat.SymDense, error) {
	n := len(prior)
	after := mat.NewSymDense(n, nil)
	after.ScaleSym(1+tau, c)
	expected := append([]float64(nil), prior...)
	if len(views) == 0 {
		return expected, after, nil
	}
	p := mat.NewDense(len(views), n, nil)
	surprise := mat.NewVecDense(len(views), nil)
	for k, v := range views {
		p.SetRow(k, v.Weights)
		surprise.SetVec(k, v.Return-mat.Dot(p.RowView(k), mat.NewVecDense(n, prior)))
	}
	var across, inner mat.Dense // τPΣ and PτΣP' + Ω
	across.Mul(p, c)
	across.Scale(tau, &across)
	inner.Mul(&across, p.T())
	sum := mat.NewSymDense(len(views), nil)
	for i := range views {
		for j := range i {
			sum.SetSym(j, i, inner.At(j, i))
		}
		sum.SetSym(i, i, 2*inner.At(i, i))
	}
	var factor mat.Cholesky
	if !factor.Factorize(sum) {
		return nil, nil, errViews
	}
	var gain mat.Dense // K'
	if err := factor.SolveTo(&gain, &across); err != nil {
		return nil, nil, errViews
	}
	var shift mat.VecDense
	shift.MulVec(gain.T(), surprise)
	for i := range expected {
		expected[i] += shift.AtVec(i)
	}
	var known mat.Dense
	known.Mul(across.T(), &gain)
	for i := range n {
		for j := range i + 1 {
			after.SetSym(j, i, after.At(j, i)-(known.At(i, j)+known.At(j, i))/2)
		}
	}
	return expected, after, nil
}
