package download_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"ballast/timeseries"
)

// composer draws scripts that combine the harness functions at random. All are valid;
// some fail on some day.
type composer struct {
	*rand.Rand
	keys []string // the members
	n    int      // number of sessions that scripts look back
}

// composedScript draws a script over the sources.
func composedScript(r *rand.Rand, sources []timeseries.Source) string {
	c := &composer{Rand: r, n: 5 + r.IntN(56)}
	for _, s := range sources {
		c.keys = append(c.keys, s.Key)
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("from harness import %s", strings.Join(modelNames(), ", "))
	line("import math")
	line("NAME = %q", "Composed")
	line("SCHEDULE = %s", c.schedule())
	line("FILL = %q", c.one("close", "next_close"))
	line("START = %q", c.one("all_members", "two_members", "first_member"))
	line("INPUTS = {")
	line("    %q: {%q: %q, %q: [%s]},", "universe", "type", "array", "default", strings.Join(quoted(c.keys), ", "))
	line("    %q: {%q: %q, %q: %d},", "n", "type", "integer", "default", c.n)
	line("    %q: {%q: %q, %q: %s},", "share", "type", "number", "default", c.one("0", "0.25", "0.7", "1"))
	line("    %q: {%q: %q, %q: %q, %q: [%q, %q]},", "mode", "type", "string", "default", c.one("on", "off"), "enum", "on", "off")
	line("    %q: {%q: %q, %q: [%d, %d]},", "lengths", "type", "array", "default", c.upTo(c.n), c.upTo(c.n))
	line("}")
	line("")
	line("def score(ctx, s, panel):")
	line("    p = ctx.prices(s, ctx.inputs.n + 1)")
	line("    r = %s", c.one("panel[s]", "panel[s]", "ctx.returns(s, ctx.inputs.n)"))
	line("    return %s", c.number(3))
	line("")
	line("def decide(ctx):")
	line("    n = ctx.inputs.n")
	line("    members = [s for s in ctx.universe%s]", c.one(" if ctx.sessions(s) > n", " if ctx.sessions(s) > n", " if ctx.sessions(s) > n", ""))
	line("    panel = ctx.panel(members, n)")
	if c.IntN(4) > 0 {
		line("    panel = {s: r for s, r in panel.items() if r.std() > 0}")
	}
	line("    members = list(panel)")
	if c.IntN(8) > 0 {
		line("    if not members:")
		line("        return %s", c.one("None", "{}"))
	}
	line("    scores = {s: score(ctx, s, panel) for s in members}")
	line("    for s in members:")
	line("        ctx.record(%q + s, scores[s])", "score.")
	line("    weights = %s", c.weights(3))
	line("    %s", c.saying())
	line("    ctx.record(%q, %s)", "risk", c.one("portfolio_volatility(weights, panel)", "sum(weights.values())", "max(risk_contribution(weights, panel).values())", "breadth(scores)", "len(weights)", "pow(10, 400) * n"))
	switch c.IntN(6) {
	case 0:
		line("    if not drifted(ctx.weights, weights, 0.05%s):", c.one("", ", relative=True"))
		line("        return None")
	case 1:
		line("    weights = limit_turnover(ctx.weights, weights, %s)", c.one("0.1", "0.5", "ctx.inputs.share"))
	case 2:
		line("    if ctx.last_decision != None and ctx.last_decision[:7] == ctx.date[:7]:")
		line("        return None")
	}
	line("    return %s", c.one("weights", "weights", "{s: round(w, 3) for s, w in weights.items()}", "{s: w for s, w in weights.items() if w != 0}"))
	return b.String()
}

func quoted(list []string) []string {
	q := make([]string, len(list))
	for i, s := range list {
		q[i] = fmt.Sprintf("%q", s)
	}
	return q
}

func (c *composer) one(of ...string) string { return of[c.IntN(len(of))] }

// upTo draws a number of at least 2.
func (c *composer) upTo(n int) int { return 2 + c.IntN(n-1) }

func (c *composer) schedule() string {
	return c.one(`"daily"`, `"weekly"`, `"weekly"`, `"monthly"`, `"monthly"`, `"quarterly"`, `{"every": "weekly", "weekday": "`+c.one("tue", "thu", "sun")+`"}`,
		fmt.Sprintf(`{"every": %q, "session": %d}`, c.one("weekly", "monthly"), []int{1, 2, -2, 7}[c.IntN(4)]))
}

// number draws an expression for a number, from s with its prices p and returns r.
func (c *composer) number(depth int) string {
	if depth == 0 {
		return c.one("r.last()", "p.last()", "r.mean()", "1", "0.5", "ctx.inputs.share", "len(p)", "-r.first()")
	}
	k := c.upTo(c.n - 1)
	less := c.number
	switch c.IntN(14) {
	case 0, 1, 2, 3:
		return c.ofPrices(k)
	case 4, 5, 6, 7:
		return c.ofReturns(k)
	case 8:
		return fmt.Sprintf("(%s %s %s)", less(depth-1), c.one("+", "-", "*"), less(depth-1))
	case 9:
		return fmt.Sprintf("(%s if %s %s %s else %s)", less(depth-1), less(depth-1), c.one("<", ">", "<=", "!="), less(depth-1), less(depth-1))
	case 10:
		return fmt.Sprintf(c.one("math.sqrt(abs(%s))", "math.tanh(%s)", "round(%s, 4)", "abs(%s)", "math.floor(%s)", "float(int(10 * %s))", "min(%s, 1)", "max(0, %s)"), less(depth-1))
	case 11:
		return fmt.Sprintf("(%s / (1 + abs(%s)))", less(depth-1), less(depth-1))
	case 12:
		return c.one("(1 if ctx.inputs.mode == \"on\" else -1)", "random(ctx.date + s)[0]", "ctx.weights.get(s, 0)", "ctx.equity / 10000", "ctx.sessions(s) / 100.0", "len([x for x in r if x > 0])",
			"sum([x * x for x in r])", "sorted(r)[len(r) // 2]", "math.log(p.last() / p.first())", "ctx.bars_per_year / 252.0", "len(ctx.universe)")
	default:
		return fmt.Sprintf("%s(r, panel[ctx.universe[0] if ctx.universe[0] in panel else s])", c.one("beta", "correlation", "covariance"))
	}
}

func (c *composer) ofPrices(k int) string {
	return strings.NewReplacer("K", fmt.Sprint(k), "J", fmt.Sprint(1+c.IntN(k-1))).Replace(c.one(
		"momentum(p)", "momentum(p, K)", "momentum(p, skip=J)", "roc(p, K)", "momentum_score(p, [J, K], [2, 1])",
		"momentum_score(p, [int(x) for x in ctx.inputs.lengths])", "(p.last() / sma(p, K) - 1)", "(p.last() / ema(p, K) - 1)", "(wma(p, K) / sma(p) - 1)",
		"crossover(p, J, K)", "(p.last() / highest(p, K))", "lowest(p)", "percent_rank(p, K)", "zscore(p, K)", "slope(p, K)", "r_squared(p)", "rsi(p, K)", "drawdown(p)",
		"max_drawdown(p[-K:])", "(p / p.first()).std()", "(p[J:] - p[:-J]).sum()", "p[::J].median()", "slope([math.log(x) for x in p])", "percentile(p, 0.3)",
		"rolling_mean(p, K).max()", "(p * 2 - p)[-J]", "vector([x for x in p][-K:]).mean()", "(1 - p).abs().min()"))
}

func (c *composer) ofReturns(k int) string {
	return strings.NewReplacer("K", fmt.Sprint(k), "J", fmt.Sprint(1+c.IntN(k-1))).Replace(c.one(
		"volatility(r)", "volatility(r, ctx.bars_per_year)", "downside_deviation(r)", "sharpe(r, bars_per_year=ctx.bars_per_year)", "rolling_volatility(r, K).last()",
		"rolling_zscore(r, K)[0]", "zscore(r)", "r.growth().last()", "r.cumulative().min()", "(1 + r).product()", "r.median()", "r[-K:].sum()", "percentile(r, 0.05)",
		"percent_rank(r)", "r.abs().mean()", "(r * r).sum()", "max(r)", "sum(r)", "ema(r, K)", "highest(r, K)", "slope(r.cumulative())", "min(r[:J])", "max_drawdown(r.growth())"))
}

// weights draws an expression for weights of members, which have scores and a panel.
func (c *composer) weights(depth int) string {
	if depth > 0 {
		less := c.weights(depth - 1)
		switch c.IntN(12) {
		case 0:
			return fmt.Sprintf("blend(%s, %s%s)", less, c.weights(depth-1), c.one("", ", 0.3", ", share=ctx.inputs.share"))
		case 1:
			return fmt.Sprintf("vol_target(%s, panel, %s%s)", less, c.one("0.1", "0.3"), c.one("", ", max_gross=1.5", ", bars_per_year=ctx.bars_per_year"))
		case 2:
			return fmt.Sprintf("scale(%s, %s)", less, c.one("0.5", "1.3", "-0.4"))
		case 3:
			return fmt.Sprintf("normalize(%s%s)", less, c.one("", ", 0.8", ", total=1.5"))
		case 4:
			return fmt.Sprintf("cap({s: abs(w) for s, w in %s.items()}, %s)", less, c.one("0.2", "0.5"))
		case 5:
			return fmt.Sprintf("remainder(normalize(%s, 0.5), members[0])", less)
		case 6:
			return fmt.Sprintf("vol_target(%s, covariance(panel, %s), 0.2)", less, c.one("0.1", `"ledoit_wolf"`, "shrinkage=0.5"))
		}
	}
	return strings.ReplaceAll(c.one(
		"equal_weight(top(scores, COUNT))", "equal_weight(bottom(scores, COUNT), total=0.9)", "equal_weight(list(above(scores)))", "proportional(scores)",
		"proportional(above(scores, 0.01), 0.7)", "normalize(scores)", "proportional({s: 1.0 / x for s, x in rank(scores).items()})", "inverse_volatility(panel)",
		"inverse_volatility({s: volatility(r) for s, r in panel.items()})", "risk_parity(panel)", "risk_parity(covariance(panel, \"ledoit_wolf\"))",
		"risk_parity(panel, budget={s: 1 + i for i, s in enumerate(members)})", "min_variance(panel)", "min_variance(panel, upper=max(0.4, 1.0 / len(panel)))",
		"min_variance(covariance(panel) * 0.5 + covariance(panel, 0.2), lower=-0.5, total=0.8)", "mean_variance(panel)", "mean_variance(panel, risk_aversion=COUNT, lower=-0.2)",
		"mean_variance(covariance(panel, 0.1), expected={s: 0.001 * x for s, x in rank(scores).items()})", "{s: 1.0 / len(members) for s in members}",
		"{s: w * 0.5 for s, w in covariance(panel, 0.3).times(equal_weight(members)).items()}", "{s: 0.2 * x / max(1, abs(x)) for s, x in scores.items()}",
		"{s: 0.3 for s, x in correlation(panel).diagonal().items() if x > 0.5}"), "COUNT", fmt.Sprint(1+c.IntN(len(c.keys))))
}

// saying draws a statement that writes to the log. Values that depend on the C library's
// math functions are rounded, because they may differ in the last bit.
func (c *composer) saying() string {
	value := c.one("members", "[round(x, 6) for x in scores.values()]", "{s: round(w, 6) for s, w in weights.items()}", "round(ctx.equity)", "n", "(n, members)",
		"sorted(weights)", "{members[0]: None}", "1e300 * n", "n / 7.0", "-0.0 * n", "ctx.last_decision", "ctx.universe == members", "[1e16, 1e-5, 123456789.0, 0.1]", "correlation({s: ctx.panel([s])[s][:2] for s in members[:1]})", "set(members)", "ctx.sessions(members[0])")
	return "if ctx.date[8:] < \"04\":\n        " + fmt.Sprintf(c.one("ctx.log(%s)", "print(%s, n)", `ctx.log("%%s of %%s" %% (%s, ctx.date))`, `print("{} {}".format(%s, members))`, `ctx.log("%%6.2f %%-8s|%%g" %% (ctx.equity, %s, n / 3.0))`, `print("{!r:>12} {:,.1f} {:+.2%%}".format(%s, ctx.equity, ctx.inputs.share))`), value)
}

// seen returns the names of the harness that a script calls.
func seen(texts []string) []string {
	var names []string
	for _, name := range modelNames() {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, name+"(") }) {
			names = append(names, name)
		}
	}
	return names
}
