package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// Describe says in plain words what a plan does, one sentence per line.
func Describe(plan *Plan) string {
	lines := append(describeHoldings(plan), when(plan)...)
	return strings.Join(append(lines, plan.Notes...), "\n")
}

// describeHoldings says what a plan holds, without when it decides.
func describeHoldings(plan *Plan) []string {
	var lines []string
	if plan.Rule != nil {
		return describeRule(plan)
	}
	if plan.Select != nil {
		lines = chosen(plan)
	} else {
		lines = []string{held(plan)}
	}
	if plan.Each != nil {
		lines = append(lines, "Each member is held only while "+condition(plan.Each, "")+"; otherwise its share goes to "+instead(plan)+".")
	}
	if plan.Gate != nil {
		lines = append(lines, "This is held only while "+condition(plan.Gate, plan.Gate.Signal)+"; otherwise the model holds "+instead(plan)+".")
	}
	return append(lines, limits(plan)...)
}

func held(plan *Plan) string {
	keys := keysOf(plan.Pool)
	switch plan.Weighting {
	case Fixed:
		return "Holds " + and(withCash(plan.Pool)) + "."
	case Equal:
		if len(keys) == 1 {
			return "Holds " + keys[0] + "."
		}
	}
	return "Holds " + and(keys) + " " + weighed(plan) + "."
}

// withCash lists holdings with their shares, and the rest in CASH.
func withCash(list []Holding) (parts []string) {
	sum := 0.0
	for _, h := range list {
		parts, sum = append(parts, share(h)), sum+h.Weight
	}
	if sum < 1-1e-9 {
		parts = append(parts, percent(1-sum)+" CASH")
	}
	return parts
}

func weighed(plan *Plan) string {
	return map[Weighting]string{
		Equal:             "with equal weights",
		InverseVolatility: fmt.Sprintf("weighted by inverse volatility over %s", sessions(plan.RiskLookback)),
		RiskParity:        fmt.Sprintf("weighted so that each contributes the same risk, measured over %s", sessions(plan.RiskLookback)),
		MinimumVariance:   fmt.Sprintf("weighted for the lowest variance of the whole, measured over %s", sessions(plan.RiskLookback)),
		MeanVariance:      fmt.Sprintf("weighted by mean and variance over %s with a risk aversion of %s", sessions(plan.RiskLookback), plainNumber(plan.RiskAversion)),
		ByOptimizer:       fmt.Sprintf("with the weights of the optimizer %s, which sees their returns of %s", plan.Optimizer, sessions(plan.RiskLookback)),
		Fixed:             "with the shares given",
	}[plan.Weighting]
}

// scoreNames and scoreTitles are what members are chosen by, in words.
var (
	scoreNames  = map[Score]string{ByReturn: "return", ByRSI: "RSI", ByVolatility: "volatility", ByDrawdown: "largest drawdown", BySharpe: "Sharpe ratio"}
	scoreTitles = map[Score]string{ByReturn: "Momentum", ByRSI: "RSI", ByVolatility: "Volatility", ByDrawdown: "Drawdown", BySharpe: "Sharpe ratio"}
)

func chosen(plan *Plan) []string {
	x, keys := plan.Select, and(keysOf(plan.Pool))
	score := fmt.Sprintf("%s over %s", scoreNames[x.By], sessions(x.Lookbacks[0]))
	most := "highest"
	if x.Lowest {
		most = "lowest"
	}
	if len(x.Lookbacks) > 1 {
		var parts []string
		for _, n := range x.Lookbacks {
			parts = append(parts, fmt.Sprint(n))
		}
		score = "average of the returns over " + and(parts) + " sessions"
	}
	if x.Skip > 0 {
		score += fmt.Sprintf(" without the last %s", sessions(x.Skip))
	}
	line := fmt.Sprintf("Holds the %d of %s with the %s %s, %s.", x.Count, keys, most, score, weighed(plan))
	switch {
	case x.Count == 1 && len(plan.Pool) > 1:
		line = fmt.Sprintf("Holds the one of %s with the %s %s.", keys, most, score)
	case x.Count == len(plan.Pool) && len(plan.Pool) == 1:
		line = "Holds " + keys + "."
	case x.Count == len(plan.Pool):
		line = "Holds " + keys + " " + weighed(plan) + "."
	}
	bar := "above zero"
	if x.Hurdle != "" {
		bar = "above that of " + x.Hurdle
	}
	switch x.Positive {
	case PerMember:
		return []string{line, fmt.Sprintf("A member is held only if its %s is %s; otherwise its share goes to %s.", score, bar, instead(plan))}
	case AnyMember:
		return []string{line, fmt.Sprintf("If no member has a %s %s, the model holds %s.", score, bar, instead(plan))}
	}
	return []string{line}
}

// instead describes the alternative: what is held if nothing else is.
func instead(plan *Plan) string {
	if len(plan.Else) == 0 {
		return "CASH"
	}
	if len(plan.Else) == 1 && plan.Else[0].Weight == 1 {
		return plan.Else[0].Key
	}
	return and(withCash(plan.Else))
}

// share describes a holding with its share.
func share(h Holding) string {
	if h.Weight < 0 {
		return percent(-h.Weight) + " " + h.Key + " sold short"
	}
	return percent(h.Weight) + " " + h.Key
}

// condition describes a test of a subject; "" is the member that was just named.
func condition(t *Test, subject string) string {
	who, whose, of := subject, "the ", " of "+subject
	if subject == "" {
		who, whose, of = "it", "its ", ""
	}
	side := map[bool]string{false: "above", true: "below"}[t.Below]
	average := "moving average"
	if t.Exponential {
		average = "exponential moving average"
	}
	switch t.Kind {
	case AboveAverage:
		return fmt.Sprintf("%s is %s its %d-session %s", who, side, t.Slow, average)
	case Cross:
		return fmt.Sprintf("%s%d-session moving average%s is %s its %d-session moving average", whose, t.Fast, of, side, t.Slow)
	case Rising:
		than := "zero"
		if t.Other != "" {
			than = "that of " + t.Other
		}
		return fmt.Sprintf("%sreturn%s over %s is %s %s", whose, of, sessions(t.Slow), side, than)
	case Strength:
		return fmt.Sprintf("%s%d-session RSI%s is %s %s", whose, t.Slow, of, side, plainNumber(t.Level))
	default:
		return fmt.Sprintf("at least %s of the members are above their %d-session %ss", percent(t.Level), t.Slow, average)
	}
}

func limits(plan *Plan) (lines []string) {
	if plan.Cap > 0 {
		lines = append(lines, capped(plan))
	}
	if len(plan.Bounds) > 0 {
		line := "The weights are the best of those within these limits: " + boundsInWords(plan.Bounds) + "."
		if !plan.Weighting.optimal() {
			line = "Of equity, " + boundsInWords(plan.Bounds) + " is held; what is cut off goes to the others in proportion."
		}
		lines = append(lines, line)
	}
	all := "Everything"
	if len(plan.Else) > 0 && (plan.Gate != nil || plan.Select != nil && plan.Select.Positive == AnyMember) {
		all = "Everything but what is held otherwise"
	}
	if plan.Target > 0 {
		lines = append(lines, fmt.Sprintf(all+" is scaled to a volatility of %s a year, measured over %s, with at most %s of equity invested.", percent(plan.Target), sessions(plan.RiskLookback), percent(plan.MaxGross)))
		if plan.Rest != "" {
			lines = append(lines, "What this leaves is held in "+plan.Rest+".")
		}
	}
	if plan.Leverage != 1 {
		lines = append(lines, fmt.Sprintf("All weights are multiplied by %s.", plainNumber(plan.Leverage)))
	}
	return lines
}

// capped describes a cap and what it leaves.
func capped(plan *Plan) string {
	line := "No member gets more than " + percent(plan.Cap)
	if len(plan.Else) > 0 {
		line += ", except what is held otherwise"
	}
	n := len(plan.Pool)
	if plan.Select != nil {
		n = plan.Select.Count
	}
	switch left := 1 - float64(n)*plan.Cap; {
	case plan.Weighting == Fixed:
	case plan.Weighting.optimal() && left <= 1e-9:
		line += "; the weights are the best of those that keep this cap"
	case left > 1e-9:
		line += fmt.Sprintf("; so at least %s stays in CASH", percent(left))
	default:
		line += "; what is cut off goes to the others in proportion"
	}
	return line + "."
}

func when(plan *Plan) []string {
	fill := "at the same close"
	if plan.Fill == "next_close" {
		fill = "at the close of the next session"
	}
	if plan.Hold {
		return []string{"Bought once, on the first session, " + fill + ", and never rebalanced."}
	}
	lines := []string{"Decides " + scheduled(plan.Schedule) + " and trades " + fill + "."}
	if plan.Band != nil {
		lines = append(lines, banded(plan))
	}
	return lines
}

// banded describes a band, with a member as an example.
func banded(plan *Plan) string {
	b, target, key := plan.Band, 0.5, ""
	whose := "a weight"
	if b.Key != "" {
		whose = b.Key + "'s weight"
		for _, h := range plan.Pool {
			if h.Key == b.Key && h.Weight > 0 {
				target, key = h.Weight, " "+h.Key
			}
		}
	} else if plan.Weighting == Fixed && plan.Pool[0].Weight > 0 {
		target, key = plan.Pool[0].Weight, " "+plan.Pool[0].Key
	}
	away, by := plainNumber(100*b.Size)+" percentage points of equity", b.Size
	if b.Relative {
		away, by = percent(b.Size)+" of its target", b.Size*target
	}
	return fmt.Sprintf("Trades only when the distance of %s from its target is more than %s: a target of %s%s may drift between %s and %s.",
		whose, away, percent(target), key, percent(max(0, target-by)), percent(target+by))
}

var (
	days    = map[string]string{"mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday"}
	periodN = map[string]string{"weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year"}
)

func scheduled(s Schedule) string {
	period := periodN[s.Every]
	switch {
	case s.Every == "daily":
		return "on every session"
	case s.Weekday != "":
		return "every " + days[s.Weekday]
	case len(s.Months) > 0 && s.Session == 1:
		return "on the first session of " + and(monthNames(s.Months))
	case len(s.Months) > 0 && s.Session == -1:
		return "on the last session of " + and(monthNames(s.Months))
	case len(s.Months) > 0:
		return fmt.Sprintf("on the %s session of %s", nth(s.Session), and(monthNames(s.Months)))
	case s.Session == -1:
		return "on the last session of each " + period
	case s.Session == 1:
		return "on the first session of each " + period
	case s.Session < 0:
		return fmt.Sprintf("on the %s session before the end of each %s", nth(-s.Session), period)
	}
	return fmt.Sprintf("on the %s session of each %s", nth(s.Session), period)
}

func nth(n int) string {
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		return fmt.Sprint(n, "st")
	case n%10 == 2:
		return fmt.Sprint(n, "nd")
	case n%10 == 3:
		return fmt.Sprint(n, "rd")
	}
	return fmt.Sprint(n, "th")
}

var allMonths = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

func monthNames(months []int) (names []string) {
	for _, m := range months {
		names = append(names, allMonths[m-1])
	}
	return names
}

func sessions(n int) string {
	if n == 1 {
		return "1 session"
	}
	return fmt.Sprintf("%d sessions", n)
}

// wrap breaks lines at a width, and keeps their indentation.
func wrap(text string, width int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		indent := paragraph[:len(paragraph)-len(strings.TrimLeft(paragraph, " "))]
		line := indent
		for w := range strings.FieldsSeq(paragraph) {
			if line != indent && len(line)+1+len(w) > width {
				lines = append(lines, line)
				line = indent
			}
			if line != indent {
				line += " "
			}
			line += w
		}
		lines = append(lines, line)
	}
	return slices.Clip(lines)
}
