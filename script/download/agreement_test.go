package download_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
)

// agreement counts comparisons and records the largest difference.
type agreement struct {
	tolerance           float64
	values, exact       int
	refusals, sameWords int
	largest             float64
	worst               string
}

func (a *agreement) merge(b *agreement) {
	a.values += b.values
	a.exact += b.exact
	a.refusals += b.refusals
	a.sameWords += b.sameWords
	a.largest = max(a.largest, b.largest)
}

// The exceptions that the Python runtime raises on purpose. Any other is a bug.
var refusals = []any{"ValueError", "TypeError", "KeyError", "IndexError", "AttributeError"}

func (a *agreement) add(t *testing.T, expression string, want, got []any) {
	t.Helper()
	if want[0] == "error" || got[0] == "error" {
		if want[0] != got[0] || !slices.Contains(refusals, got[1]) {
			t.Errorf("%s: here %v, in Python %v", expression, want, got)
			return
		}
		a.refusals++
		if want[2] == got[2] {
			a.sameWords++
		}
		return
	}
	a.values++
	scale := 0.0
	if a.tolerance == iterativeTolerance { // a tiny weight is as uncertain as a large one
		scale = largest(want)
	}
	apart, err := difference(want, got, scale)
	switch {
	case err != nil:
		t.Errorf("%s: %v", expression, err)
	case !(apart <= a.tolerance):
		t.Errorf("%s: differs by %.3g; here %v, in Python %v", expression, apart, want, got)
	case apart == 0:
		a.exact++
	case apart > a.largest:
		a.largest, a.worst = apart, expression
	}
}

// The relative differences that are accepted: of what is computed, and of the weights
// where an iteration ends, compared with the largest of them.
const (
	exactTolerance     = 1e-12
	iterativeTolerance = 1e-9
)

// largest is the largest magnitude of a value's numbers.
func largest(v any) float64 {
	x, list := v.([]any)
	if !list {
		return 0
	}
	if len(x) == 2 && x[0] == "float" {
		u, _ := strconv.ParseFloat(x[1].(string), 64)
		return math.Abs(u)
	}
	most := 0.0
	for _, e := range x {
		most = max(most, largest(e))
	}
	return most
}

// difference is the largest difference between two values of one form, relative to
// each number, or to scale where that is larger.
func difference(want, got any, scale float64) (float64, error) {
	x, list := want.([]any)
	y, too := got.([]any)
	if !list || !too {
		if want != got {
			return 0, fmt.Errorf("%v in Python, want %v", got, want)
		}
		return 0, nil
	}
	if len(x) != len(y) {
		return 0, fmt.Errorf("%v in Python, want %v", got, want)
	}
	if len(x) == 2 && x[0] == "float" && y[0] == "float" {
		u, err1 := strconv.ParseFloat(x[1].(string), 64)
		v, err2 := strconv.ParseFloat(y[1].(string), 64)
		if err1 != nil || err2 != nil || math.IsNaN(u) || math.IsNaN(v) {
			return 0, fmt.Errorf("%v in Python, want %v", got, want)
		}
		if u == v {
			return 0, nil
		}
		return math.Abs(u-v) / max(math.Abs(u), math.Abs(v), scale), nil
	}
	var most float64
	for i := range x {
		apart, err := difference(x[i], y[i], scale)
		if err != nil {
			return 0, err
		}
		most = max(most, apart)
	}
	return most, nil
}
