package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// Describe says in plain words what a plan does, a sentence a line.
func Describe(plan *Plan) string {
	lines := []string{held(plan)}
	if plan.Select != nil {
		lines = append(lines, chosen(plan)...)
	}
	if plan.Each != nil {
		lines = append(lines, "Each is held only while "+condition(plan.Each, "it")+"; otherwise its share goes to "+instead(plan)+".")
	}
	if plan.Gate != nil {
		lines = append(lines, "This is held only while "+condition(plan.Gate, plan.Gate.Signal)+"; otherwise "+instead(plan)+".")
	}
	lines = append(lines, limits(plan)...)
	lines = append(lines, when(plan))
	lines = append(lines, plan.Notes...)
	return strings.Join(lines, "\n")
}

func held(plan *Plan) string {
	keys := keysOf(plan.Pool)
	if plan.Select != nil {
		return "Members are chosen from " + and(keys) + "."
	}
	switch plan.Weighting {
	case Fixed:
		var parts []string
		for _, h := range plan.Pool {
			parts = append(parts, share(h))
		}
		return "Holds " + and(parts) + "."
	case Equal:
		if len(keys) == 1 {
			return "Holds " + keys[0] + "."
		}
		return "Holds " + and(keys) + " with equal weights."
	}
	return "Holds " + and(keys) + ", " + weighed(plan) + "."
}

func weighed(plan *Plan) string {
	return map[Weighting]string{
		Equal:             "with equal weights",
		InverseVolatility: fmt.Sprintf("weighted by inverse volatility over %s", sessions(plan.RiskLookback)),
		RiskParity:        fmt.Sprintf("weighted so that each contributes the same risk, measured over %s", sessions(plan.RiskLookback)),
		MinimumVariance:   fmt.Sprintf("weighted for the least variance, measured over %s", sessions(plan.RiskLookback)),
		MeanVariance:      fmt.Sprintf("weighted by mean and variance over %s with a risk aversion of %s", sessions(plan.RiskLookback), plainNumber(plan.RiskAversion)),
		Fixed:             "with the shares given",
	}[plan.Weighting]
}

func chosen(plan *Plan) []string {
	x := plan.Select
	score := fmt.Sprintf("the return over %s", sessions(x.Lookbacks[0]))
	if len(x.Lookbacks) > 1 {
		var parts []string
		for _, n := range x.Lookbacks {
			parts = append(parts, fmt.Sprint(n))
		}
		score = "the mean of the returns over " + and(parts) + " sessions"
	}
	if x.Skip > 0 {
		score += fmt.Sprintf(", leaving out the last %s", sessions(x.Skip))
	}
	line := fmt.Sprintf("The %d with the highest momentum, %s, are held %s.", x.Count, score, weighed(plan))
	switch {
	case x.Count == 1:
		line = fmt.Sprintf("The one with the highest momentum, %s, is held.", score)
	case x.Count == len(plan.Pool):
		line = fmt.Sprintf("All are held %s, as far as their momentum allows it: %s.", weighed(plan), score)
	}
	lines := []string{line}
	bar := "above zero"
	if x.Hurdle != "" {
		bar = "above that of " + x.Hurdle
	}
	switch x.Positive {
	case PerMember:
		lines = append(lines, fmt.Sprintf("Only momentum %s is held; the share of one without it goes to %s.", bar, instead(plan)))
	case AnyMember:
		lines = append(lines, fmt.Sprintf("Where none has momentum %s: %s.", bar, instead(plan)))
	}
	return lines
}

// instead says what is held otherwise.
func instead(plan *Plan) string {
	if len(plan.Else) == 0 {
		return "CASH"
	}
	if len(plan.Else) == 1 && plan.Else[0].Weight == 1 {
		return plan.Else[0].Key
	}
	parts, sum := []string(nil), 0.0
	for _, h := range plan.Else {
		parts, sum = append(parts, share(h)), sum+h.Weight
	}
	if sum < 1-1e-9 {
		parts = append(parts, percent(1-sum)+" CASH")
	}
	return and(parts)
}

// share says a holding with its share.
func share(h Holding) string {
	if h.Weight < 0 {
		return percent(-h.Weight) + " sold short of " + h.Key
	}
	return percent(h.Weight) + " " + h.Key
}

// condition says a test of subject.
func condition(t *Test, subject string) string {
	side := "above"
	if t.Below {
		side = "below"
	}
	average := "moving average"
	if t.Exponential {
		average = "exponential moving average"
	}
	switch t.Kind {
	case AboveAverage:
		return fmt.Sprintf("%s is %s its %s over %s", subject, side, average, sessions(t.Slow))
	case Cross:
		return fmt.Sprintf("the moving average of %s over %s is %s that over %s", subject, sessions(t.Fast), side, sessions(t.Slow))
	case Rising:
		than := "zero"
		if t.Other != "" {
			than = "that of " + t.Other
		}
		return fmt.Sprintf("the return of %s over %s is %s %s", subject, sessions(t.Slow), side, than)
	case Strength:
		return fmt.Sprintf("the relative strength index of %s over %s is %s %s", subject, sessions(t.Slow), side, plainNumber(t.Level))
	default:
		return fmt.Sprintf("at least %s of the members are above their %s over %s", percent(t.Level), average, sessions(t.Slow))
	}
}

func limits(plan *Plan) (lines []string) {
	if plan.Cap > 0 {
		lines = append(lines, capped(plan))
	}
	all := "All"
	if len(plan.Else) > 0 && (plan.Gate != nil || plan.Select != nil && plan.Select.Positive == AnyMember) {
		all = "All but what is held otherwise"
	}
	if plan.Target > 0 {
		lines = append(lines, fmt.Sprintf(all+" is scaled to a volatility of %s a year, measured over %s, with at most %s invested.", percent(plan.Target), sessions(plan.RiskLookback), percent(plan.MaxGross)))
	}
	if plan.Leverage != 1 {
		lines = append(lines, fmt.Sprintf("All is invested %s times.", plainNumber(plan.Leverage)))
	}
	return lines
}

// capped says what a cap does, and what it leaves.
func capped(plan *Plan) string {
	line := "No member gets more than " + percent(plan.Cap)
	if len(plan.Else) > 0 {
		line += ", but for what is held otherwise"
	}
	n := len(plan.Pool)
	if plan.Select != nil {
		n = plan.Select.Count
	}
	switch left := 1 - float64(n)*plan.Cap; {
	case plan.Weighting == Fixed:
	case left > 1e-9:
		line += fmt.Sprintf("; so at least %s stays in CASH", percent(left))
	default:
		line += "; what the others cannot take stays in CASH"
	}
	return line + "."
}

func when(plan *Plan) string {
	fill := "at the same close"
	if plan.Fill == "next_close" {
		fill = "at the next session's close"
	}
	if plan.Hold {
		return "Bought once, on the first session, filled " + fill + ", and never rebalanced."
	}
	line := "Decided " + scheduled(plan.Schedule) + " and filled " + fill + "."
	if plan.Band != nil {
		by := percent(plan.Band.Size) + " of equity from its target"
		if plan.Band.Relative {
			by = percent(plan.Band.Size) + " of its target"
		}
		line += "\nNothing is traded while every weight is within " + by + "."
	}
	return line
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
		return "on the last session of the " + period
	case s.Session == 1:
		return "on the first session of the " + period
	case s.Session < 0:
		return fmt.Sprintf("on the %s session before the end of the %s", nth(-s.Session), period)
	}
	return fmt.Sprintf("on the %s session of the %s", nth(s.Session), period)
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

// wrap breaks lines at a width.
func wrap(text string, width int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for w := range strings.FieldsSeq(paragraph) {
			if line != "" && len(line)+1+len(w) > width {
				lines = append(lines, line)
				line = ""
			}
			line = strings.TrimSpace(line + " " + w)
		}
		lines = append(lines, line)
	}
	return slices.Clip(lines)
}
