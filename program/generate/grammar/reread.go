package grammar

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ballast/program/generate"
	"ballast/script"
)

// InWords returns a description that gives the script of a model again: the same code,
// though its docstring may word assumptions as what was said. It returns "" if there is
// none: for a script that this package did not write, whose code was changed, or that is
// composed of choices and blends which have no sentence of their own.
func InWords(ctx context.Context, text string) (string, error) {
	plan, ok := Reread(text)
	if !ok {
		return treeInWords(ctx, text)
	}
	words := Say(plan)
	again, err := modelScript(ctx, universeLibrary(plan), generate.Request{Prompt: words})
	switch {
	case isStrange(err):
		return "", nil
	case err != nil:
		return "", err
	case alikeCode(again) != alikeCode(text):
		return "", nil
	}
	return words, nil
}

var decimals = regexp.MustCompile(`\d+\.\d{6,}`)

// alikeCode returns the code of a script with shares to nine digits: a third of the rest
// may differ in the last digit from a share that is written out.
func alikeCode(text string) string {
	return decimals.ReplaceAllStringFunc(codeOf(text), func(s string) string {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return s
		}
		return float(math.Round(x*1e9) / 1e9)
	})
}

// onlyMembers is a library with the members of one script and nothing else.
type onlyMembers map[string]generate.Member

func universeLibrary(plan *Plan) onlyMembers {
	known := onlyMembers{}
	for _, key := range (&writer{plan: plan}).universe() {
		known[key] = generate.Member{Key: key, ID: key, Symbol: key, Name: key}
	}
	return known
}

func (l onlyMembers) Members(_ context.Context, names []string) (map[string]generate.Member, error) {
	found := map[string]generate.Member{}
	for _, name := range names {
		if m, ok := l[name]; ok {
			found[name] = m
		}
	}
	return found, nil
}

func (onlyMembers) Nearest(context.Context, []string) (map[string]string, error) { return nil, nil }
func (onlyMembers) Models(context.Context) ([]generate.Member, error)            { return nil, nil }
func (onlyMembers) Search(context.Context, string, int) ([]generate.Member, error) {
	return nil, nil
}
func (onlyMembers) Series(context.Context) ([]generate.Series, error) { return nil, nil }

// Reread returns the plan of a script that this package wrote, with what its inputs say
// now; false if it did not write it, or if more than inputs was changed. The check is
// exact: the plan has to give the same script again.
func Reread(text string) (*Plan, bool) {
	program, problems := script.Check(text, nil)
	if len(problems) > 0 || program.Kind != script.Model {
		return nil, false
	}
	r := &rereader{program: program, code: codeOf(text)}
	plan := r.plan()
	if plan == nil || !sayable(plan) || codeOf(Write(plan)) != r.code {
		return nil, false
	}
	return plan, true
}

// codeOf returns a script without its docstring, which holds notes on what was assumed.
func codeOf(text string) string {
	if rest, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), `"""`); ok {
		if _, code, ok := strings.Cut(rest, `"""`); ok {
			return strings.TrimSpace(code)
		}
	}
	return strings.TrimSpace(text)
}

// rereader reads what the writer wrote.
type rereader struct {
	program *script.Script
	code    string
}

func (r *rereader) has(text string) bool { return strings.Contains(r.code, text) }

func (r *rereader) input(name string) any {
	p, ok := r.program.Inputs.Property(name)
	if !ok || p.Service {
		return nil
	}
	return p.Default
}

func (r *rereader) number(name string, otherwise float64) float64 {
	switch v := r.input(name).(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case int:
		return float64(v)
	}
	return otherwise
}

func (r *rereader) integer(name string) int { return int(r.number(name, 0)) }

func (r *rereader) text(name string) string {
	s, _ := r.input(name).(string)
	return s
}

func (r *rereader) texts(name string) (list []string) {
	values, _ := r.input(name).([]any)
	for _, v := range values {
		if s, ok := v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

func (r *rereader) numbers(name string) (list []float64) {
	values, _ := r.input(name).([]any)
	for _, v := range values {
		switch x := v.(type) {
		case float64:
			list = append(list, x)
		case int64:
			list = append(list, float64(x))
		}
	}
	return list
}

// stringAfter returns the constant that a line sets.
func (r *rereader) stringAfter(name string) string {
	found := regexp.MustCompile(`(?m)^` + name + ` = "((?:[^"\\]|\\.)*)"$`).FindStringSubmatch(r.code)
	if found == nil {
		return ""
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(found[1])
}

// bandedMember finds the member whose weight alone counts for a band.
var bandedMember = regexp.MustCompile(`and abs\(ctx\.weights\.get\("([^"]+)", 0\.0\)`)

// plan puts the plan together; nil if a part of it is missing.
func (r *rereader) plan() *Plan {
	universe := r.texts("universe")
	if len(universe) == 0 {
		return nil
	}
	plan := &Plan{
		Name: r.stringAfter("NAME"), Symbol: r.stringAfter("SYMBOL"), Fill: r.stringAfter("FILL"), Schedule: r.schedule(), Hold: r.has("return None  # bought once"),
		Weighting: Equal, RiskLookback: r.integer("risk_lookback"), RiskAversion: r.number("risk_aversion", 4), Cap: r.number("cap", 0),
		Target: r.number("target_volatility", 0), MaxGross: r.number("max_gross", 1), Rest: r.text("rest"), Leverage: r.number("leverage", 1),
	}
	if size := r.number("band", 0); size > 0 {
		plan.Band = &Band{Size: size, Relative: r.has("away = [s for s in ctx.inputs.universe") || r.has("<= ctx.inputs.band * abs(")}
		if found := bandedMember.FindStringSubmatch(r.code); found != nil {
			plan.Band.Key = found[1]
		}
	}
	if pool := r.texts("offensive"); len(pool) > 0 {
		return r.rule(plan, pool)
	}
	for weighting, call := range map[Weighting]string{InverseVolatility: "= inverse_volatility(", RiskParity: "= risk_parity(", MinimumVariance: "= min_variance(", MeanVariance: "= mean_variance("} {
		if r.has(call) {
			plan.Weighting = weighting
		}
	}
	if found := regexp.MustCompile(`= optimize\("([^"]+)",`).FindStringSubmatch(r.code); found != nil {
		plan.Weighting, plan.Optimizer = ByOptimizer, found[1]
	}
	plan.Select, plan.Each, plan.Gate = r.selection(), r.test("passes"), r.test("holds")
	plan.Else = r.otherwise()
	if weights := r.numbers("weights"); len(weights) > 0 {
		if len(weights) > len(universe) {
			return nil
		}
		plan.Weighting = Fixed
		for i, w := range weights {
			plan.Pool = append(plan.Pool, Holding{universe[i], w})
		}
		return plan
	}
	for _, key := range universe {
		if !slices.Contains(r.apart(), key) {
			plan.Pool = append(plan.Pool, Holding{Key: key})
		}
	}
	lower, upper := r.numbers("lower"), r.numbers("upper")
	if len(lower) != len(upper) || len(lower) > len(universe) {
		return nil
	}
	for i := range lower {
		plan.Bounds = append(plan.Bounds, Bound{universe[i], lower[i], upper[i]})
	}
	return plan
}

// rule completes the plan of a published rule.
func (r *rereader) rule(plan *Plan, pool []string) *Plan {
	plan.Rule = &Published{Hold: r.integer("hold"), Defensive: r.texts("defensive"), Canary: r.texts("canaries"), Bills: r.text("bills")}
	switch {
	case r.has(`"refuge"`):
		plan.Rule.Kind = Bold
	case r.has(`"protection"`):
		plan.Rule.Kind = Protected
	case r.has(`"breadth"`):
		plan.Rule.Kind = Defending
	case r.has(`"canaries"`):
		plan.Rule.Kind = Hybrid
	default:
		plan.Rule.Kind = Vigilant
	}
	for _, key := range pool {
		plan.Pool = append(plan.Pool, Holding{Key: key})
	}
	return plan
}

var (
	weekdayOf = regexp.MustCompile(`(?m)^SCHEDULE = \{"every": "weekly", "weekday": "(\w+)"\}$`)
	sessionOf = regexp.MustCompile(`(?m)^SCHEDULE = \{"every": "(\w+)", "session": (-?\d+)\}$`)
	monthsOf  = regexp.MustCompile(`ctx\.date\[5:7\] not in \[([^\]]*)\]:\n        return None  # not one of its months`)
	digits    = regexp.MustCompile(`-?\d+`)
	inputsOf  = regexp.MustCompile(`ctx\.inputs\.(\w+)`)
	quotedOf  = regexp.MustCompile(`"([^"]+)"`)
	apartOf   = regexp.MustCompile(`(?m)^    (?:pool = \[s for s in ctx\.universe if s != (.*)\]|apart = (.*))$`)
)

func (r *rereader) schedule() (s Schedule) {
	s = Schedule{Every: r.stringAfter("SCHEDULE"), Session: -1}
	if found := weekdayOf.FindStringSubmatch(r.code); found != nil {
		s.Every, s.Weekday = "weekly", found[1]
	}
	if found := sessionOf.FindStringSubmatch(r.code); found != nil {
		s.Every, s.Session = found[1], atoi(found[2])
	}
	if found := monthsOf.FindStringSubmatch(r.code); found != nil {
		for _, m := range digits.FindAllString(found[1], -1) {
			s.Months = append(s.Months, atoi(m))
		}
	}
	return s
}

func atoi(text string) (n int) {
	sign := 1
	for _, c := range text {
		if c == '-' {
			sign = -1
		} else {
			n = 10*n + int(c-'0')
		}
	}
	return sign * n
}

// apart returns the members that have another role than those that are chosen from.
func (r *rereader) apart() (keys []string) {
	found := apartOf.FindStringSubmatch(r.code)
	if found == nil {
		return nil
	}
	line := found[1] + found[2]
	for _, in := range inputsOf.FindAllStringSubmatch(line, -1) {
		if in[1] == "defensive" {
			keys = append(keys, r.texts("defensive")...)
			continue
		}
		keys = append(keys, r.text(in[1]))
	}
	for _, q := range quotedOf.FindAllStringSubmatch(line, -1) {
		keys = append(keys, q[1])
	}
	return keys
}

func (r *rereader) otherwise() (list []Holding) {
	if key := r.text("safe"); key != "" {
		return []Holding{{key, 1}}
	}
	keys, weights := r.texts("defensive"), r.numbers("defensive_weights")
	for i := range min(len(keys), len(weights)) {
		list = append(list, Holding{keys[i], weights[i]})
	}
	return list
}

func (r *rereader) selection() *Selection {
	if r.input("hold") == nil {
		return nil
	}
	x := &Selection{Count: r.integer("hold"), Skip: r.integer("skip"), Hurdle: r.text("hurdle"), Lowest: r.has("chosen = bottom(")}
	if n := r.integer("lookback"); n > 0 {
		x.Lookbacks = []int{n}
	}
	for _, n := range r.numbers("lookbacks") {
		x.Lookbacks = append(x.Lookbacks, int(n))
	}
	for by, call := range map[Score]string{ByRSI: "scores = {s: rsi(", ByVolatility: "scores = {s: volatility(", ByDrawdown: "scores = {s: -max_drawdown(", BySharpe: "scores = {s: sharpe("} {
		if r.has(call) {
			x.By = by
		}
	}
	switch {
	case r.has("if max(list(scores.values())) <= "):
		x.Positive = AnyMember
	case r.has("winners = [s for s in chosen if scores[s] > "):
		x.Positive = PerMember
	}
	if len(x.Lookbacks) == 0 {
		return nil
	}
	return x
}

// test reads a helper that evaluates a condition.
func (r *rereader) test(name string) *Test {
	_, body, ok := strings.Cut(r.code, "\ndef "+name+"(ctx, ")
	if !ok {
		return nil
	}
	body, _, _ = strings.Cut(body, "\n\n\ndef ")
	t := &Test{Below: strings.Contains(body, " < "), Slow: r.integer("average")}
	if name == "holds" {
		t.Signal = r.text("signal")
	}
	switch {
	case strings.Contains(body, "share of members above"):
		t.Kind, t.Level, t.Signal, t.Below = Breadth, r.number("level", 0), "", false
		t.Exponential = r.has("ema(prices, ctx.inputs.average)")
	case strings.Contains(body, "One moving average"):
		t.Kind, t.Fast, t.Slow = Cross, r.integer("fast"), r.integer("slow")
	case strings.Contains(body, "trend's lookback"):
		t.Kind, t.Slow, t.Other = Rising, r.integer("trend"), r.text("rival")
	case strings.Contains(body, "Wilder's index"):
		t.Kind, t.Slow, t.Level = Strength, r.integer("rsi_lookback"), r.number("level", 0)
	default:
		t.Kind, t.Exponential = AboveAverage, strings.Contains(body, "ema(prices")
	}
	return t
}

// sayable reports a plan whose parts fit together, so that it can be written.
func sayable(plan *Plan) bool {
	switch {
	case len(plan.Pool) == 0, plan.Schedule.Every == "":
		return false
	case plan.Rule != nil:
		return len(plan.Rule.Defensive) > 0
	case plan.Gate != nil && plan.Gate.Kind != Breadth && plan.Gate.Signal == "":
		return false
	}
	return true
}
