package grammar

import (
	"fmt"
	"math"
	"strings"
)

// DescribeTree says in plain words what a tree does. What belongs to a condition or to
// a part of a blend is indented under it.
func DescribeTree(tree *Tree) string {
	var lines []string
	describeNode(&lines, "", tree.Root)
	plan := &Plan{Schedule: tree.Schedule, Fill: tree.Fill, Band: tree.Band, Weighting: Equal}
	lines = append(lines, when(plan)...)
	return strings.Join(append(lines, tree.Notes...), "\n")
}

const deeper = "  "

func describeNode(lines *[]string, indent string, n Node) {
	add := func(text string) { *lines = append(*lines, indent+text) }
	switch n := n.(type) {
	case *Allocation:
		if len(n.Plan.Pool) == 0 {
			add("Holds CASH.")
			return
		}
		for _, text := range describeHoldings(n.Plan) {
			add(text)
		}
	case *Choice:
		add("If " + choiceInWords(n) + ":")
		describeNode(lines, indent+deeper, n.Then)
		other := n.Else
		for {
			next, ok := other.(*Choice)
			if !ok {
				break
			}
			add("Otherwise, if " + choiceInWords(next) + ":")
			describeNode(lines, indent+deeper, next.Then)
			other = next.Else
		}
		add("Otherwise:")
		describeNode(lines, indent+deeper, other)
	case *Blend:
		for _, s := range n.Parts {
			add("With " + percent(s.Share) + " of equity:")
			describeNode(lines, indent+deeper, s.Node)
		}
		add("Each decision brings the parts back to these shares.")
	}
}

// choiceInWords describes when the first strategy of a choice is held.
func choiceInWords(c *Choice) string {
	if c.Until == nil {
		return conditionInWords(c.If)
	}
	return conditionInWords(c.If) + ", and from then on until " + conditionInWords(*c.Until)
}

// conditionInWords describes a condition; joined conditions within others stand in
// parentheses.
func conditionInWords(c Condition) string {
	switch {
	case c.Join != Single:
		var parts []string
		for _, x := range c.Of {
			text := conditionInWords(x)
			if x.Join != Single && !x.Not {
				text = "(" + text + ")"
			}
			parts = append(parts, text)
		}
		text := strings.Join(parts, " "+string(c.Join)+" ")
		if c.Join == Some {
			text = fmt.Sprintf("at least %d of these are true: %s", c.Least, strings.Join(parts, "; "))
		}
		if c.Not {
			return "not (" + text + ")"
		}
		return text
	case c.Months != nil:
		if c.Not {
			return "the month is not " + orList(monthNames(c.Months))
		}
		return "the month is " + orList(monthNames(c.Months))
	}
	if c.FirstDay > 0 {
		if c.Not {
			return fmt.Sprintf("the day of the month is not from %d to %d", c.FirstDay, c.LastDay)
		}
		return fmt.Sprintf("the day of the month is from %d to %d", c.FirstDay, c.LastDay)
	}
	left, right := quantityInWords(c.Left, ""), quantityInWords(c.Right, c.Left.Member)
	if c.Right.Kind == Level {
		right = plainNumber(c.Right.Value)
		if c.Left.Kind.fraction() {
			right = percent(c.Right.Value)
		}
	}
	lasting := ""
	if c.InARow > 1 {
		lasting = fmt.Sprintf(", on %s in a row", sessions(c.InARow))
	}
	if c.Not {
		lasting += ", is not true"
	}
	earlier := c.Left
	earlier.Ago = c.Right.Ago
	if earlier == c.Right {
		right = "what it was " + sessions(c.Right.Ago-c.Left.Ago) + " before"
	}
	if c.Right.Factor != 1 {
		return left + " is " + distance(c) + " " + right + lasting
	}
	side := map[[2]bool]string{{false, false}: "above", {true, false}: "below", {false, true}: "at least", {true, true}: "at most"}[[2]bool{c.Below, c.Equal}]
	return left + " is " + side + " " + right + lasting
}

func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// quantityInWords describes one side of a comparison. If its member is the subject,
// which was just named, it is "its".
func quantityInWords(q Quantity, subject string) string {
	the, of := "the ", " of "+q.Member
	if q.Member == subject {
		the, of = "its ", ""
	}
	text := ""
	switch q.Kind {
	case Price:
		text = q.Member
	case SimpleMean:
		text = fmt.Sprintf("%s%d-session moving average%s", the, q.Sessions, of)
	case ExponentialMean:
		text = fmt.Sprintf("%s%d-session exponential moving average%s", the, q.Sessions, of)
	case RSI:
		text = fmt.Sprintf("%s%d-session RSI%s", the, q.Sessions, of)
	case Return:
		text = fmt.Sprintf("%s%d-session return%s", the, q.Sessions, of)
	case MeanReturn:
		text = fmt.Sprintf("%smean daily return%s over %s", the, of, sessions(q.Sessions))
	case Deviation:
		text = fmt.Sprintf("%sstandard deviation of daily returns%s over %s", the, of, sessions(q.Sessions))
	case Volatility:
		text = fmt.Sprintf("%sannualised %d-session volatility%s", the, q.Sessions, of)
	case Decline:
		text = fmt.Sprintf("%sdecline%s from the highest price", the, of)
	case MaxDecline:
		text = fmt.Sprintf("%slargest drawdown%s", the, of)
	case High:
		text = fmt.Sprintf("%shighest price%s", the, of)
	case Low:
		text = fmt.Sprintf("%slowest price%s", the, of)
	}
	if q.Kind == Decline || q.Kind == MaxDecline || q.Kind == High || q.Kind == Low {
		if q.Sessions > 0 {
			text += fmt.Sprintf(" of the last %s", sessions(q.Sessions))
		} else {
			text += " so far"
		}
	}
	if q.Ago > 0 {
		text += fmt.Sprintf(" %s ago", sessions(q.Ago))
	}
	return text
}

// distance describes how far a quantity is from the right side of a comparison.
func distance(c Condition) string {
	over := c.Right.Factor > 1
	size := percent(math.Round(math.Abs(c.Right.Factor-1)*1e9) / 1e9)
	more := over != c.Below // the distance is larger than the size
	way := map[[2]bool]string{{true, false}: "more than", {true, true}: "at least", {false, false}: "less than", {false, true}: "at most"}[[2]bool{more, c.Equal}]
	if over {
		return way + " " + size + " above"
	}
	return way + " " + size + " below"
}
