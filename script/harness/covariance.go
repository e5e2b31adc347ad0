package harness

import (
	"go.starlark.net/starlark"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// covariance(x, y) is the sample covariance per bar, Σ(x−x̄)(y−ȳ)/(n−1).
// covariance(panel, shrinkage=0.0) is the matrix of all pairs, (1 − δ)·S + δ·μ·I,
// where S is the sample covariance, μ the mean of its diagonal and δ the
// shrinkage: a number from 0 to 1, or "ledoit_wolf" for the estimate of Ledoit and
// Wolf (2004). It needs at least two values of each.
func covariance(c call) (starlark.Value, error) {
	var a, b, shrinkage starlark.Value
	if err := c.unpack(&a, &b, &shrinkage); err != nil {
		return nil, err
	}
	if _, members := a.(*starlark.Dict); members || b == starlark.None {
		if b != starlark.None {
			if !isZero(shrinkage) {
				return nil, c.errorf("got a panel and y: write covariance(panel, shrinkage=0.1) or covariance(x, y)")
			}
			shrinkage = b // the second of covariance(panel, 0.1)
		}
		return c.shrunk(a, shrinkage)
	}
	if !isZero(shrinkage) {
		return nil, c.errorf("shrinkage applies only to the matrix of a panel, not to two vectors")
	}
	x, y, err := c.pair("x", "y", a, b)
	if err != nil {
		return nil, err
	}
	return c.number(covarianceOf(x, y))
}

func isZero(v starlark.Value) bool {
	f, ok := starlark.AsFloat(v)
	return ok && f == 0
}

// shrunk returns the covariance matrix of a panel, with shrinkage applied.
func (c call) shrunk(v, shrinkage starlark.Value) (starlark.Value, error) {
	p, err := c.panel("x", v)
	if err != nil {
		return nil, err
	}
	x := p.centred()
	delta, err := c.intensity(p, x, shrinkage)
	if err != nil {
		return nil, err
	}
	m := p.products(x, -1)
	m.shrink(delta)
	return c.matrix(m)
}

// centred returns the columns minus their means, a row each. Constant columns are
// exactly 0, even if their mean is rounded.
func (p panel) centred() blas64.General {
	if len(p.columns) == 0 {
		return blas64.General{}
	}
	length := len(p.columns[0])
	out := blas64.General{Rows: len(p.columns), Cols: length, Stride: length, Data: make([]float64, len(p.columns)*length)}
	for i, column := range p.columns {
		if constant(column) {
			continue
		}
		floats.AddConst(-mean(column), floats.AddTo(rowOf(out, i), rowOf(out, i), column))
	}
	return out
}

func rowOf(m blas64.General, i int) []float64 { return m.Data[i*m.Stride : i*m.Stride+m.Cols] }

// covariances returns the sample covariance matrix.
func (p panel) covariances() *Matrix { return p.products(p.centred(), -1) }

// products returns XX'/(T + less) of centred columns X.
func (p panel) products(x blas64.General, less int) *Matrix {
	m := newMatrix(p.symbols)
	n := len(p.symbols)
	if n == 0 {
		return m
	}
	// Each element is a dot product of two rows, so it is the same in every panel.
	blas64.Syrk(blas.NoTrans, 1, x, 0, blas64.Symmetric{N: n, Stride: n, Data: m.values, Uplo: blas.Lower})
	bars := float64(x.Cols + less)
	for i := range n {
		row := m.row(i)
		for j := range i + 1 {
			row[j] /= bars
			m.row(j)[i] = row[j]
		}
	}
	return m
}
