package grammar

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ballast/internal/testenv"
)

// tabled returns the accepted prompts of the tables, with their scripts.
func tabled(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, g := range groups(t, "plans.txt") {
		for _, prompt := range g.prompts {
			all[prompt] = Write(understand(t, prompt))
		}
	}
	return all
}

// scriptOf returns the script of a prompt, or "" if it is refused.
func scriptOf(t *testing.T, library *shelf, prompt string) string {
	t.Helper()
	text, _ := modelOf(t, library, prompt)
	return text
}

// TestSpaceAndPunctuationAreIgnored checks that the layout of a prompt changes
// nothing.
func TestSpaceAndPunctuationAreIgnored(t *testing.T) {
	t.Parallel()
	library := newShelf()
	chance := testenv.Random(t, 1, 2)
	for prompt, want := range tabled(t) {
		variants := []string{
			"  " + prompt + "  ", "\n\n" + prompt + "\n", strings.ReplaceAll(prompt, " ", "   "), strings.ReplaceAll(prompt, " ", "\u00a0"), strings.ReplaceAll(prompt, "%", " %"),
			strings.ReplaceAll(prompt, "%", "％"), strings.ReplaceAll(prompt, "\n", "\r\n"), "please " + prompt, prompt + " please", prompt + " Thanks!",
		}
		chance.Shuffle(len(variants), func(i, j int) { variants[i], variants[j] = variants[j], variants[i] })
		for _, variant := range variants[:4] {
			if special := strings.HasPrefix(prompt, "1.") || strings.HasPrefix(prompt, "Trend:") || prompt == strings.ToUpper(prompt); special && len(variant) > len(prompt)+4 {
				continue // a list and a heading begin a line, and capitals say nothing only where all are
			}
			if got := scriptOf(t, library, variant); got != want && !strings.ContainsAny(prompt, "“\"'") {
				t.Errorf("%q says something else than %q:\n%s", variant, prompt, got)
			}
		}
	}
}

// TestCaseNeverChangesTheMeaning checks that a prompt in another case means the same
// or is refused: in lower case, symbols may not be recognisable.
func TestCaseNeverChangesTheMeaning(t *testing.T) {
	t.Parallel()
	library := newShelf()
	same := 0
	all := tabled(t)
	for prompt, want := range all {
		for _, variant := range []string{strings.ToLower(prompt), strings.ToUpper(prompt)} {
			switch got := scriptOf(t, library, variant); {
			case strings.Contains(prompt, "GOLD") || strings.Contains(prompt, "alled") || strings.Contains(prompt, "call") || strings.Contains(prompt, "Name"):
			case got == want:
				same++
			case got != "":
				t.Errorf("%q says something else than %q:\n%s", variant, prompt, got)
			}
		}
	}
	if same < len(all) {
		t.Errorf("only %d of %d prompts are understood in other cases", same, 2*len(all))
	}
}

// TestNoWordIsLost inserts a word that changes the meaning between any two words of a
// prompt: the script may not stay the same.
func TestNoWordIsLost(t *testing.T) {
	t.Parallel()
	library := newShelf()
	all := tabled(t)
	prompts := make([]string, 0, len(all))
	for prompt := range all {
		prompts = append(prompts, prompt)
	}
	slices.Sort(prompts)
	chance := testenv.Random(t, 3, 4)
	for _, prompt := range testenv.Some(t, 80, prompts) {
		words := strings.Fields(prompt)
		changing := []string{"not", "never", "no", "except", "without", "unless", "xyzzy", "inverse", "worst", "less", "minus", "half", "7%", "17", "somewhat", "MDY"}
		chance.Shuffle(len(changing), func(i, j int) { changing[i], changing[j] = changing[j], changing[i] })
		for _, w := range changing[:5] {
			at := chance.IntN(len(words) + 1)
			variant := strings.Join(slices.Insert(slices.Clone(words), at, w), " ")
			if (w == "7%" || w == "half") && strings.Contains(prompt, "cash") {
				continue // a part of nothing but cash is cash
			}
			if got := scriptOf(t, library, variant); got == all[prompt] {
				t.Errorf("%q is lost in %q", w, variant)
			}
		}
	}
}

// holdings are symbols, and shares that add up to 100.
type holdings struct {
	symbols []string
	shares  []int
}

func someHoldings(chance *rand.Rand) (h holdings) {
	pool := []string{"SPY", "EFA", "EEM", "AGG", "TLT", "GLD", "BRK-B", "BTC-USD", "QQQ"}
	chance.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	left := 100
	n := 2 + chance.IntN(4)
	for i := range n {
		share := left
		if i < n-1 {
			share = 10 + chance.IntN(left-10*(n-i-1)-9)
		}
		left -= share
		h.symbols, h.shares = append(h.symbols, pool[i]), append(h.shares, share)
	}
	return h
}

var tens = []string{"", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}

var ones = []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}

func inWords(n int) string {
	switch {
	case n < len(ones):
		return ones[n]
	case n%10 == 0:
		return tens[n/10]
	}
	return tens[n/10] + "-" + ones[n%10]
}

// said returns ways to say holdings.
func (h holdings) said() (ways []string) {
	each := func(separator string, one func(symbol string, share int) string) string {
		var parts []string
		for i, s := range h.symbols {
			parts = append(parts, one(s, h.shares[i]))
		}
		return strings.Join(parts, separator)
	}
	for _, form := range []string{"%[2]d%% %[1]s", "%[1]s %[2]d%%", "%[1]s: %[2]d", "%[2]d percent %[1]s", "%[2]d%% in %[1]s", "%[1]s (%[2]d%%)", "%[1]s – %[2]d %%"} {
		for _, separator := range []string{", ", " and ", "\n", "; ", " + "} {
			ways = append(ways, each(separator, func(s string, n int) string { return fmt.Sprintf(form, s, n) }))
		}
	}
	ways = append(ways, each(", ", func(s string, n int) string { return fmt.Sprintf("%.2f %s", float64(n)/100, s) }),
		each(", ", func(s string, n int) string { return inWords(n) + " percent " + s }), each(" ", func(s string, n int) string { return inWords(n) + " " + strings.ToLower(s) }))
	shares := each("/", func(_ string, n int) string { return fmt.Sprint(n) })
	symbols := strings.Join(h.symbols, "/")
	return append(ways, shares+" "+symbols, symbols+" "+shares, strings.ReplaceAll(shares, "/", "-")+" "+strings.ToLower(strings.Join(h.symbols, " ")))
}

// TestSharesAsTheyAreSaid says random holdings in every way, in two orders: the
// shares always stay the same.
func TestSharesAsTheyAreSaid(t *testing.T) {
	t.Parallel()
	library := newShelf()
	chance := testenv.Random(t, 5, 6)
	for range testenv.Rounds(25, 500) {
		h := someHoldings(chance)
		want := map[string]float64{}
		for i, s := range h.symbols {
			want[s] = float64(h.shares[i]) / 100
		}
		turned := holdings{slices.Clone(h.symbols), slices.Clone(h.shares)}
		slices.Reverse(turned.symbols)
		slices.Reverse(turned.shares)
		for _, prompt := range append(h.said(), turned.said()...) {
			plan, err := Understand(t.Context(), library, prompt)
			if err != nil {
				t.Errorf("%q: %v", prompt, err)
				continue
			}
			if len(plan.Pool) != len(want) {
				t.Errorf("%q: %v", prompt, plan.Pool)
			}
			for _, x := range plan.Pool {
				if want[x.Key] != x.Weight {
					t.Errorf("%q: %v of %s, want %v", prompt, x.Weight, x.Key, want[x.Key])
				}
			}
		}
	}
}
