package harness

import (
	"maps"
	"slices"

	"go.starlark.net/starlark"
	"gonum.org/v1/gonum/floats"

	"ballast/script/internal/signature"
)

// matrixMethods are the methods of matrices with their signatures.
var matrixMethods = map[string]struct {
	signature *signature.Signature
	of        func(m *Matrix, c call) (starlark.Value, error)
}{
	"diagonal": {signature.New("diagonal", ""), (*Matrix).diagonal},
	"items":    {signature.New("items", ""), (*Matrix).items},
	"keys":     {signature.New("keys", ""), func(m *Matrix, c call) (starlark.Value, error) { return m.keys(), c.unpack() }},
	"times":    {signature.New("times", "weights"), (*Matrix).times},
	"values":   {signature.New("values", ""), (*Matrix).columns},
}

const symbolsAttribute = "symbols"

var matrixNames = slices.Sorted(maps.Keys(matrixMethods))

// AttrNames lists the attribute symbols and the methods.
func (m *Matrix) AttrNames() []string { return append([]string{symbolsAttribute}, matrixNames...) }

// Attr returns the symbols or a method.
func (m *Matrix) Attr(name string) (starlark.Value, error) {
	if name == symbolsAttribute {
		return m.keys(), nil
	}
	method, ok := matrixMethods[name]
	if !ok {
		return nil, nil
	}
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return method.of(m, call{name, method.signature, args, kwargs, nil})
	}), nil
}

// items() lists symbols with their rows.
func (m *Matrix) items(c call) (starlark.Value, error) {
	items := m.Items()
	list := make([]starlark.Value, len(items))
	for i, item := range items {
		list[i] = item
	}
	return starlark.NewList(list), c.unpack()
}

// values() lists the rows.
func (m *Matrix) columns(c call) (starlark.Value, error) {
	list := make([]starlark.Value, len(m.symbols))
	for i := range list {
		list[i] = m.dict(i)
	}
	return starlark.NewList(list), c.unpack()
}

// diagonal() is a dictionary from symbols to the elements on the diagonal, the
// variances of a covariance matrix.
func (m *Matrix) diagonal(c call) (starlark.Value, error) {
	k := keyed{m.symbols, make([]float64, len(m.symbols))}
	for i := range m.symbols {
		k.values[i] = m.row(i)[i]
	}
	return k.dict(), c.unpack()
}

// times(weights) is a dictionary from each symbol i to Σⱼ m[i][j]·wⱼ. weights is a
// dictionary by symbol. Missing symbols count as 0; symbols that the matrix does
// not have are an error.
func (m *Matrix) times(c call) (starlark.Value, error) {
	var weights starlark.Value
	if err := c.unpack(&weights); err != nil {
		return nil, err
	}
	_, w, err := c.exposures(m, weights, "the matrix has no")
	if err != nil {
		return nil, err
	}
	return c.dict(keyed{m.symbols, m.multiply(w)})
}

// multiply returns Mw.
func (m *Matrix) multiply(w []float64) []float64 {
	out := make([]float64, len(w))
	for i := range out {
		out[i] = floats.Dot(m.row(i), w)
	}
	return out
}

// quadratic returns w'Mw.
func (m *Matrix) quadratic(w []float64) float64 { return floats.Dot(w, m.multiply(w)) }
