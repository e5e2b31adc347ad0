package simulation

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ballast/internal/testenv"
	"ballast/script"
	"ballast/script/dialect"
	"ballast/script/sandbox"
	"ballast/simulate"
	"ballast/timeseries"
)

// frameOf has members with random daily returns over some years.
func frameOf(t testing.TB, r *rand.Rand, years int, keys ...string) *timeseries.Frame {
	t.Helper()
	var sources []timeseries.Source
	first, err := timeseries.ParseDate("1990-01-02")
	check(t, err)
	for _, key := range keys {
		s := timeseries.Series{Base: first}
		for d := first + 1; d < first+timeseries.Date(366*years); d++ {
			if day := d.Weekday(); day == time.Saturday || day == time.Sunday {
				continue
			}
			s.Dates = append(s.Dates, d)
			s.Returns = append(s.Returns, 0.0003+0.01*r.NormFloat64())
		}
		sources = append(sources, timeseries.Source{Key: key, Series: s})
	}
	f, err := timeseries.Align(sources)
	check(t, err)
	return f
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// callOf is a call of a script over a frame.
func callOf(t testing.TB, f *timeseries.Frame, source string, inputs map[string]any) sandbox.Call {
	t.Helper()
	p, problems := script.Kinds{script.Model, Kind}.Check(source, nil)
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, source)
	}
	in, details := p.Bind(inputs)
	if len(details) > 0 {
		t.Fatal(details)
	}
	caller, err := script.NewCaller(t.Context(), p, script.RunnerLimits{})
	check(t, err)
	return sandbox.Call{Caller: caller, Inputs: in, Frame: f, Progress: func(float64) {}}
}

const head = "from harness import contribute, flows, guyton_klinger, life_expectancy, ratchet, vpw, withdraw_fixed, withdraw_floor_ceiling, withdraw_percentage\n" +
	"NAME = \"Plan\"\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": [\"AAA\", \"BBB\"]}, \"rate\": {\"type\": \"number\", \"default\": 0.04}}\n"

// randomRule is a call of a rule of the harness.
func randomRule(r *rand.Rand) string {
	return []string{
		"withdraw_fixed(ctx, rate=ctx.inputs.rate)",
		"withdraw_fixed(ctx, amount=30000)",
		"withdraw_percentage(ctx, 0.05)",
		"withdraw_floor_ceiling(ctx, 0.05, 0.8, 1.1)",
		"guyton_klinger(ctx, 0.05)",
		"guyton_klinger(ctx, rate=0.045, guard=0.1, change=0.05)",
		"vpw(ctx)", "vpw(ctx, rate=0.01)",
		"life_expectancy(ctx, 75)",
		"ratchet(ctx, 0.03)", "ratchet(ctx, 0.03, raise_by=0.2, above=1.2)",
		"contribute(ctx, 12000)", "contribute(ctx, 12000, growth=0.01)",
		`flows(ctx, [{"first": 2, "last": 4, "amount": 9000}, {"first": 3, "last": 3, "amount": -5000, "real": False}])`,
	}[r.IntN(14)]
}

// same reports whether two answers have the same bits.
func same(a, b *script.Answer) error {
	if len(a.Tables) != len(b.Tables) {
		return fmt.Errorf("%d tables and %d", len(a.Tables), len(b.Tables))
	}
	for i := range a.Tables {
		for k, c := range a.Tables[i].Columns {
			d := b.Tables[i].Columns[k]
			if c.Name != d.Name || !slices.Equal(c.Texts, d.Texts) || !slices.Equal(c.Dates, d.Dates) || len(c.Numbers) != len(d.Numbers) {
				return fmt.Errorf("column %s of %s", c.Name, a.Tables[i].Name)
			}
			for row := range c.Numbers {
				if math.Float64bits(c.Numbers[row]) != math.Float64bits(d.Numbers[row]) && !(math.IsNaN(c.Numbers[row]) && math.IsNaN(d.Numbers[row])) {
					return fmt.Errorf("row %d of %s of %s: %v and %v", row, c.Name, a.Tables[i].Name, c.Numbers[row], d.Numbers[row])
				}
			}
		}
	}
	if x, y := fmt.Sprint(a.Scalars), fmt.Sprint(b.Scalars); x != y {
		return fmt.Errorf("%s and %s", x, y)
	}
	return nil
}

// What a traced script gives has the bits of the same script called for every path and
// step, and one path read alone is that path of the whole.
func TestTracedEqualsCalled(t *testing.T) {
	t.Parallel()
	r := testenv.Random(t, 1, 1)
	f := frameOf(t, r, 12, "AAA", "BBB")
	for round := range testenv.Rounds(12, 100) {
		terms := randomRule(r)
		for range r.IntN(3) {
			terms += []string{" + ", " - ", " + 2 * ", " + -"}[r.IntN(4)] + randomRule(r)
		}
		step := []string{"yearly", "quarterly", "monthly"}[r.IntN(3)]
		source := head + fmt.Sprintf("STEP = %q\n", step) + "\n\ndef simulate(ctx):\n    spent = " + terms + "\n    return spent\n"
		branched := strings.Replace(source, "    return spent", "    if ctx.step >= 0:\n        return spent\n    return 0", 1)
		inputs := map[string]any{
			"paths": float64(100 + r.IntN(300)), "years": float64(1 + r.IntN(9)), "seed": float64(r.IntN(1000)),
			"source":    string(simulate.Sources[r.IntN(len(simulate.Sources))]),
			"rebalance": string(simulate.Rebalances[r.IntN(len(simulate.Rebalances))]), "fee": 0.01,
		}
		quick, slow := callOf(t, f, source, inputs), callOf(t, f, branched, inputs)
		if trace(quick.Caller, quick.Inputs, 1) == nil {
			t.Fatalf("not traced:\n%s", source)
		}
		if trace(slow.Caller, slow.Inputs, 1) != nil {
			t.Fatalf("traced in spite of a branch:\n%s", branched)
		}
		a, err := Execute(t.Context(), quick)
		check(t, err)
		b, err := Execute(t.Context(), slow)
		check(t, err)
		if err := same(a, b); err != nil {
			t.Fatalf("round %d: %v\n%s%v", round, err, source, inputs)
		}
		path := r.IntN(len(a.Tables[2].Columns[0].Numbers))
		quick.Path, slow.Path = &path, &path
		pa, err := Execute(t.Context(), quick)
		check(t, err)
		pb, err := Execute(t.Context(), slow)
		check(t, err)
		if err := same(pa, pb); err != nil {
			t.Fatalf("path %d: %v\n%s", path, err, source)
		}
		last := pa.Tables[0].Columns[1].Numbers
		if got, want := last[len(last)-1], a.Tables[2].Columns[1].Numbers[path]; got != want {
			t.Fatalf("path %d ends with %v alone and with %v among all\n%s", path, got, want, source)
		}
	}
}

// rulesByHand are rules of the harness written with what ctx shows.
var rulesByHand = map[string]string{
	"withdraw_fixed(ctx, rate=0.04)":  "return 0.04 * ctx.start_value * ctx.price_level",
	"withdraw_percentage(ctx, 0.05)":  "return 0.05 * ctx.value",
	"ratchet(ctx, 0.04, above=100.0)": "return 0.04 * ctx.start_value * ctx.price_level if ctx.step == 0 else ctx.last_withdrawal * ctx.price_level / ctx.price_level * 1.025",
	"vpw(ctx, 0.03)":                  "return ctx.value * 0.03 / (1 - (1 + 0.03) ** -ctx.years_left) / (1 + 0.03) if ctx.years_left > 0 else None",
}

// A rule written by hand gives the numbers of the harness's, and ctx shows what the
// tables say.
func TestContextShowsThePath(t *testing.T) {
	t.Parallel()
	r := testenv.Random(t, 2, 2)
	f := frameOf(t, r, 12, "AAA", "BBB")
	inputs := map[string]any{"paths": 200.0, "years": 8.0}
	for rule, by := range rulesByHand {
		by = strings.ReplaceAll(by, "(1 + 0.03) ** -ctx.years_left", "pow(1 + 0.03, -ctx.years_left)")
		a, err := Execute(t.Context(), callOf(t, f, head+"\n\ndef simulate(ctx):\n    return "+rule+"\n", inputs))
		check(t, err)
		b, err := Execute(t.Context(), callOf(t, f, head+"\n\ndef simulate(ctx):\n    "+by+"\n", inputs))
		check(t, err)
		for i, v := range a.Tables[2].Columns[1].Numbers {
			if w := b.Tables[2].Columns[1].Numbers[i]; math.Abs(v-w) > 1e-9*max(math.Abs(v), 1) {
				t.Fatalf("%s: path %d ends with %v, by hand with %v", rule, i, v, w)
			}
		}
	}
	source := head + `

def simulate(ctx):
    ctx.log("step %d" % ctx.step)
    ctx.record("value", ctx.value)
    ctx.record("months", len(ctx.returns()))
    ctx.record("stocks", ctx.weights["AAA"])
    if ctx.step == 0:
        return {"withdraw": 40000.0, "weights": {"AAA": 0.9, "BBB": 0.1}}
    if ctx.step == 1:
        return {"weights": {"BBB": 0.5}}
    return None
`
	call := callOf(t, f, source, map[string]any{"paths": 150.0, "years": 4.0, "weights": []any{0.3, 0.7}})
	a, err := Execute(t.Context(), call)
	check(t, err)
	if got, want := call.Caller.Log(), []string{"step 0", "step 1", "step 2", "step 3"}; !slices.Equal(got, want) {
		t.Errorf("logged %q", got)
	}
	recorded := a.Tables[len(a.Tables)-1]
	found := map[string][]float64{}
	for row, name := range recorded.Columns[0].Texts {
		found[name] = append(found[name], recorded.Columns[2+3].Numbers[row])
	}
	if got := found["months"]; !slices.Equal(got, []float64{0, 12, 24, 36}) {
		t.Errorf("months of the past %v", got)
	}
	if found["stocks"][0] != 0.3 || math.Abs(found["stocks"][1]-0.9) > 0.1 || found["stocks"][2] != 0 {
		t.Errorf("weights of AAA %v", found["stocks"])
	}
	for k, v := range found["value"] {
		if want := a.Tables[0].Columns[4].Numbers[12*k]; math.Abs(v-want) > 1e-6 {
			t.Errorf("median value at step %d is %v, and bands say %v", k, v, want)
		}
	}
	spending := a.Tables[1].Columns[4].Numbers
	if math.Abs(spending[0]-40000.0/12) > 1e-9 || spending[0] != spending[47] {
		t.Errorf("spent %v first and %v last; None is the money of the step before", spending[0], spending[47])
	}
}

func TestInvalidSimulationsNameAcceptedValues(t *testing.T) {
	t.Parallel()
	f := frameOf(t, testenv.Random(t, 3, 3), 6, "AAA", "BBB")
	for _, c := range []struct{ body, want string }{
		{`return "4 %"`, `month 1 of path 0, simulate returned a string; it must return money`},
		{`return {"withdrawal": 4}`, `returned the key "withdrawal"; it may return "withdraw" and "weights"`},
		{`return {"weights": {"AAB": 1}}`, "did you mean AAA?"},
		{"return withdraw_fixed(ctx)", "give either rate"},
		{"return withdraw_percentage(ctx, 4)", "rate is 4: it must be a yearly share of the value from 0 to 1, such as 0.04"},
		{"return life_expectancy(ctx, 60)", "from 72 to 120"},
		{`return flows(ctx, [{"from": 1}])`, "it may have first, last, amount and real"},
		{"return withdraw_fixed(3, 0.04)", "the context of simulate is needed"},
		{"return ctx.last_withdrawal * 2 if ctx.step == 0 else 1", "the value is missing; test it first with is not None"},
		{"return 1 / (ctx.value - ctx.value)", "division by zero"},
	} {
		_, err := Execute(t.Context(), callOf(t, f, head+"\n\ndef simulate(ctx):\n    "+c.body+"\n", map[string]any{"paths": 100.0, "years": 2.0}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.body, err, c.want)
		}
	}
	_, err := Execute(t.Context(), callOf(t, f, head+"\n\ndef simulate(ctx):\n    return 1\n", map[string]any{"source": "history", "years": 30.0}))
	if err == nil || !strings.Contains(err.Error(), "history can be replayed for at most 6 years") {
		t.Error(err)
	}
	p, problems := script.Kinds{Kind}.Check(head+"\n\ndef simulate(ctx):\n    return 1\n", nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, c := range []struct {
		inputs map[string]any
		want   string
	}{
		{map[string]any{"weights": []any{1.0}}, "has 1 numbers, and universe has 2 members"},
		{map[string]any{"weights": []any{"a", "b"}}, "has an element that is not a number"},
		{map[string]any{"paths": 100_000.0, "years": 200.0}, "at most 200000000 are computed"},
		{map[string]any{"source": "histroy"}, `is "histroy"`},
		{map[string]any{"years": 0.5}, "not an integer"},
	} {
		if _, details := p.Bind(c.inputs); len(details) != 1 || !strings.Contains(details[0].Message, c.want) {
			t.Errorf("%v: %v, want %q", c.inputs, details, c.want)
		}
	}
}

// A script may change the defaults of the inputs that every simulation has, within
// their bounds, and a model may not use the rules.
func TestContractOfSimulations(t *testing.T) {
	t.Parallel()
	kinds := script.Kinds{script.Model, Kind}
	body := "\n\ndef simulate(ctx):\n    return withdraw_fixed(ctx, 0.04)\n"
	with := func(inputs string) string {
		return "from harness import withdraw_fixed\nNAME = \"Plan\"\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": [\"AAA\", \"BBB\"]}" + inputs + "}\n" + body
	}
	p, problems := kinds.Check(with(`, "years": {"type": "integer", "default": 40, "maximum": 60}`), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	years, _ := p.Inputs.Property("years")
	if years.Default != int64(40) || *years.Minimum != 1 || *years.Maximum != 60 || years.Title != "Years" || p.Inputs.Len() != 12 {
		t.Errorf("%+v of %d", years, p.Inputs.Len())
	}
	if p.Words[stepConstant] != "yearly" {
		t.Errorf("%v", p.Words)
	}
	for source, want := range map[string]string{
		with(`, "years": {"type": "number", "default": 40}`):                                        "of the type integer",
		with(`, "years": {"type": "integer", "default": 400}`):                                      "above the maximum of 200",
		with(`, "weights": {"type": "array", "default": [1]}`):                                      "the defaults do not fit each other: weights has 1 numbers",
		with("") + "\nSTEP = \"weekly\"\n":                                                          `STEP is "weekly"`,
		with("") + "\nSCHEDULE = \"monthly\"\n":                                                     "SCHEDULE is a constant of models",
		strings.Replace(with(""), "simulate(ctx)", "decide(ctx)", 1) + "\nSCHEDULE = \"monthly\"\n": "withdraw_fixed is a function for a simulation, and this script is a model",
		strings.Replace(with(""), "return ", "return ctx.equity + ", 1):                             "the context has no equity",
	} {
		_, problems := kinds.Check(source, nil)
		if !slices.ContainsFunc(problems, func(p dialect.Problem) bool { return strings.Contains(p.Message, want) }) {
			t.Errorf("want %q, got %v", want, problems)
		}
	}
}

// The number of workers changes no bit, and more paths keep the earlier ones.
func TestWorkersAndPathsDoNotChangeResults(t *testing.T) {
	t.Parallel()
	f := frameOf(t, testenv.Random(t, 4, 4), 8, "AAA", "BBB")
	source := head + "\n\ndef simulate(ctx):\n    ctx.record(\"v\", ctx.value)\n    return guyton_klinger(ctx, 0.05) if ctx.step < 3 else vpw(ctx)\n"
	few, err := Execute(t.Context(), callOf(t, f, source, map[string]any{"paths": 150.0, "years": 6.0}))
	check(t, err)
	again, err := Execute(t.Context(), callOf(t, f, source, map[string]any{"paths": 150.0, "years": 6.0}))
	check(t, err)
	if err := same(few, again); err != nil {
		t.Error(err)
	}
	more, err := Execute(t.Context(), callOf(t, f, source, map[string]any{"paths": 400.0, "years": 6.0}))
	check(t, err)
	for k, c := range few.Tables[2].Columns {
		if !reflect.DeepEqual(fmt.Sprint(c.Numbers), fmt.Sprint(more.Tables[2].Columns[k].Numbers[:150])) {
			t.Errorf("%s of the first paths changes with their number", c.Name)
		}
	}
}

// A simulation ends soon after its caller has left.
func TestCanceled(t *testing.T) {
	t.Parallel()
	f := frameOf(t, testenv.Random(t, 5, 5), 8, "AAA", "BBB")
	call := callOf(t, f, head+"\n\ndef simulate(ctx):\n    return vpw(ctx) if ctx.step else 0\n", map[string]any{"paths": 100_000.0, "years": 100.0, "source": "history"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Execute(ctx, call); err == nil {
		t.Error("a canceled simulation ended well")
	}
}
