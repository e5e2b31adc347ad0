package grammar

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// title derives a name from what the plan does.
func title(plan *Plan, s *structure) string {
	name := s.then.known
	if name == "" {
		name = shortly(plan)
	}
	return clipped(name)
}

// clipped shortens a name that is too long.
func clipped(name string) string {
	if utf8.RuneCountInString(name) > longestName {
		name = string([]rune(name)[:longestName-1]) + "…"
	}
	return name
}

// shortly describes a plan in a few words.
func shortly(plan *Plan) string {
	var b strings.Builder
	keys := keysOf(plan.Pool)
	switch x := plan.Select; {
	case x != nil && x.Count < len(keys):
		side := "Top"
		if x.Lowest {
			side = "Bottom"
		}
		fmt.Fprintf(&b, "%s %d of %s", side, x.Count, few(keys))
		if x.By != ByReturn {
			b.WriteString(" by " + scoreNames[x.By])
		}
	case x != nil:
		b.WriteString(few(keys) + " while rising")
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
	if plan.Weighting == ByOptimizer {
		b.WriteString(", optimized by " + plan.Optimizer)
	}
	if n := weightingNames[plan.Weighting]; n != "" && !usual {
		b.WriteString(", " + n)
	}
	switch {
	case plan.Gate != nil && len(keys) == 1 && plan.Gate.Signal == keys[0]:
		b.WriteString(" while " + condition(plan.Gate, ""))
	case plan.Gate != nil:
		b.WriteString(" while " + condition(plan.Gate, plan.Gate.Signal))
	case plan.Each != nil:
		b.WriteString(", each while " + condition(plan.Each, ""))
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
