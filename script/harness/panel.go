package harness

import (
	"fmt"

	"go.starlark.net/starlark"
)

// panel is columns of one length by symbol: a script writes it as a dictionary
// from symbols to vectors, which is what ctx.panel gives.
type panel struct {
	symbols []string
	columns [][]float64
}

// panel reads a dictionary from symbols to vectors of one length, two values or more.
func (c call) panel(what string, v starlark.Value) (panel, error) {
	d, ok := v.(*starlark.Dict)
	if !ok {
		return panel{}, c.errorf("%s is a %s; a dictionary from symbols to vectors is needed, such as ctx.panel(symbols, n)", what, v.Type())
	}
	var p panel
	for _, item := range d.Items() {
		s, ok := starlark.AsString(item[0])
		if !ok {
			return panel{}, c.errorf("%s has the key %s, which is not a symbol", what, item[0])
		}
		f, err := c.floats(s, item[1], 2)
		if err != nil {
			return panel{}, err
		}
		if len(p.columns) > 0 && len(f) != len(p.columns[0]) {
			return panel{}, c.errorf("%s has %d values and %s %d; take them with ctx.panel(symbols, n)", p.symbols[0], len(p.columns[0]), s, len(f))
		}
		p.symbols = append(p.symbols, s)
		p.columns = append(p.columns, f)
	}
	return p, nil
}

// square evaluates f for every pair of columns; the result is symmetric.
func (p panel) square(f func(x, y []float64) float64) [][]float64 {
	n := len(p.columns)
	flat := make([]float64, n*n)
	m := make([][]float64, n)
	for i := range m {
		m[i] = flat[i*n : (i+1)*n : (i+1)*n]
	}
	for i := range n {
		for j := range i + 1 {
			m[i][j] = f(p.columns[i], p.columns[j])
			m[j][i] = m[i][j]
		}
	}
	return m
}

// matrix gives a dictionary of dictionaries: m["SPY"]["AGG"].
func (p panel) matrix(f func(x, y []float64) float64) *starlark.Dict {
	m := p.square(f)
	d := starlark.NewDict(len(m))
	for i, row := range m {
		_ = d.SetKey(starlark.String(p.symbols[i]), keyed{p.symbols, row}.dict())
	}
	return d
}

// covariances returns the covariance matrix, refusing members that do not move.
func (p panel) covariances() ([][]float64, error) {
	for i, column := range p.columns {
		if constant(column) {
			return nil, fmt.Errorf("%s does not move, so its risk is unknown; leave it out", p.symbols[i])
		}
	}
	return p.square(covarianceOf), nil
}
