package grammar

import "slices"

// Tree is a strategy made of others: choices between strategies by conditions, and
// blends of them. Its leaves are Plans.
type Tree struct {
	Name   string
	Symbol string // "" if none was given

	Schedule Schedule
	Fill     string // close, next_close
	Band     *Band
	Root     Node

	Notes []string // assumptions, as sentences
}

// Node is a strategy within a tree: *Allocation, *Choice or *Blend.
type Node interface{ children() []Node }

// Allocation holds what a plan says. Only its holdings count: the schedule, the fill,
// the band and the name are those of the tree.
type Allocation struct{ Plan *Plan }

// Choice holds one strategy while a condition is true, and another while it is not. With
// Until, the first strategy is held from when If is true until that other condition is.
type Choice struct {
	If         Condition
	Until      *Condition
	Then, Else Node
}

// Blend holds several strategies at once, each with a fixed share of equity.
type Blend struct{ Parts []Sleeve }

// Sleeve is a strategy of a blend. The shares of a blend add up to 1.
type Sleeve struct {
	Share float64
	Node  Node
}

func (*Allocation) children() []Node { return nil }
func (c *Choice) children() []Node   { return []Node{c.Then, c.Else} }
func (b *Blend) children() (nodes []Node) {
	for _, s := range b.Parts {
		nodes = append(nodes, s.Node)
	}
	return nodes
}

// Join says how a condition combines others.
type Join string

// Ways to combine conditions.
const (
	Single Join = ""    // a comparison, months, or days of the month
	All    Join = "and" // every one of them is true
	Any    Join = "or"  // at least one is
	Some   Join = "of"  // at least Least of them are
)

// Condition is a comparison of two quantities, a list of months, days of the month, or
// several conditions joined.
type Condition struct {
	Join Join
	Of   []Condition // of All, Any and Some
	Not  bool        // the opposite of All, Any, Some, InARow or what the date is

	Least int // of Some

	Left, Right Quantity
	Below       bool // Left is below Right, instead of above it
	Equal       bool // equal values pass as well
	InARow      int  // sessions on which the comparison has to be true; 0 means now alone

	Months            []int // in which the condition is true, in the order of the calendar
	FirstDay, LastDay int   // days of the month, by the date, from which and up to which it is true; 0 without
}

// dated reports a condition on the date.
func (c Condition) dated() bool { return c.Months != nil || c.FirstDay > 0 }

// negated returns the opposite condition.
func (c Condition) negated() Condition {
	if c.Join == Single && !c.dated() && c.InARow < 2 {
		c.Below, c.Equal = !c.Below, !c.Equal
		return c
	}
	c.Not = !c.Not
	return c
}

// comparisons calls visit for each comparison of a condition.
func (c Condition) comparisons(visit func(Condition)) {
	if c.Join == Single && !c.dated() {
		visit(c)
	}
	for _, x := range c.Of {
		x.comparisons(visit)
	}
}

// comparisons calls visit for each comparison of a choice.
func (c *Choice) comparisons(visit func(Condition)) {
	c.If.comparisons(visit)
	if c.Until != nil {
		c.Until.comparisons(visit)
	}
}

// QuantityKind is what is measured.
type QuantityKind string

// Kinds of quantities.
const (
	Level           QuantityKind = "level"      // the number Value
	Price           QuantityKind = "price"      // the last total-return price
	SimpleMean      QuantityKind = "average"    // the mean of the last Sessions prices
	ExponentialMean QuantityKind = "ema"        // an exponential average over Sessions
	RSI             QuantityKind = "rsi"        // Wilder's index over Sessions, 0 to 100
	Return          QuantityKind = "return"     // the total return over Sessions, a fraction
	MeanReturn      QuantityKind = "mean"       // the mean of the last Sessions daily returns, a fraction
	Deviation       QuantityKind = "deviation"  // the standard deviation of the last Sessions daily returns, a fraction
	Volatility      QuantityKind = "volatility" // of daily returns over Sessions, an annual fraction
	Decline         QuantityKind = "decline"    // from the highest price of the last Sessions, or of all if 0: a fraction, 0 or more
	MaxDecline      QuantityKind = "drawdown"   // the largest of the declines within the last Sessions, or of all if 0
	High            QuantityKind = "high"       // the highest of the last Sessions prices, or of all if 0
	Low             QuantityKind = "low"        // the lowest of them
)

// Quantity is one side of a comparison.
type Quantity struct {
	Kind     QuantityKind
	Member   string  // "" for a Level
	Sessions int     // of everything but Level and Price
	Value    float64 // of a Level
	Factor   float64 // what the quantity is multiplied by; 1 if nothing else was said
	Ago      int     // how many sessions before now it is measured
}

// fraction reports a quantity that people write in percent.
func (k QuantityKind) fraction() bool {
	return k == Return || k == MeanReturn || k == Deviation || k == Volatility || k == Decline || k == MaxDecline
}

// priced reports a quantity in the unit of a member's price.
func (k QuantityKind) priced() bool {
	return k == Price || k == SimpleMean || k == ExponentialMean || k == High || k == Low
}

// keys returns every member of the tree: those that are held first, then those that
// conditions look at.
func (t *Tree) keys() []string {
	var keys []string
	add := func(key string) {
		if key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	t.walk(func(n Node) {
		if a, ok := n.(*Allocation); ok {
			for _, h := range slices.Concat(a.Plan.Pool, a.Plan.Else) {
				add(h.Key)
			}
		}
	})
	t.walk(func(n Node) {
		switch n := n.(type) {
		case *Allocation:
			for _, key := range (&writer{plan: n.Plan}).universe() {
				add(key)
			}
		case *Choice:
			n.comparisons(func(c Condition) { add(c.Left.Member); add(c.Right.Member) })
		}
	})
	return keys
}

// walk visits every node, parents before their children.
func (t *Tree) walk(visit func(Node)) {
	var from func(Node)
	from = func(n Node) {
		visit(n)
		for _, x := range n.children() {
			from(x)
		}
	}
	from(t.Root)
}
