package grammar

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// moneyText writes an amount with commas between thousands.
func moneyText(v float64) string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64), ".")
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	if fraction != "" {
		b.WriteString("." + fraction)
	}
	return b.String()
}

// DescribeSimulation says in plain words what a simulation does and what was assumed.
func DescribeSimulation(s *Simulation) string {
	start := "from " + moneyText(s.Start)
	if s.Start == 0 {
		start = "from nothing"
	}
	lines := []string{fmt.Sprintf("Simulates %s %s in %s, %s.", yearsText(s.Years), start, holdingsText(s.Members), map[string]string{
		"monthly": "rebalanced monthly", "quarterly": "rebalanced quarterly", "yearly": "rebalanced yearly", "never": "never rebalanced",
	}[s.Rebalance])}
	if g := s.Glide; g != nil {
		over := "the plan"
		if g.Years > 0 {
			over = yearsText(g.Years)
		}
		to := []Holding{{s.Members[0].Key, g.To[0]}, {s.Members[1].Key, g.To[1]}}
		lines = append(lines, fmt.Sprintf("The weights move in a straight line to %s over %s.", holdingsText(to), over))
	}
	from := 1
	for i, x := range s.Phases {
		text := ruleText(x.Rule, i > 0)
		if len(s.Phases) > 1 {
			text = fmt.Sprintf("Years %d to %d: %s", from, from+x.Years-1, strings.ToLower(text[:1])+text[1:])
		}
		from += x.Years
		if text = strings.TrimSpace(text); text != "" {
			lines = append(lines, text)
		}
	}
	if s.Step != "yearly" && s.Goal == 0 {
		lines = append(lines, "How much is decided "+s.Step+".")
	}
	for _, f := range s.Flows {
		lines = append(lines, flowText(f))
	}
	if s.Goal > 0 {
		lines = append(lines, fmt.Sprintf("Saving stops in the month that begins with a value of %s in prices of the start; the table recorded has the share of paths that have reached it, by month.", moneyText(s.Goal)))
	}
	lines = append(lines, settingsText(s.Settings)...)
	if s.Spending {
		lines = append(lines, spendingText(s))
	}
	if s.Lasting {
		lines = append(lines, "How long the money lasts: the scalar success is the chance that it lasts to the end, and the column alive of the table bands has that chance by month.")
	}
	return strings.Join(append(lines, s.Notes...), "\n")
}

// spendingText tells the reader which table answers how much can be spent.
func spendingText(s *Simulation) string {
	if s.Success == 0 {
		return fmt.Sprintf("How much can be spent: the scalar safe_rate is the rate that 95%% of the futures can pay, or every past start with history; times %s it is the money a year. The table rates has the chance of success of each rate.", moneyText(s.Start))
	}
	return fmt.Sprintf("How much can be spent: the table rates has the chance of success of each rate. The answer is the highest rate with a success of at least %s, times %s, a year.", percent(s.Success), moneyText(s.Start))
}

func holdingsText(members []Holding) string {
	if len(members) == 1 && members[0].Weight == 1 {
		return members[0].Key
	}
	var parts []string
	for _, h := range members {
		parts = append(parts, percent(h.Weight)+" "+h.Key)
	}
	return and(parts)
}

// ruleText describes a rule. later reports that it begins after the start of the plan.
func ruleText(r Rule, later bool) string {
	switch r.Kind {
	case FixedRate:
		return fmt.Sprintf("Withdraws %s of the start value a year, rising with inflation.", percent(r.Rate))
	case LevelRate:
		return fmt.Sprintf("Withdraws %s of the start value a year, the same amount every year.", percent(r.Rate))
	case FixedAmount:
		return fmt.Sprintf("Withdraws %s a year, rising with inflation.", moneyText(r.Amount))
	case Percentage:
		return fmt.Sprintf("Withdraws %s of the value a year.", percent(r.Rate))
	case FloorCeiling:
		return fmt.Sprintf("Withdraws %s of the value a year, but in real money at least %s and at most %s of the first withdrawal.", percent(r.Rate), percent(r.Floor), percent(r.Ceiling))
	case GuytonKlinger:
		return fmt.Sprintf("Withdraws by the rules of Guyton and Klinger: %s of the value in the first year, rising with inflation except after a loss; cut by %s when the rate is %s above the first one, raised when it is as far below.", percent(r.Rate), percent(r.Change), percent(r.Guard))
	case Annuity:
		return fmt.Sprintf("Withdraws by VPW: the payment of an annuity over the years left, at a real return of %s a year.", percent(r.Rate))
	case LifeExpectancy:
		return fmt.Sprintf("Withdraws the value divided by the years of the uniform lifetime table, from the age of %d at the start.", r.Age)
	case Ratchet:
		if r.RaiseBy == 0 {
			return fmt.Sprintf("Withdraws %s a year of the value at the beginning of this part, rising with inflation.", percent(r.Rate))
		}
		of := "the start value"
		if later {
			of = "the value at the beginning of this part"
		}
		return fmt.Sprintf("Withdraws %s of %s a year, rising with inflation, and %s more for good after each year that begins above %s of it in real money.", percent(r.Rate), of, percent(r.RaiseBy), percent(r.Above))
	case Contribute:
		switch {
		case r.Growth == nil:
			return fmt.Sprintf("Pays in %s a year, rising with inflation.", moneyText(r.Amount))
		case *r.Growth == 0:
			return fmt.Sprintf("Pays in %s a year, the same amount every year.", moneyText(r.Amount))
		}
		return fmt.Sprintf("Pays in %s in the first year, growing by %s a year.", moneyText(r.Amount), percent(*r.Growth))
	}
	return ""
}

func flowText(f Flow) string {
	verb, amount := "Pays out", f.Amount
	if amount < 0 {
		verb, amount = "Receives", -amount
	}
	what := moneyText(amount)
	when := fmt.Sprintf("a year in years %d to %d", f.First, f.Last)
	if f.First == f.Last {
		when = fmt.Sprintf("in year %d", f.First)
	}
	if f.About != "" {
		when += " (" + f.About + ")"
	}
	how := "in prices of the start"
	if !f.Real {
		how = "not adjusted for inflation"
	}
	return fmt.Sprintf("%s %s %s, %s.", verb, what, when, how)
}

var sourceTexts = map[string]string{
	"stationary": "Futures are blocks of history of random lengths.", "circular": "Futures are blocks of history of one length.",
	"independent": "Futures are single months of history, drawn independently.", "normal": "Futures are drawn from a normal distribution fitted to the months.",
	"student_t": "Futures are drawn from a Student t distribution fitted to the months.", "history": "There is one path for each past month in which the plan could have started, with history as it was.",
}

func settingsText(t Settings) (lines []string) {
	if t.Source != "" {
		lines = append(lines, sourceTexts[t.Source])
	}
	if t.Since > 0 {
		lines = append(lines, fmt.Sprintf("Months before %d are left out; data that begin later count from their beginning.", t.Since))
	}
	if t.Block != nil {
		lines = append(lines, fmt.Sprintf("A block has %s months%s.", plainNumber(*t.Block), map[bool]string{true: "", false: " on average"}[t.Source == "circular"]))
	}
	if t.Inflation != nil {
		lines = append(lines, fmt.Sprintf("Inflation is %s a year.", percent(*t.Inflation)))
	}
	if t.Prices != "" {
		lines = append(lines, fmt.Sprintf("Inflation is that of the series %s, in the same months as the returns.", t.Prices))
	}
	if t.Fee != nil {
		lines = append(lines, fmt.Sprintf("Fees are %s a year.", percent(*t.Fee)))
	}
	if t.Paths != nil {
		lines = append(lines, fmt.Sprintf("%s paths are computed.", moneyText(float64(*t.Paths))))
	}
	if t.Seed != nil {
		lines = append(lines, fmt.Sprintf("The seed is %d.", *t.Seed))
	}
	return lines
}

// simulationTitle derives a name from what a simulation does.
func simulationTitle(s *Simulation, purpose string) string {
	r := s.Phases[len(s.Phases)-1].Rule
	var what string
	level := r.Kind == Nothing && len(s.Flows) > 0 && len(s.Phases) == 1
	switch {
	case level && s.Flows[0].First == 1 && s.Flows[0].Amount > 0:
		what = moneyText(s.Flows[0].Amount) + " a year"
	case purpose != "":
		what = strings.ToUpper(purpose[:1]) + purpose[1:]
	case s.Goal > 0:
		what = fmt.Sprintf("Saving %s a year for %s", moneyText(r.Amount), moneyText(s.Goal))
	case s.Spending:
		what = "Spending from " + moneyText(s.Start)
	case len(s.Phases) > 1:
		what = "Saving and spending"
	default:
		what = map[RuleKind]string{
			FixedRate: percent(r.Rate) + " of the start value", LevelRate: percent(r.Rate) + " of the start value", Percentage: percent(r.Rate) + " of the value",
			FixedAmount: moneyText(r.Amount) + " a year", FloorCeiling: percent(r.Rate) + " with floor and ceiling", GuytonKlinger: percent(r.Rate) + " with guardrails",
			Annuity: "Variable percentage withdrawal", LifeExpectancy: "Life expectancy from " + strconv.Itoa(r.Age), Ratchet: percent(r.Rate) + " with a ratchet",
			Contribute: "Saving " + moneyText(r.Amount) + " a year", Nothing: "Plan",
		}[r.Kind]
	}
	var parts []string
	for _, h := range s.Members {
		if h.Weight == 1 {
			parts = append(parts, h.Key)
		} else {
			parts = append(parts, percent(h.Weight)+" "+h.Key)
		}
	}
	name := fmt.Sprintf("%s, %s in %s", what, yearsText(s.Years), few(parts))
	if utf8.RuneCountInString(name) > longestName {
		name = string([]rune(name)[:longestName-1]) + "…"
	}
	return name
}
