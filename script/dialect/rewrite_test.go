package dialect

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The expected values are CPython 3.11's.
func TestFloorOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ x, y, want float64 }{
		{1, 0.1, 9}, {0.3, 0.1, 2}, {-1, 0.1, -10}, {1, -0.1, -10}, {-1, -0.1, 9}, {7, 2, 3}, {-7, 2, -4}, {7, -2, -4},
		{6, 2, 3}, {0, 3, 0}, {5.5, 1, 5}, {1e308, 1e-5, math.Inf(1)}, {3, math.Inf(1), 0},
	} {
		if got := floorOf(c.x, c.y); got != c.want {
			t.Errorf("%v // %v is %v, want %v", c.x, c.y, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Float64Range(-1e9, 1e9).Draw(t, "x"), rapid.Float64Range(0.001, 1e6).Draw(t, "y")
		q := floorOf(x, y)
		if rest := x - q*y; q != math.Floor(q) || rest < -1e-6*math.Abs(x)-1e-9 || rest > y+1e-6*math.Abs(x) {
			t.Fatalf("%v // %v is %v", x, y, q)
		}
	})
}
