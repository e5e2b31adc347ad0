package analysis

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A member that is a mix of factors moves as the mix does.
func TestShocks(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	a, b, mix := member(r, "AAA", 1990, 3), member(r, "BBB", 1990, 3), member(r, "MIX", 1990, 3)
	for i := range mix.Series.Returns {
		mix.Series.Returns[i] = .6*a.Series.Returns[i] - .2*b.Series.Returns[i] + .0001
	}
	found := analyzed(t, frameOf(t, a, b, mix), `stress(ctx, ["MIX", "AAA"], shocks={"BBB": 0.1, "AAA": -0.3})`)
	if len(found.Tables) != 2 || found.Tables[0].Name != "shocks" || found.Tables[1].Name != "shock_factors" {
		t.Fatalf("tables %v", found.Tables)
	}
	for i, want := range []float64{.6*-.3 - .2*.1, -.3} {
		row := map[string]float64{}
		for _, c := range found.Tables[0].Columns[1:] {
			row[c.Name] = c.Numbers[i]
		}
		if math.Abs(row["return"]-want) > 1e-12 || row["std_error"] > 1e-9 || math.Abs(row["high"]-row["low"]) > 1e-8 || math.Abs(row["r_squared"]-1) > 1e-12 || row["n"] != 783 {
			t.Errorf("%s: %v, want %v", found.Tables[0].Columns[0].Texts[i], row, want)
		}
	}
	parts := found.Tables[1].Columns
	if strings.Join(parts[1].Texts, " ") != "BBB AAA BBB AAA" || parts[2].Numbers[1] != -.3 || math.Abs(parts[5].Numbers[1]+.18) > 1e-12 {
		t.Errorf("the parts are %v", parts)
	}

	for shocks, says := range map[string]string{
		`{"BBB": -2}`:     `shocks moves "BBB" by -2`,
		`{"BBB": True}`:   `shocks moves "BBB" by True`,
		`{}`:              "shocks is a dictionary",
		`["BBB"]`:         "shocks is a list",
		`{"BBC": -0.1}`:   "BBC",
		`{"BBB": "down"}`: `shocks moves "BBB" by "down"`,
	} {
		if err := failure(t, frameOf(t, a, b), `stress(ctx, ["AAA"], shocks=`+shocks+`)`); !strings.Contains(err.Message, says) {
			t.Errorf("%s: %v", shocks, err.Message)
		}
	}
}
