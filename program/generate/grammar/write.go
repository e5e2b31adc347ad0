package grammar

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Write writes the script of a plan. The same plan gives the same text.
func Write(plan *Plan) string {
	w := &writer{plan: plan, imports: map[string]bool{}}
	w.declare()
	w.decide()
	return w.text(Describe(plan))
}

// writer collects the parts of a script.
type writer struct {
	plan    *Plan
	imports map[string]bool
	inputs  inputs
	apart   []string // inputs that name members of the universe outside of the pool
	helper  []string // functions before decide
	body    []string
	part    bool // a leaf of a tree: its universe is what is held or chosen from
}

func (w *writer) use(name string) string { w.imports[name] = true; return name }

// line adds a line to decide.
func (w *writer) line(indent int, format string, args ...any) {
	w.body = append(w.body, strings.Repeat("    ", indent)+fmt.Sprintf(format, args...))
}

// text returns the script with a docstring.
func (w *writer) text(about string) string {
	var b strings.Builder
	about = strings.ReplaceAll(strings.ReplaceAll(about, `\`, `\\`), `"""`, `\"\"\"`)
	b.WriteString(`"""` + strings.Join(wrap(about, 96), "\n") + "\n" + `"""` + "\n")
	if len(w.imports) > 0 {
		fmt.Fprintf(&b, "from harness import %s\n", strings.Join(slices.Sorted(maps.Keys(w.imports)), ", "))
	}
	fmt.Fprintf(&b, "\nNAME = %s\n", quote(w.plan.Name))
	if w.plan.Symbol != "" {
		fmt.Fprintf(&b, "SYMBOL = %s\n", quote(w.plan.Symbol))
	}
	fmt.Fprintf(&b, "SCHEDULE = %s\nFILL = %s\n\n%s\n", scheduleText(w.plan.Schedule), quote(w.plan.Fill), w.inputs.text())
	for _, h := range w.helper {
		b.WriteString(h + "\n\n")
	}
	b.WriteString("\ndef decide(ctx):\n" + strings.Join(w.body, "\n") + "\n")
	return b.String()
}

func scheduleText(s Schedule) string {
	switch {
	case s.Weekday != "":
		return fmt.Sprintf(`{"every": "weekly", "weekday": %s}`, quote(s.Weekday))
	case s.Session != -1 && s.Every != "daily":
		return fmt.Sprintf(`{"every": %s, "session": %d}`, quote(s.Every), s.Session)
	}
	return quote(s.Every)
}

// universe returns every member, the pool first.
func (w *writer) universe() []string {
	keys := keysOf(w.plan.Pool)
	add := func(key string) {
		if key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, h := range w.plan.Else {
		add(h.Key)
	}
	if w.plan.Select != nil {
		add(w.plan.Select.Hurdle)
	}
	add(w.plan.Rest)
	if w.plan.Rule != nil {
		for _, key := range w.plan.Rule.keys() {
			add(key)
		}
	}
	if w.plan.Gate != nil {
		add(w.plan.Gate.Signal)
		add(w.plan.Gate.Other)
	}
	return keys
}

// declare writes the inputs.
func (w *writer) declare() {
	plan, in := w.plan, &w.inputs
	universe, title := w.universe(), "Universe"
	if w.part {
		universe, title = keysOf(plan.Pool), "Members of a part"
	}
	if plan.Rule == nil || !w.part {
		in.add(input{name: "universe", kind: "array", value: list(universe, quote), title: title, primary: true})
	}
	w.declareRule()
	if plan.Weighting == Fixed {
		weights := make([]float64, len(plan.Pool))
		for i, h := range plan.Pool {
			weights[i] = h.Weight
		}
		in.add(input{name: "weights", kind: "array", value: list(weights, float), title: "Weights", about: "Fractions of equity, in the order of the universe", primary: true})
	}
	w.declareSelection()
	if plan.Each != nil {
		w.declareTest(plan.Each)
	}
	if plan.Gate != nil {
		w.declareTest(plan.Gate)
	}
	w.declareElse()
	w.declareRisk()
	if plan.Band != nil {
		title, about := "Band", "Fraction of equity that a weight may be away from its target"
		if plan.Band.Relative {
			title, about = "Relative band", "Fraction of its target that a weight may be away from it"
		}
		in.number("band", plan.Band.Size, 0.001, 1, title, about, true)
	}
}

func (w *writer) declareSelection() {
	x, in := w.plan.Select, &w.inputs
	if x == nil {
		return
	}
	if len(x.Lookbacks) == 1 {
		in.integer("lookback", x.Lookbacks[0], 2, 1260, scoreTitles[x.By]+" lookback", "sessions")
	} else {
		in.add(input{name: "lookbacks", kind: "array", value: list(x.Lookbacks, func(n int) string { return fmt.Sprint(n) }), title: "Momentum lookbacks", about: "The score is the mean of the returns over them", unit: "sessions", primary: true})
	}
	if x.Skip > 0 {
		in.integer("skip", x.Skip, 0, 252, "Skipped sessions", "sessions")
	}
	in.integer("hold", x.Count, 1, max(10, len(w.plan.Pool)), "Holdings", "")
	if x.Hurdle != "" {
		in.member("hurdle", x.Hurdle, "Hurdle", "Momentum has to be above that of this member")
		w.outside("hurdle", x.Hurdle)
	}
}

// outside records an input whose member is not part of the pool.
func (w *writer) outside(name, key string) {
	if !slices.Contains(keysOf(w.plan.Pool), key) {
		w.apart = append(w.apart, "ctx.inputs."+name)
	}
}

func (w *writer) declareTest(t *Test) {
	in := &w.inputs
	if t.Signal != "" {
		in.member("signal", t.Signal, "Signal", "The member that the condition looks at")
		w.outside("signal", t.Signal)
	}
	switch t.Kind {
	case AboveAverage, Breadth:
		in.integer("average", t.Slow, 2, 1260, "Moving average", "sessions")
	case Cross:
		in.integer("fast", t.Fast, 2, 630, "Fast moving average", "sessions")
		in.integer("slow", t.Slow, 3, 1260, "Slow moving average", "sessions")
	case Rising:
		in.integer("trend", t.Slow, 2, 1260, "Trend lookback", "sessions")
		if t.Other != "" {
			in.member("rival", t.Other, "Rival", "The member whose return has to be beaten")
			w.outside("rival", t.Other)
		}
	case Strength:
		in.integer("rsi_lookback", t.Slow, 2, 252, "RSI lookback", "sessions")
	}
	switch t.Kind {
	case Strength:
		in.number("level", t.Level, 1, 99, "RSI level", "", true)
	case Breadth:
		in.number("level", t.Level, 0.01, 1, "Share that has to be above", "", true)
	}
}

func (w *writer) declareElse() {
	in, list2 := &w.inputs, w.plan.Else
	if len(list2) == 0 {
		return
	}
	if w.safe() {
		in.member("safe", list2[0].Key, "Safe asset", "Held instead")
		w.outside("safe", list2[0].Key)
		return
	}
	weights := make([]float64, len(list2))
	var apart []string
	for i, h := range list2 {
		weights[i] = h.Weight
		if !slices.Contains(keysOf(w.plan.Pool), h.Key) {
			apart = append(apart, h.Key)
		}
	}
	in.add(input{name: "defensive", kind: "array", value: list(keysOf(list2), quote), title: "Defensive members", about: "Held instead"})
	in.add(input{name: "defensive_weights", kind: "array", value: list(weights, float), title: "Defensive weights", about: "Fractions, in the order of the defensive members"})
	if len(apart) == len(list2) {
		w.apart = append(w.apart, "*defensive")
	} else {
		for _, key := range apart {
			w.apart = append(w.apart, quote(key))
		}
	}
}

// safe reports whether one member takes everything that is held instead.
func (w *writer) safe() bool { return len(w.plan.Else) == 1 && w.plan.Else[0].Weight == 1 }

func (w *writer) declareRisk() {
	plan, in := w.plan, &w.inputs
	if plan.RiskLookback > 0 {
		in.integer("risk_lookback", plan.RiskLookback, 5, 1260, "Risk lookback", "sessions")
	}
	if plan.Weighting == MeanVariance {
		in.number("risk_aversion", plan.RiskAversion, 0.1, 1000, "Risk aversion", "", true)
	}
	if plan.Cap > 0 {
		in.number("cap", plan.Cap, 0.01, 1, "Cap", "The largest weight of a member", true)
	}
	if len(plan.Bounds) > 0 {
		lower := list(plan.Bounds, func(b Bound) string { return float(b.Lower) })
		upper := list(plan.Bounds, func(b Bound) string { return float(b.Upper) })
		in.add(input{name: "lower", kind: "array", value: lower, title: "Least weights", about: "Fractions of equity, in the order of the universe", primary: true})
		in.add(input{name: "upper", kind: "array", value: upper, title: "Largest weights", about: "Fractions of equity, in the order of the universe", primary: true})
	}
	if plan.Target > 0 {
		in.number("target_volatility", plan.Target, 0.005, 1, "Target volatility", "A year, as a fraction", true)
		in.number("max_gross", plan.MaxGross, 0.1, 10, "Largest exposure", "As a fraction of equity", false)
	}
	if plan.Rest != "" {
		in.member("rest", plan.Rest, "Rest", "Takes what the volatility target leaves")
		w.outside("rest", plan.Rest)
	}
	if plan.Leverage != 1 {
		in.number("leverage", plan.Leverage, 0.1, 10, "Leverage", "What all weights are multiplied by", true)
	}
}
