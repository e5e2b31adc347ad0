package harness

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"ballast/script/internal/text"
)

// Matrix is an immutable symmetric matrix of finite numbers with one row and one
// column per symbol. A script sees a dictionary of dictionaries. The values are
// stored row by row, and a row becomes a dictionary when it is first read.
type Matrix struct {
	symbols   []string
	positions map[string]int
	values    []float64
	rows      []atomic.Pointer[starlark.Dict]
}

var (
	_ starlark.IterableMapping = (*Matrix)(nil)
	_ starlark.Sequence        = (*Matrix)(nil)
	_ starlark.HasBinary       = (*Matrix)(nil)
	_ starlark.HasUnary        = (*Matrix)(nil)
	_ starlark.HasAttrs        = (*Matrix)(nil)
	_ starlark.Comparable      = (*Matrix)(nil)
)

// newMatrix returns a matrix of zeros for the caller to fill.
func newMatrix(symbols []string) *Matrix {
	positions := make(map[string]int, len(symbols))
	for i, s := range symbols {
		positions[s] = i
	}
	n := len(symbols)
	return &Matrix{symbols, positions, make([]float64, n*n), make([]atomic.Pointer[starlark.Dict], n)}
}

// like returns a matrix of zeros with the symbols of m.
func (m *Matrix) like() *Matrix {
	return &Matrix{m.symbols, m.positions, make([]float64, len(m.values)), make([]atomic.Pointer[starlark.Dict], len(m.rows))}
}

// row returns row i in the matrix's own memory.
func (m *Matrix) row(i int) []float64 {
	n := len(m.symbols)
	return m.values[i*n : (i+1)*n : (i+1)*n]
}

// check returns an error if an element is not finite.
func (m *Matrix) check() error {
	for i, x := range m.values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			n := len(m.symbols)
			return fmt.Errorf("the element of %s and %s is not a finite number", m.symbols[i/n], m.symbols[i%n])
		}
	}
	return nil
}

// dict returns row i as a frozen dictionary.
func (m *Matrix) dict(i int) *starlark.Dict {
	if d := m.rows[i].Load(); d != nil {
		return d
	}
	d := keyed{m.symbols, m.row(i)}.dict()
	d.Freeze()
	m.rows[i].Store(d)
	return d
}

const shownSymbols = 10

// String shows a small matrix as a dictionary of dictionaries, and a large one by
// its size.
func (m *Matrix) String() string {
	if n := len(m.symbols); n > shownSymbols {
		return fmt.Sprintf("matrix of %d symbols", n)
	}
	var b strings.Builder
	for i, s := range m.symbols {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s: %s", text.Repr(starlark.String(s)), text.Repr(m.dict(i)))
	}
	return "{" + b.String() + "}"
}

// Type returns "matrix".
func (m *Matrix) Type() string { return "matrix" }

// Freeze does nothing: matrices do not change.
func (m *Matrix) Freeze() {}

// Truth reports whether there is any symbol.
func (m *Matrix) Truth() starlark.Bool { return len(m.symbols) > 0 }

// Hash fails, as for a dictionary.
func (m *Matrix) Hash() (uint32, error) { return 0, errors.New("unhashable type: matrix") }

// Len returns the number of symbols.
func (m *Matrix) Len() int { return len(m.symbols) }

// Get returns the row of a symbol as a dictionary.
func (m *Matrix) Get(key starlark.Value) (starlark.Value, bool, error) {
	s, _ := starlark.AsString(key)
	i, ok := m.positions[s]
	if !ok {
		return nil, false, fmt.Errorf("the matrix has no %s", key)
	}
	return m.dict(i), true, nil
}

// Items returns symbols with their rows, in order.
func (m *Matrix) Items() []starlark.Tuple {
	items := make([]starlark.Tuple, len(m.symbols))
	for i, s := range m.symbols {
		items[i] = starlark.Tuple{starlark.String(s), m.dict(i)}
	}
	return items
}

// Iterate returns an iterator over the symbols, in order.
func (m *Matrix) Iterate() starlark.Iterator { return m.keys().Iterate() }

func (m *Matrix) keys() *starlark.List {
	list := make([]starlark.Value, len(m.symbols))
	for i, s := range m.symbols {
		list[i] = starlark.String(s)
	}
	return starlark.NewList(list)
}

// CompareSameType always fails, as for vectors.
func (m *Matrix) CompareSameType(syntax.Token, starlark.Value, int) (bool, error) {
	return false, errors.New("matrices cannot be compared with each other; compare their elements")
}
