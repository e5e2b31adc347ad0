package harness

import "go.starlark.net/starlark"

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
	delta, err := c.intensity(p, shrinkage)
	if err != nil {
		return nil, err
	}
	m := p.covariances()
	m.shrink(delta)
	return c.matrix(m)
}

// centred returns the columns minus their means, in contiguous memory. Constant
// columns are exactly 0, even if their mean is rounded.
func (p panel) centred() [][]float64 {
	if len(p.columns) == 0 {
		return nil
	}
	length := len(p.columns[0])
	flat := make([]float64, len(p.columns)*length)
	out := make([][]float64, len(p.columns))
	for i, column := range p.columns {
		out[i] = flat[i*length : (i+1)*length : (i+1)*length]
		if constant(column) {
			continue
		}
		level := mean(column)
		for t, x := range column {
			out[i][t] = x - level
		}
	}
	return out
}

// covariances returns the sample covariance matrix. Each element is summed from the
// first bar to the last, as in covarianceOf. Four elements are summed at a time,
// because each addition of one sum waits for the one before.
func (p panel) covariances() *Matrix {
	m := newMatrix(p.symbols)
	centred := p.centred()
	for i, x := range centred {
		row := m.row(i)
		bars := float64(len(x) - 1)
		j := 0
		for ; j+3 <= i; j += 4 {
			a, b, c, d := centred[j][:len(x)], centred[j+1][:len(x)], centred[j+2][:len(x)], centred[j+3][:len(x)]
			var sa, sb, sc, sd float64
			for t, v := range x {
				sa += float64(v * a[t])
				sb += float64(v * b[t])
				sc += float64(v * c[t])
				sd += float64(v * d[t])
			}
			row[j], row[j+1], row[j+2], row[j+3] = sa/bars, sb/bars, sc/bars, sd/bars
		}
		for ; j <= i; j++ {
			y := centred[j][:len(x)]
			var s float64
			for t, v := range x {
				s += float64(v * y[t])
			}
			row[j] = s / bars
		}
		for k := range i {
			m.row(k)[i] = row[k]
		}
	}
	return m
}
