package grammar

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// title makes a name of what the plan does.
func title(plan *Plan, s *structure) string {
	name := s.then.known
	if name == "" {
		name = shortly(plan)
	}
	if utf8.RuneCountInString(name) > longestName {
		name = string([]rune(name)[:longestName-1]) + "…"
	}
	return name
}

// shortly says a plan in a few words.
func shortly(plan *Plan) string {
	var b strings.Builder
	keys := keysOf(plan.Pool)
	switch x := plan.Select; {
	case x != nil && x.Count < len(keys):
		fmt.Fprintf(&b, "Top %d of %s", x.Count, few(keys))
	case x != nil:
		b.WriteString("Rising of " + few(keys))
	case plan.Weighting == Fixed:
		var parts []string
		for _, h := range plan.Pool {
			parts = append(parts, percent(h.Weight)+" "+h.Key)
		}
		b.WriteString(few(parts))
	default:
		b.WriteString(few(keys))
	}
	usual := plan.Weighting == Equal && (plan.Select != nil || len(keys) == 1)
	if n := weightingNames[plan.Weighting]; n != "" && !usual {
		b.WriteString(", " + n)
	}
	switch {
	case plan.Gate != nil && plan.Gate.Signal != "" && (len(keys) > 1 || plan.Gate.Signal != keys[0]):
		b.WriteString(" while " + plan.Gate.Signal + " is " + state(plan.Gate))
	case plan.Gate != nil:
		b.WriteString(" while " + state(plan.Gate))
	case plan.Each != nil:
		b.WriteString(", each while " + state(plan.Each))
	}
	if plan.Target > 0 {
		b.WriteString(", at " + percent(plan.Target) + " volatility")
	}
	return b.String()
}

var weightingNames = map[Weighting]string{
	Equal: "equal weights", InverseVolatility: "inverse volatility", RiskParity: "risk parity",
	MinimumVariance: "minimum variance", MeanVariance: "mean variance",
}

func keysOf(list []Holding) (keys []string) {
	for _, h := range list {
		keys = append(keys, h.Key)
	}
	return keys
}

// few lists up to five things.
func few(list []string) string {
	if len(list) > 5 {
		return strings.Join(list[:4], ", ") + fmt.Sprintf(" and %d more", len(list)-4)
	}
	return and(list)
}

// and lists things: A, B and C.
func and(list []string) string {
	switch n := len(list); n {
	case 0:
		return "nothing"
	case 1:
		return list[0]
	default:
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
}

// plainNumber writes a number with as many decimals as it needs, up to four.
func plainNumber(x float64) string {
	return strconv.FormatFloat(math.Round(x*1e4)/1e4, 'f', -1, 64)
}

// percent writes a fraction as a percentage, to two decimals.
func percent(x float64) string {
	return strconv.FormatFloat(math.Round(x*1e4)/1e2, 'f', -1, 64) + "%"
}

// state says a test in a few words.
func state(t *Test) string {
	side := "above"
	if t.Below {
		side = "below"
	}
	switch {
	case t.Kind == AboveAverage:
		return fmt.Sprintf("%s its %d-session average", side, t.Slow)
	case t.Kind == Cross:
		return fmt.Sprintf("its %d-session average is %s that of %d", t.Fast, side, t.Slow)
	case t.Kind == Strength:
		return fmt.Sprintf("its RSI is %s %s", side, plainNumber(t.Level))
	case t.Kind == Breadth:
		return fmt.Sprintf("%s are above their %d-session averages", percent(t.Level), t.Slow)
	case t.Other != "":
		return fmt.Sprintf("%s %s over %d sessions", map[bool]string{false: "ahead of", true: "behind"}[t.Below], t.Other, t.Slow)
	case t.Below:
		return fmt.Sprintf("down over %d sessions", t.Slow)
	}
	return fmt.Sprintf("up over %d sessions", t.Slow)
}
