package grammar

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/internal/testenv"
)

// speaker makes random trees, and says them in one of several ways.
type speaker struct{ *rand.Rand }

func (s speaker) one(words ...string) string { return words[s.IntN(len(words))] }

func (s speaker) member() string {
	return s.one("SPY", "QQQ", "EFA", "EEM", "TLT", "GLD", "IEF", "AGG", "BIL")
}

// leaf returns what is held, and how it is said.
func (s speaker) leaf() (Node, string) {
	plan := &Plan{Leverage: 1, Weighting: Equal}
	a := s.member()
	b := s.member()
	switch {
	case a == b || s.IntN(3) > 0:
		plan.Pool = []Holding{{Key: a}}
		return &Allocation{plan}, s.one("", "hold ", "buy ") + a
	case s.IntN(2) == 0:
		plan.Pool = []Holding{{Key: a}, {Key: b}}
		return &Allocation{plan}, "equal weight " + a + " and " + b
	}
	share := float64(5*(1+s.IntN(19))) / 100
	plan.Weighting, plan.Pool = Fixed, []Holding{{a, share}, {b, 1 - share}}
	return &Allocation{plan}, fmt.Sprintf("%s%s%% %s%s%s%% %s", s.one("", "hold "), plainNumber(100*share), a, s.one(", ", " and "), plainNumber(100-100*share), b)
}

// comparison returns a comparison, and how it is said.
func (s speaker) comparison() (Condition, string) {
	key := s.member()
	n := 5 * (1 + s.IntN(50))
	c := Condition{Below: s.IntN(2) == 0, Left: Quantity{Kind: Price, Member: key, Factor: 1}, Right: Quantity{Member: key, Sessions: n, Factor: 1}}
	side := map[bool][]string{false: {"is above", "is over", ">", "is greater than", "is higher than"}, true: {"is below", "is under", "<", "is less than", "is lower than"}}[c.Below]
	by := s.one(side...)
	switch s.IntN(6) {
	case 0:
		c.Right.Kind = SimpleMean
		return c, fmt.Sprintf("%s %s %s", key, by, s.one(fmt.Sprintf("its %d day moving average", n), fmt.Sprintf("its %d-day SMA", n), fmt.Sprintf("SMA(%s, %d)", key, n)))
	case 1:
		c.Right.Kind = ExponentialMean
		return c, fmt.Sprintf("%s %s %s", key, by, s.one(fmt.Sprintf("its %d day EMA", n), fmt.Sprintf("the %d day exponential moving average of %s", n, key)))
	case 2:
		c.Left = Quantity{Kind: RSI, Member: key, Sessions: 2 + s.IntN(30), Factor: 1}
		c.Right = Quantity{Kind: Level, Value: float64(1 + s.IntN(99)), Factor: 1}
		return c, fmt.Sprintf("%s %s %v", s.one(fmt.Sprintf("RSI(%d) of %s", c.Left.Sessions, key), fmt.Sprintf("the %d day RSI of %s", c.Left.Sessions, key), fmt.Sprintf("%s's %d-day RSI", key, c.Left.Sessions), fmt.Sprintf("RSI(%s, %d)", key, c.Left.Sessions)), by, c.Right.Value)
	case 3:
		other := s.member()
		if other == key {
			return s.comparison()
		}
		c.Left = Quantity{Kind: Return, Member: key, Sessions: n, Factor: 1}
		c.Right = Quantity{Kind: Return, Member: other, Sessions: n, Factor: 1}
		return c, fmt.Sprintf("%s's %d day return %s %s", key, n, by, s.one(other+"'s", "that of "+other, fmt.Sprintf("the %d day return of %s", n, other)))
	case 4:
		c.Left = Quantity{Kind: Volatility, Member: key, Sessions: n, Factor: 1}
		c.Right = Quantity{Kind: Level, Value: float64(1+s.IntN(40)) / 100, Factor: 1}
		return c, fmt.Sprintf("the %d day volatility of %s %s %s", n, key, by, percent(c.Right.Value))
	}
	c.Right.Kind, c.Right.Factor = SimpleMean, 1.02
	side = []string{"more than 2% above"}
	if c.Below {
		c.Right.Factor, side = 0.98, []string{"more than 2% below"}
	}
	return c, fmt.Sprintf("%s is %s its %d day average", key, side[0], n)
}

func (s speaker) condition(depth int) (Condition, string) {
	if depth == 0 || s.IntN(2) == 0 {
		return s.comparison()
	}
	joined := Condition{Join: All}
	if s.IntN(2) == 0 {
		joined.Join = Any
	}
	var parts []string
	for range 2 + s.IntN(2) {
		c, text := s.condition(depth - 1)
		if c.Join != Single {
			text = "(" + text + ")"
		}
		joined.Of, parts = append(joined.Of, c), append(parts, text)
	}
	return joined, strings.Join(parts, " "+string(joined.Join)+" ")
}

func (s speaker) node(depth int) (Node, string) {
	if depth == 0 {
		return s.leaf()
	}
	if s.IntN(4) == 0 {
		share := float64(1+s.IntN(9)) / 10
		a, first := s.node(depth - 1)
		b, second := s.node(depth - 1)
		return &Blend{[]Sleeve{{share, a}, {1 - share, b}}}, fmt.Sprintf("%s%% (%s)%s%s%% (%s)", plainNumber(100*share), first, s.one(", ", " and ", "; "), plainNumber(100-100*share), second)
	}
	c, when := s.condition(2)
	then, first := s.node(depth - 1 - s.IntN(depth))
	other, second := s.node(depth - 1 - s.IntN(depth))
	brackets := func(n Node, text string, always bool) string {
		if _, leaf := n.(*Allocation); leaf && s.IntN(4) > 0 {
			return text
		}
		if _, leaf := n.(*Allocation); !leaf && always || s.IntN(2) == 0 {
			return "(" + text + ")"
		}
		return text
	}
	otherwise := s.one(" else ", ", otherwise ", "; else ", ". Otherwise ", "\nelse: ")
	if _, leaf := then.(*Allocation); leaf && s.IntN(3) == 0 {
		return &Choice{If: c, Then: then, Else: other}, brackets(then, first, true) + s.one(" if ", " when ", " while ") + when + otherwise + brackets(other, second, isBlend(other))
	}
	return &Choice{If: c, Then: then, Else: other}, s.one("if ", "when ") + when + s.one(" then ", ": ", ", ") + brackets(then, first, true) + otherwise + brackets(other, second, isBlend(other))
}

func isBlend(n Node) bool {
	_, ok := n.(*Blend)
	return ok
}

// TestRandomTrees says random trees in several ways, and reads trees from them that
// hold the same whichever of their comparisons are true.
func TestRandomTrees(t *testing.T) {
	t.Parallel()
	chance := testenv.Random(t, 7, 20)
	library := newShelf()
	read, rounds := 0, testenv.Rounds(200, 600)
	for range rounds {
		said, prompt := speaker{chance}.node(1 + chance.IntN(3))
		if _, leaf := said.(*Allocation); leaf {
			continue
		}
		tree, err := UnderstandTree(t.Context(), library, prompt)
		if err != nil {
			t.Errorf("%q: %v", prompt, err)
			continue
		}
		read++
		for i := range 40 {
			drawn := map[string]bool{}
			truth := func(comparison string) bool {
				if _, ok := drawn[comparison]; !ok {
					drawn[comparison] = i > 0 && (i == 1 || chance.IntN(2) == 0)
				}
				return drawn[comparison]
			}
			if d := cmp.Diff(holdingsOf(said, truth), holdingsOf(tree.Root, truth), cmpopts.EquateApprox(0, 1e-9)); d != "" {
				t.Errorf("%q while %v (-said +read):\n%s", prompt, drawn, d)
				break
			}
		}
	}
	if read < rounds/2 {
		t.Errorf("only %d trees", read)
	}
}

// holdingsOf returns what a node holds while comparisons are true or false. A comparison
// is named by its sides; the one with the sides' other order is its opposite.
func holdingsOf(n Node, truth func(string) bool) map[string]float64 {
	held := map[string]float64{}
	switch n := n.(type) {
	case *Choice:
		if holds(n.If, truth) {
			return holdingsOf(n.Then, truth)
		}
		return holdingsOf(n.Else, truth)
	case *Blend:
		for _, s := range n.Parts {
			for key, x := range holdingsOf(s.Node, truth) {
				held[key] += s.Share * x
			}
		}
	case *Allocation:
		list := n.Plan.Pool
		if g := n.Plan.Gate; g != nil && !holds(gated(g), truth) {
			list = n.Plan.Else
		} else if n.Plan.Weighting == Equal {
			for _, h := range list {
				held[h.Key] += 1 / float64(len(list))
			}
			return held
		}
		for _, h := range list {
			held[h.Key] += h.Weight
		}
	}
	return held
}

func holds(c Condition, truth func(string) bool) bool {
	switch c.Join {
	case All:
		for _, x := range c.Of {
			if !holds(x, truth) {
				return c.Not
			}
		}
		return !c.Not
	case Any:
		for _, x := range c.Of {
			if holds(x, truth) {
				return !c.Not
			}
		}
		return c.Not
	}
	return truth(fmt.Sprint(c.Left, c.Right)) != c.Below
}

// gated returns the condition that says the same as the gate of a plan.
func gated(g *Test) Condition {
	c := Condition{Below: g.Below, Left: Quantity{Kind: Price, Member: g.Signal, Factor: 1}, Right: Quantity{Kind: SimpleMean, Member: g.Signal, Sessions: g.Slow, Factor: 1}}
	switch {
	case g.Kind == AboveAverage && g.Exponential:
		c.Right.Kind = ExponentialMean
	case g.Kind == Rising:
		c.Left = Quantity{Kind: Return, Member: g.Signal, Sessions: g.Slow, Factor: 1}
		c.Right = Quantity{Kind: Return, Member: g.Other, Sessions: g.Slow, Factor: 1}
	case g.Kind == Strength:
		c.Left = Quantity{Kind: RSI, Member: g.Signal, Sessions: g.Slow, Factor: 1}
		c.Right = Quantity{Kind: Level, Value: g.Level, Factor: 1}
	}
	return c
}
