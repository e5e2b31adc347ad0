package drift

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// bitsOf compares floats by their bits.
var bitsOf = cmp.Transformer("bits", math.Float64bits)

// TestRunIsPlain compares the kernel with the plain version, bit for bit.
func TestRunIsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := make([][]float64, rapid.IntRange(1, 40).Draw(t, "columns"))
		sessions := rapid.SampledFrom([]int{1, 2, 3, 5, 22, 70, 700}).Draw(t, "sessions")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		wild := rapid.Float64Range(0.001, 3).Draw(t, "wild")
		for i := range columns {
			offset := rapid.IntRange(0, 8).Draw(t, "offset") // columns of any alignment
			columns[i] = make([]float64, offset+sessions)[offset:]
			for k := range columns[i] {
				columns[i][k] = wild * rng.NormFloat64()
			}
		}
		strange := rapid.SampledFrom([]float64{0, -1, math.Inf(1), math.NaN(), 5e-324, -2, math.MaxFloat64})
		for range rapid.IntRange(0, 3).Draw(t, "strange ones") {
			columns[rapid.IntRange(0, len(columns)-1).Draw(t, "column")][rapid.IntRange(0, sessions-1).Draw(t, "session")] = strange.Draw(t, "value")
		}
		var members []int
		for i := range columns {
			if rapid.IntRange(0, 3).Draw(t, "held") > 0 {
				members = append(members, i)
			}
		}
		from := rapid.IntRange(0, sessions-1).Draw(t, "from")
		sum := make([]float64, rapid.IntRange(0, sessions-from).Draw(t, "length"))
		hold := make([]float64, len(columns))
		for _, v := range [][]float64{sum, hold} {
			for i := range v {
				v[i] = 1e4 * rng.NormFloat64()
			}
		}
		wantSum, wantHold := slices.Clone(sum), slices.Clone(hold)
		p := NewPanel(columns)
		p.plain(wantSum, wantHold, members, from)
		p.Run(sum, hold, members, from)
		if diff := cmp.Diff([][]float64{wantSum, wantHold}, [][]float64{sum, hold}, bitsOf); diff != "" {
			t.Fatalf("plain and kernel differ (-plain +kernel):\n%s", diff)
		}
	})
}

func TestNewPanelRefusesColumnsOfDifferentLengths(t *testing.T) {
	panics(t, func() { NewPanel([][]float64{{1, 2}, {1}}) })
}

func TestRunRefusesWhatIsOutOfRange(t *testing.T) {
	p := NewPanel([][]float64{make([]float64, 5), make([]float64, 5)})
	for _, c := range []struct {
		name          string
		sum, holdings int
		members       []int
		from          int
	}{
		{"sessions after the last", 3, 2, []int{0}, 3},
		{"sessions before the first", 3, 2, []int{0}, -1},
		{"a member too many", 3, 2, []int{0, 2}, 0},
		{"a member before the first", 3, 2, []int{-1, 0}, 0},
		{"a holding too few", 3, 1, []int{0}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			panics(t, func() { p.Run(make([]float64, c.sum), make([]float64, c.holdings), c.members, c.from) })
		})
	}
}

func panics(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	f()
}
