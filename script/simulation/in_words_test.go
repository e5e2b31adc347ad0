package simulation

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/examples"
	"ballast/internal/number"
	"ballast/script"
)

// wordsOf describes a script at its own defaults, changed by inputs.
func wordsOf(t *testing.T, source string, inputs map[string]any, scalars map[string]float64) (plan, uncertain []string) {
	t.Helper()
	p, problems := script.Kinds{Kind}.Check(source, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	bound, err := p.Bind(inputs)
	if len(err) > 0 {
		t.Fatal(err)
	}
	var list []script.Scalar
	for name, v := range scalars {
		list = append(list, script.Scalar{Name: name, Value: number.Float(v)})
	}
	plan, uncertain = InWords(p, bound.JSON(), list)
	for _, sentences := range [][]string{plan, uncertain} {
		for i := range sentences {
			sentences[i] = strings.ReplaceAll(sentences[i], "\u202f", " ")
		}
	}
	return plan, uncertain
}

func TestInWords(t *testing.T) {
	t.Parallel()
	const script = `"""A plan."""
from harness import withdraw_fixed as pay, flows

NAME = "A plan"
INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"]},
    "weights": {"type": "array", "default": [0.6, 0.3]},
    "rate": {"type": "number", "default": 0.04},
    "monthly": {"type": "number", "default": 500},
}


def simulate(ctx):
    """Pay."""
    return pay(ctx, ctx.inputs.rate) + flows(ctx, [
        {"first": 3, "last": 3, "amount": 20000, "real": False}, {"first": 10, "last": 30, "amount": -12 * ctx.inputs.monthly}])
`
	plan, uncertain := wordsOf(t, script, map[string]any{"fee": 0.003, "rebalance": "yearly", "block": 0.0}, map[string]float64{
		"success": .8848, "success_low": .8784, "success_high": .8909, "months": 264, "independent_windows": 264. / 360, "block_stationary": 3.44, "block_circular": math.NaN(),
	})
	if diff := cmp.Diff([]string{
		"The plan starts with 1,000,000 and runs for 30 years, in 10,000 simulated futures.",
		"4 % of the start value, 40,000, is withdrawn a year, rising with prices.",
		"In year 3 of the plan, 20,000 leaves.",
		"In the years 10 to 30 of the plan, 6,000 comes in a year, rising with prices.",
		"Each year begins with a decision; its money is paid in equal parts at the beginning of each month, before the month's return and the fee.",
		"It holds SPY (60 %) and AGG (30 %). They are brought back to these weights every year. The rest, 10 %, is cash without interest.",
		"Each future is put together from blocks of past months, 3.4 months long on average (the best length for the data: Patton, Politis and White 2009). A month is drawn with the returns of all members.",
		"Prices rise by 2.5 % a year.",
		"A fee of 0.3 % of the value a year is taken month by month.",
	}, plan); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"88.5 % of 10,000 futures pay everything. More draws could give anything from 87.8 % to 89.1 % (95 % interval, Wilson 1927). This is only the Monte Carlo error: four times as many paths halve it.",
		"The members have 22 years of data in common. That is 0.7 of a 30-year window: no number of paths makes up for what has not been seen.",
		"The futures are the months of this history in other orders. Worse months than these, and other trends, are in none of them.",
		"Inflation is the same in every year of every future.",
		"The returns are hypothetical: total returns of the members, of models those of a backtest, before costs and taxes other than what the plan takes.",
	}, uncertain); diff != "" {
		t.Error(diff)
	}
}

// Inflation from a series is said with its name, and with what it was on average.
func TestInflationInWords(t *testing.T) {
	t.Parallel()
	const script = "from harness import withdraw_fixed\n\nNAME = \"A\"\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": [\"SPY\"]}, \"inflation\": {\"type\": \"number\", \"default\": \"CPI.ALL\"}}\n\n\ndef simulate(ctx):\n    return withdraw_fixed(ctx, 0.04)\n"
	for source, want := range map[string][]string{
		"stationary": {"Prices rise as CPI.ALL says, month by month: by 2.96 % a year on average over the data.", "Inflation is that of the same months as the returns"},
		"normal":     {"Inflation is drawn together with the returns, from the months of CPI.ALL: by 2.96 % a year", "Inflation is that of the same months as the returns"},
		"history":    {"Prices rise as they have risen, by CPI.ALL: by 2.96 % a year", "Inflation is what it was in these months."},
	} {
		plan, uncertain := wordsOf(t, script, map[string]any{"source": source}, map[string]float64{"inflation": 0.029563, "months": 264, "independent_windows": 264. / 360})
		all := strings.Join(slices.Concat(plan, uncertain), "\n")
		for _, sentence := range append(want, "The members and CPI.ALL have 22 years of data in common.") {
			if !strings.Contains(all, sentence) {
				t.Errorf("%s: %s\nlacks %s", source, all, sentence)
			}
		}
	}
}

// Each rule is said with its arguments and its defaults, and nothing is invented where
// only the running script knows.
func TestRulesInWords(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		"withdraw_fixed(ctx, amount=40000)":                                      "40,000 is withdrawn a year, rising with prices.",
		"withdraw_percentage(ctx, 0.05)":                                         "5 % of the value is withdrawn a year.",
		"withdraw_floor_ceiling(ctx, 0.05, floor=0.85, ceiling=1.2)":             "5 % of the value is withdrawn a year, but in prices of the start at least 85 % and at most 120 % of the first withdrawal.",
		"guyton_klinger(ctx, rate=0.05)":                                         "It is cut by 10 % where it takes more than 1.2 times the first rate, except in the last 15 years, and raised by as much where it takes less than 0.8 times that rate (Guyton and Klinger 2006).",
		"vpw(ctx)":                                                               "The withdrawal is the payment of an annuity over the years left, at a real rate of 3 % a year.",
		"life_expectancy(ctx, age=72)":                                           "from age 72 at the start.",
		"ratchet(ctx, 0.04)":                                                     "It is raised by 10 % for good in years that begin with a real value above 1.5 times the start value.",
		"contribute(ctx, 12000)":                                                 "12,000 is paid in a year, rising with prices.",
		"contribute(ctx, 12000, growth=0)":                                       "12,000 is paid in a year.",
		"contribute(ctx, 12000, growth=0.03)":                                    "12,000 is paid in in the first year, and 3 % more each year.",
		"withdraw_fixed(ctx, rate=ctx.years_left / 1000)":                        "The rule withdraw_fixed decides, with arguments that the script computes.",
		"max(withdraw_fixed(ctx, rate=0.04), 0)":                                 "The script computes what is paid, with the rules ",
		"{\"withdraw\": withdraw_fixed(ctx, 0.04), \"weights\": {\"SPY\": 0.5}}": "The script may change the weights as the plan goes on.",
	} {
		source := "from harness import " + strings.Join(Rules(), ", ") + "\n\nNAME = \"A\"\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": [\"SPY\"]}}\n\n\ndef simulate(ctx):\n    return " + call + "\n"
		plan, _ := wordsOf(t, source, nil, nil)
		if !strings.Contains(strings.Join(plan, "\n"), want) {
			t.Errorf("%s: %q", call, plan)
		}
	}
}

// Every example has its plan in words, from each source of returns.
func TestExamplesInWords(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"stationary", "circular", "independent", "normal", "student_t", "history"} {
		for _, name := range examples.Simulations() {
			text, err := examples.Source(name)
			if err != nil {
				t.Fatal(err)
			}
			plan, uncertain := wordsOf(t, text, map[string]any{"source": source}, nil)
			if len(plan) < 6 || len(uncertain) < 3 || slices.Contains(plan, "") {
				t.Errorf("%s: %q %q", name, plan, uncertain)
			}
			for _, s := range slices.Concat(plan, uncertain) {
				if strings.Contains(s, "NaN") || strings.Contains(s, "<nil>") || strings.Contains(s, "%!") {
					t.Errorf("%s: %s", name, s)
				}
			}
		}
	}
}
