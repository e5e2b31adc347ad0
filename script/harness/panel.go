package harness

import (
	"fmt"

	"go.starlark.net/starlark"
)

// panel is one column of values per symbol, all of the same length. In a script it
// is a dictionary from symbols to vectors, as ctx.panel returns.
type panel struct {
	symbols []string
	columns [][]float64
}

// panel reads a dictionary from symbols to vectors of the same length, of at least
// two values each.
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

// risk reads a panel of returns, or a covariance matrix per bar, and returns the
// covariance matrix. The panel is empty if a matrix was given.
func (c call) risk(v starlark.Value) (*Matrix, panel, error) {
	if m, ok := v.(*Matrix); ok {
		return m, panel{}, nil
	}
	p, err := c.panel("panel", v)
	if err != nil {
		return nil, panel{}, err
	}
	m := p.covariances()
	if err := m.check(); err != nil {
		return nil, panel{}, c.errorf("%v", err)
	}
	return m, p, nil
}

// moving is like risk, but returns an error for a member without variance.
func (c call) moving(v starlark.Value) (*Matrix, panel, error) {
	m, p, err := c.risk(v)
	if err != nil {
		return nil, panel{}, err
	}
	for i, s := range m.symbols {
		if !(m.row(i)[i] > 0) {
			return nil, panel{}, c.errorf("the variance of %s is not above 0, so its risk is unknown; leave it out", s)
		}
	}
	return m, p, nil
}

// matrix returns a matrix as a result, or an error if an element is not finite.
func (c call) matrix(m *Matrix) (starlark.Value, error) {
	if err := m.check(); err != nil {
		return nil, c.errorf("%v", err)
	}
	return m, nil
}

// by reads a dictionary that must have a number for each of symbols, and may have
// others. It returns the numbers in the order of symbols.
func (c call) by(what string, symbols []string, v starlark.Value) ([]float64, error) {
	k, err := c.numbers(what, v)
	if err != nil {
		return nil, err
	}
	at := make(map[string]float64, len(k.symbols))
	for i, s := range k.symbols {
		at[s] = k.values[i]
	}
	out := make([]float64, len(symbols))
	for i, s := range symbols {
		x, ok := at[s]
		if !ok {
			return nil, fmt.Errorf("%s: %s has no %s", c.name, what, s)
		}
		out[i] = x
	}
	return out, nil
}
