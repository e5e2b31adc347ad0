package harness

import (
	"errors"
	"strings"

	"ballast/optimize"
)

// unsolved turns an error of a solver into one that names the symbols.
func (c call) unsolved(b bounds, err error) error {
	var clash *optimize.Clash
	if !errors.As(err, &clash) {
		return c.errorf("%v", err)
	}
	parts := clash.Describe(b.symbols, optimize.Problem{Lower: b.lower, Upper: b.upper, Rows: b.rows()}, nil)
	return c.errorf("no weights satisfy all limits. These contradict one another: %s. Relax one of them", strings.Join(parts, "; "))
}
