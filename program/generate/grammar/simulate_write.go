package grammar

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// WriteSimulation writes the script of a simulation. The same simulation gives the
// same text.
func WriteSimulation(s *Simulation) string {
	w := &simulationWriter{s: s, imports: map[string]bool{}}
	w.declare()
	w.simulate()
	return w.text()
}

// simulationWriter collects the parts of a script.
type simulationWriter struct {
	s       *Simulation
	imports map[string]bool
	inputs  inputs
	body    []string
}

func (w *simulationWriter) line(indent int, format string, args ...any) {
	w.body = append(w.body, strings.Repeat("    ", indent)+fmt.Sprintf(format, args...))
}

func (w *simulationWriter) text() string {
	var b strings.Builder
	b.WriteString(`"""` + strings.Join(wrap(plainText(DescribeSimulation(w.s)), 96), "\n") + "\n" + `"""` + "\n")
	if len(w.imports) > 0 {
		fmt.Fprintf(&b, "from harness import %s\n", strings.Join(slices.Sorted(maps.Keys(w.imports)), ", "))
	}
	fmt.Fprintf(&b, "\nNAME = %s\n", quote(w.s.Name))
	if w.s.Symbol != "" {
		fmt.Fprintf(&b, "SYMBOL = %s\n", quote(w.s.Symbol))
	}
	if w.s.Step != "yearly" {
		fmt.Fprintf(&b, "STEP = %s\n", quote(w.s.Step))
	}
	fmt.Fprintf(&b, "\n%s\n\ndef simulate(ctx):\n%s\n", w.inputs.text(), strings.Join(w.body, "\n"))
	return b.String()
}

// plainText escapes a text inside three quotation marks.
func plainText(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"""`, `\"\"\"`)
}

// declare writes the inputs that the description has given.
func (w *simulationWriter) declare() {
	s, in := w.s, &w.inputs
	in.add(input{name: "universe", kind: "array", value: list(keysOf(s.Members), quote), title: "Universe", primary: true})
	if len(s.Members) > 1 || s.Members[0].Weight != 1 {
		in.add(input{name: "weights", kind: "array", value: list(weightsOf(s.Members), float), title: "Weights", about: "Fractions, in the order of the universe", primary: true})
	}
	if s.Glide != nil {
		in.add(input{name: "last_weights", kind: "array", value: list(s.Glide.To, float), title: "Last weights", about: "Where the weights go, in the order of the universe", primary: true})
		if s.Glide.Years > 0 {
			in.integer("glide_years", s.Glide.Years, 1, mostYears, "Years of the glide path", "years")
		}
	}
	if s.Rebalance != "monthly" {
		in.add(input{name: "rebalance", kind: "string", value: quote(s.Rebalance), title: "Rebalance"})
	}
	in.add(input{name: "start_value", kind: "number", value: float(s.Start), title: "Start value", unit: "usd", primary: true})
	in.add(input{name: "years", kind: "integer", value: strconv.Itoa(s.Years), title: "Years", primary: true})
	for i := range s.Phases {
		w.declareRule(i)
	}
	if s.Goal > 0 {
		in.add(input{name: "goal", kind: "number", value: float(s.Goal), least: "0.0", most: "1000000000000000.0", title: "Goal", about: "In prices of the start", unit: "usd", primary: true})
	}
	w.declareSettings()
}

func weightsOf(list []Holding) (weights []float64) {
	for _, h := range list {
		weights = append(weights, h.Weight)
	}
	return weights
}

func (w *simulationWriter) declareSettings() {
	t, in := w.s.Settings, &w.inputs
	number := func(name, kind string, value *float64, title string) {
		if value != nil {
			in.add(input{name: name, kind: kind, value: float(*value), title: title})
		}
	}
	integer := func(name string, value *int, title string) {
		if value != nil {
			in.add(input{name: name, kind: "integer", value: strconv.Itoa(*value), title: title})
		}
	}
	integer("paths", t.Paths, "Paths")
	integer("seed", t.Seed, "Seed")
	if t.Source != "" {
		in.add(input{name: "source", kind: "string", value: quote(t.Source), title: "Source of returns"})
	}
	if t.Since > 0 {
		in.add(input{name: "since", kind: "integer", value: strconv.Itoa(t.Since), title: "First year of data"})
	}
	number("block", "number", t.Block, "Mean block")
	number("inflation", "number", t.Inflation, "Inflation")
	if t.Prices != "" {
		in.add(input{name: "inflation", kind: "number", value: quote(t.Prices), title: "Inflation"})
	}
	number("fee", "number", t.Fee, "Fee")
}

// phaseName begins the names of a phase's inputs, where there are several phases.
func (w *simulationWriter) phaseName(i int) string {
	if len(w.s.Phases) == 1 {
		return ""
	}
	return fmt.Sprintf("part_%d_", i+1)
}

// declareRule writes the inputs of a phase.
func (w *simulationWriter) declareRule(i int) {
	in, r, name, title := &w.inputs, w.s.Phases[i].Rule, w.phaseName(i), ""
	if name != "" {
		title = fmt.Sprintf("Part %d: ", i+1)
		if i < len(w.s.Phases)-1 {
			in.integer(name+"years", w.s.Phases[i].Years, 1, mostYears, title+"years", "years")
		}
	}
	titled := func(text string) string {
		if title == "" {
			return text
		}
		return title + strings.ToLower(text[:1]) + text[1:]
	}
	fraction := func(key, text, about string, value, most float64) {
		in.number(name+key, value, 0, most, titled(text), about, true)
	}
	switch r.Kind {
	case FixedRate, LevelRate, Percentage, FloorCeiling, GuytonKlinger, Ratchet:
		fraction("rate", "Withdrawal rate", "A year, as a fraction", r.Rate, 1)
	case Annuity:
		in.number(name+"real_return", r.Rate, 0, 1, titled("Real return"), "That the payments count on, a year", true)
	case FixedAmount:
		in.add(input{name: name + "amount", kind: "number", value: float(r.Amount), least: "0.0", most: "1000000000000000.0", title: titled("Withdrawal"), about: "A year, in prices of the start", unit: "usd", primary: true})
	case Contribute:
		about := "A year, in prices of the start"
		if r.Growth != nil {
			about = "In the first year"
		}
		in.add(input{name: name + "saving", kind: "number", value: float(r.Amount), least: "0.0", most: "1000000000000000.0", title: titled("Saving"), about: about, unit: "usd", primary: true})
		if r.Growth != nil && *r.Growth != 0 {
			in.number(name+"growth", *r.Growth, 0, 1, titled("Growth of the saving"), "A year, as a fraction", true)
		}
	case LifeExpectancy:
		in.integer(name+"age", r.Age, 72, 120, titled("Age at the start"), "years")
	}
	switch r.Kind {
	case FloorCeiling:
		fraction("floor", "Floor", "Of the first withdrawal in real money, as a fraction", r.Floor, 10)
		fraction("ceiling", "Ceiling", "Of the first withdrawal in real money, as a fraction", r.Ceiling, 10)
	case GuytonKlinger:
		fraction("guard", "Guardrails", "How far the rate may move from the first one, as a fraction of it", r.Guard, 1)
		fraction("change", "Change at a guardrail", "As a fraction of the spending", r.Change, 1)
	case Ratchet:
		if r.RaiseBy > 0 {
			fraction("raise_by", "Raise", "As a fraction of the spending", r.RaiseBy, 1)
			in.number(name+"above", r.Above, 0.01, 100, titled("Raised above"), "Real value, as a multiple of the start", true)
		}
	}
}

// simulate writes the function.
func (w *simulationWriter) simulate() {
	s := w.s
	switch {
	case s.Goal > 0:
		w.line(1, "reached = ctx.last_withdrawal == 0 or ctx.real_value >= ctx.inputs.goal")
		w.line(1, `ctx.record("reached", reached)`)
		w.line(1, "if reached:")
		w.line(2, "%s", w.result("0"))
		w.line(1, "%s", w.result(w.rule(0)))
		return
	case len(s.Phases) == 1:
		w.line(1, "%s", w.result(w.total(w.rule(0))))
		return
	}
	steps := ""
	if n := map[string]string{"quarterly": "4", "monthly": "12"}[s.Step]; n != "" {
		steps = n + " * "
	}
	var until []string
	for i := range s.Phases[:len(s.Phases)-1] {
		until = append(until, fmt.Sprintf("ctx.inputs.part_%d_years", i+1))
		end := strings.Join(until, " + ")
		if steps != "" && len(until) > 1 {
			end = "(" + end + ")"
		}
		word := "if"
		if i > 0 {
			word = "elif"
		}
		w.line(1, "%s ctx.step < %s%s:", word, steps, end)
		w.line(2, "money = %s", w.rule(i))
	}
	w.line(1, "else:")
	w.line(2, "money = %s", w.rule(len(s.Phases)-1))
	w.line(1, "%s", w.result(w.total("money")))
}

// total adds the dated payments to a rule.
func (w *simulationWriter) total(rule string) string {
	if len(w.s.Flows) == 0 {
		return rule
	}
	w.imports["flows"] = true
	w.line(1, "dated = flows(ctx, [")
	for _, f := range w.s.Flows {
		real := ""
		if !f.Real {
			real = `, "real": False`
		}
		about := ""
		if f.About != "" {
			about = "  # " + f.About
		}
		w.line(2, `{"first": %d, "last": %s, "amount": %s%s},%s`, f.First, lastYear(f), float(f.Amount), real, about)
	}
	w.line(1, "])")
	if rule == "0" {
		return "dated"
	}
	return rule + " + dated"
}

// lastYear is the last year of a payment.
func lastYear(f Flow) string {
	if f.Open {
		return "ctx.inputs.years"
	}
	return strconv.Itoa(f.Last)
}

// result returns money, and the weights of a glide path.
func (w *simulationWriter) result(money string) string {
	g := w.s.Glide
	if g == nil {
		return "return " + money
	}
	years := "ctx.inputs.years"
	if g.Years > 0 {
		years = "ctx.inputs.glide_years"
	}
	if n := map[string]string{"quarterly": "4", "monthly": "12"}[w.s.Step]; n != "" {
		years = "(" + n + " * " + years + ")"
	}
	before := []string{
		"    done = min(1, ctx.step / " + years + ")",
		"    weights = {}",
		"    for key, first, last in zip(ctx.inputs.universe, ctx.inputs.weights, ctx.inputs.last_weights):",
		"        weights[key] = first + (last - first) * done",
	}
	if !slices.Contains(w.body, before[0]) {
		w.body = append(before, w.body...)
	}
	return fmt.Sprintf(`return {"withdraw": %s, "weights": weights}`, money)
}

// rule is the call of a phase's rule.
func (w *simulationWriter) rule(i int) string {
	r, name := w.s.Phases[i].Rule, w.phaseName(i)
	call := func(function string, arguments ...string) string {
		w.imports[function] = true
		text := function + "(ctx"
		for j := 0; j < len(arguments); j += 2 {
			text += ", " + arguments[j] + "="
			if v := arguments[j+1]; strings.ContainsAny(v[:1], "0123456789") {
				text += v
			} else {
				text += "ctx.inputs." + name + v
			}
		}
		return text + ")"
	}
	switch r.Kind {
	case FixedRate:
		return call("withdraw_fixed", "rate", "rate")
	case LevelRate:
		return fmt.Sprintf("ctx.inputs.%srate * ctx.start_value%s", name, map[string]string{"quarterly": " / 4", "monthly": " / 12"}[w.s.Step])
	case FixedAmount:
		return call("withdraw_fixed", "amount", "amount")
	case Percentage:
		return call("withdraw_percentage", "rate", "rate")
	case FloorCeiling:
		return call("withdraw_floor_ceiling", "rate", "rate", "floor", "floor", "ceiling", "ceiling")
	case GuytonKlinger:
		return call("guyton_klinger", "rate", "rate", "guard", "guard", "change", "change")
	case Annuity:
		return call("vpw", "rate", "real_return")
	case LifeExpectancy:
		return call("life_expectancy", "age", "age")
	case Ratchet:
		if r.RaiseBy == 0 {
			return call("ratchet", "rate", "rate", "raise_by", "0")
		}
		return call("ratchet", "rate", "rate", "raise_by", "raise_by", "above", "above")
	case Contribute:
		switch {
		case r.Growth == nil:
			return call("contribute", "amount", "saving")
		case *r.Growth == 0:
			return call("contribute", "amount", "saving", "growth", "0")
		}
		return call("contribute", "amount", "saving", "growth", "growth")
	}
	return "0"
}
