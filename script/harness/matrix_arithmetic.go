package harness

import (
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Unary returns −m or +m.
func (m *Matrix) Unary(op syntax.Token) (starlark.Value, error) {
	switch op {
	case syntax.PLUS:
		return m, nil
	case syntax.MINUS:
		out := m.like()
		for i, x := range m.values {
			out.values[i] = -x
		}
		return out, nil
	}
	return nil, nil
}

// Binary computes + − * / with a number, and + − with a matrix of the same symbols
// in the same order, element by element.
func (m *Matrix) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	f, ok := operations[op]
	if !ok {
		return nil, nil
	}
	out := m.like()
	if other, both := y.(*Matrix); both {
		if op != syntax.PLUS && op != syntax.MINUS {
			return nil, fmt.Errorf("matrix %s matrix: matrices support only + and −; m.times(weights) multiplies by weights", op)
		}
		if !slices.Equal(m.symbols, other.symbols) {
			return nil, errors.New("matrices must have the same symbols in the same order")
		}
		for i, x := range m.values {
			out.values[i] = f(x, other.values[i])
		}
		return out.finite(op)
	}
	n, ok := starlark.AsFloat(y)
	if !ok {
		return nil, nil
	}
	for i, x := range m.values {
		if side == starlark.Left {
			out.values[i] = f(x, n)
		} else {
			out.values[i] = f(n, x)
		}
	}
	return out.finite(op)
}

func (m *Matrix) finite(op syntax.Token) (starlark.Value, error) {
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("matrix %s: %w", op, err)
	}
	return m, nil
}
