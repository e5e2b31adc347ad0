package grammar

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/internal/testenv"
)

// A description composed of parts means exactly these parts, in any order.
func TestSimulationsOfParts(t *testing.T) {
	t.Parallel()
	chance := testenv.Random(t, 5, 6)
	library := newShelf()
	for range 400 {
		want := &Simulation{Members: []Holding{{"SPY", 0.6}, {"AGG", 0.4}}, Rebalance: "monthly", Step: "yearly"}
		one := func(of ...string) string { return of[chance.IntN(len(of))] }
		var parts []string
		add := func(of ...string) { parts = append(parts, one(of...)) }

		add("60/40 of SPY and AGG", "60% SPY and 40% AGG", "in 60/40 SPY/AGG")
		want.Start = float64(1000 * (100 + chance.IntN(900)))
		k := int(want.Start / 1000)
		add(fmt.Sprintf("starting with %dk", k), fmt.Sprintf("starting with $%d,000", k), fmt.Sprintf("a portfolio of %d thousand", k))
		want.Years = 10 + chance.IntN(50)
		add(fmt.Sprintf("over %d years", want.Years), fmt.Sprintf("for %d years", want.Years), fmt.Sprintf("a %d-year horizon", want.Years))
		rule, text := drawRule(chance.IntN, one)
		parts = append(parts, text)
		want.Phases = []Phase{{want.Years, rule}}
		if chance.IntN(2) == 0 {
			first, amount := 2+chance.IntN(8), float64(1000*(1+chance.IntN(30)))
			want.Flows = append(want.Flows, Flow{First: first, Last: want.Years, Amount: -amount, Real: true, Open: true, About: "pension"})
			add(fmt.Sprintf("plus a pension of %v a year from year %d", amount, first), fmt.Sprintf("with a pension of %v per year starting in year %d", amount, first))
		}
		s := &want.Settings
		if chance.IntN(2) == 0 {
			fee := float64(1+chance.IntN(20)) / 1000
			s.Fee = &fee
			add(fmt.Sprintf("a fee of %v%%", cents(100*fee)), fmt.Sprintf("with %v percent fees", cents(100*fee)))
		}
		if chance.IntN(2) == 0 {
			inflation := float64(1+chance.IntN(60)) / 1000
			s.Inflation = &inflation
			add(fmt.Sprintf("inflation of %v%%", cents(100*inflation)), fmt.Sprintf("assuming %v%% inflation", cents(100*inflation)))
		}
		if chance.IntN(2) == 0 {
			n := 1000 * (1 + chance.IntN(50))
			s.Paths = &n
			add(fmt.Sprintf("%dk paths", n/1000), fmt.Sprintf("with %d simulations", n))
		}
		if chance.IntN(2) == 0 {
			n := chance.IntN(1000)
			s.Seed = &n
			parts = append(parts, fmt.Sprintf("seed %d", n))
		}
		if chance.IntN(2) == 0 {
			s.Source = one("stationary", "circular", "independent", "normal", "student_t")
			parts = append(parts, map[string]string{"stationary": "bootstrap", "circular": "block bootstrap", "independent": "independent months", "normal": "normal distribution", "student_t": "Student t"}[s.Source])
		}
		if chance.IntN(2) == 0 {
			want.Rebalance = one("quarterly", "yearly", "never")
			parts = append(parts, map[string]string{"quarterly": "rebalanced quarterly", "yearly": "annual rebalancing", "never": "buy and hold"}[want.Rebalance])
		}
		chance.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		prompt := strings.Join(parts, one(", ", "; "))
		got, err := UnderstandSimulation(t.Context(), library, prompt, thisYear)
		if err != nil {
			t.Errorf("%s: %v", prompt, err)
			continue
		}
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(Simulation{}, "Name", "Notes")); d != "" {
			t.Errorf("%s (-want +got):\n%s", prompt, d)
		}
	}
}

// drawRule returns a rule and a way to say it.
func drawRule(n func(int) int, one func(...string) string) (Rule, string) {
	rate := float64(20+n(50)) / 1000
	in := fmt.Sprintf("%v%%", cents(100*rate))
	amount := float64(12000 * (1 + n(8)))
	switch n(8) {
	case 0:
		return Rule{Kind: FixedRate, Rate: rate}, one("withdraw "+in+" a year adjusted for inflation", "withdrawing "+in+" per year, inflation-adjusted", "an initial withdrawal rate of "+in)
	case 1:
		return Rule{Kind: FixedAmount, Amount: amount}, one(fmt.Sprintf("withdraw %v a year in today's money", amount), fmt.Sprintf("spend $%vk per year", amount/1000), fmt.Sprintf("spend %v a month", amount/12))
	case 2:
		return Rule{Kind: Percentage, Rate: rate}, one("withdraw "+in+" of the portfolio each year", "withdraw "+in+" of the current balance annually")
	case 3:
		return Rule{Kind: GuytonKlinger, Rate: rate, Guard: 0.2, Change: 0.1}, "withdraw " + in + " a year with guardrails"
	case 4:
		return Rule{Kind: Annuity, Rate: 0.03}, one("withdraw by VPW", "variable percentage withdrawal")
	case 5:
		return Rule{Kind: FloorCeiling, Rate: rate, Floor: 0.85, Ceiling: 1.2}, "withdraw " + in + " a year with a floor of 85% and a ceiling of 120%"
	case 6:
		return Rule{Kind: Contribute, Amount: amount}, one(fmt.Sprintf("save %v a month", amount/12), fmt.Sprintf("contribute %v annually", amount))
	}
	return Rule{Kind: LifeExpectancy, Age: 72}, "withdraw by life expectancy from age 72"
}

// TestNoWordOfASimulationIsLost inserts a word that changes the meaning between any
// two words of a description: the script may not stay the same.
func TestNoWordOfASimulationIsLost(t *testing.T) {
	t.Parallel()
	library := newShelf()
	chance := testenv.Random(t, 3, 4)
	scriptOf := func(prompt string) string {
		s, err := UnderstandSimulation(t.Context(), library, prompt, thisYear)
		if err != nil {
			return ""
		}
		return WriteSimulation(s)
	}
	for _, g := range groups(t, "simulations.txt") {
		for _, prompt := range g.prompts {
			want, words := scriptOf(prompt), strings.Fields(prompt)
			for _, w := range []string{"not", "never", "no", "except", "without", "unless", "xyzzy", "twice", "less", "minus", "half", "7%", "17", "40,000", "2041", "somewhat", "MDY", "weekly"} {
				at := chance.IntN(len(words) + 1)
				variant := strings.Join(slices.Insert(slices.Clone(words), at, w), " ")
				if (w == "minus" || w == "less") && strings.Contains(prompt, "fee") {
					continue // a fee is taken off, whichever way it is said
				}
				if got := scriptOf(variant); got == want {
					t.Errorf("%q is lost in %q", w, variant)
				}
			}
		}
	}
}
