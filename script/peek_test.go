package script

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/backtest"
)

// peek is an attempt to see what comes after a decision. It sets x, on which the weights
// depend, so that anything it saw would show. It must be refused by the checks, fail, or
// give the same as plain.
type peek struct {
	name    string
	top     string // at top level
	trick   string // in decide
	refused string // rule of the check
	fails   string // part of the error
	plain   string // an equivalent without the trick
}

var peeks = []peek{
	// State that survives a decision.
	{name: "a mutable default argument", top: "def seen(v, past=[]):\n    past.append(v)\n    return len(past)", trick: "x = seen(ctx.date)", fails: "do not change from one decision"},
	{name: "a default argument of decide", top: "def helper(c, kept={}):\n    kept[c.date] = c\n    return 1.0", trick: "x = helper(ctx)", fails: "do not change from one decision"},
	{name: "a list of the module", top: "KEPT = []", trick: "KEPT.append(ctx)\nx = 1.0", fails: "do not change from one decision"},
	{name: "a dictionary of the module", top: "KEPT = {}", trick: "KEPT[ctx.date] = ctx\nx = 1.0", fails: "do not change from one decision"},
	{name: "a set of the module", top: "KEPT = set()", trick: "KEPT.add(ctx.date)\nx = 1.0", fails: "do not change from one decision"},
	{name: "a list in a tuple of the module", top: "KEPT = ([], {})", trick: "KEPT[0].append(ctx)\nx = 1.0", fails: "do not change from one decision"},
	{name: "a name of the module", top: "KEPT = None", trick: "global KEPT\nKEPT = ctx\nx = 1.0", refused: "syntax"},
	{name: "a closure that keeps ctx", top: "def keeper():\n    box = []\n    def keep(c):\n        box.append(c)\n        return box[0]\n    return keep\nKEEP = keeper()", trick: "x = 1.0 * len(KEEP(ctx).universe)", fails: "do not change from one decision"},
	{name: "a closure within the decision", trick: "now = lambda: ctx.sessions(\"A\") % 7 / 7\nx = now()", plain: "x = ctx.sessions(\"A\") % 7 / 7"},
	{name: "an attribute of ctx", trick: "ctx.kept = 1\nx = 1.0", refused: "harness_name"},
	{name: "an attribute of a function", trick: "helper = lambda: 1\nhelper.kept = ctx\nx = 1.0", refused: "syntax"},
	{name: "an element of ctx", trick: "ctx[\"kept\"] = 1\nx = 1.0", fails: "cannot be changed"},
	{name: "the list of the inputs", trick: "ctx.inputs.universe.append(\"F\")\nx = 1.0", fails: "do not change from one decision"},
	{name: "the universe, changed", trick: "ctx.universe.append(\"D\")\nx = len(ctx.universe) / 10", plain: "x = (len(ctx.universe) + 1) / 10"},
	{name: "the weights, changed", trick: "ctx.weights[\"D\"] = 0.5\nx = len(ctx.weights) / 10", plain: "x = len([s for s in ctx.weights if s != \"D\"]) / 10 + 0.1"},
	{name: "a value of a vector", trick: "p = ctx.prices(\"A\")\np[0] = 2.0\nx = 1.0", fails: "cannot be changed"},
	{name: "a generator", trick: "x = (yield 1.0)", refused: "syntax"},
	{name: "a coroutine", top: "async def later():\n    return 1", trick: "x = 1.0", refused: "syntax"},
	{name: "decide with two parameters", top: "OTHER = lambda ctx, old=[]: old", trick: "OTHER(ctx).append(1)\nx = 1.0", fails: "do not change from one decision"},

	// More values than exist.
	{name: "two thousand million prices", trick: "x = ctx.prices(\"A\", 2147483647).last() % 0.01", plain: "x = ctx.prices(\"A\").last() % 0.01"},
	{name: "prices beyond counting", trick: "x = ctx.prices(\"A\", pow(10, 12)).last()", fails: "integer of at least 0"},
	{name: "less than no prices", trick: "x = ctx.prices(\"A\", -1).last()", fails: "integer of at least 0"},
	{name: "a fraction of prices", trick: "x = ctx.prices(\"A\", 1.5).last()", fails: "integer of at least 0"},
	{name: "one price more than there are", trick: "x = len(ctx.prices(\"A\", ctx.sessions(\"A\") + 1)) % 7 / 7", plain: "x = ctx.sessions(\"A\") % 7 / 7"},
	{name: "the price after the last", trick: "p = ctx.prices(\"A\")\nx = p[len(p)]", fails: "has no element"},
	{name: "the price before the first", trick: "p = ctx.prices(\"A\")\nx = p[-len(p) - 1]", fails: "has no element"},
	{name: "prices up to a million", trick: "x = ctx.prices(\"A\")[0:1000000][-1] % 0.01", plain: "x = ctx.prices(\"A\")[-1] % 0.01"},
	{name: "prices after the last", trick: "p = ctx.prices(\"A\")\nx = len(p[len(p):]) + len(p[10000:20000])", plain: "x = 0"},
	{name: "prices before the first", trick: "p = ctx.prices(\"A\")\nx = p[-1000000:][0] * 0.5", plain: "x = 0.5"},
	{name: "prices backwards", trick: "x = ctx.prices(\"A\")[::-1][0] % 0.01", plain: "x = ctx.prices(\"A\")[-1] % 0.01"},
	{name: "part of a part", trick: "p = ctx.prices(\"A\", 5)\nx = p[:3][0:100][-1] % 0.01", plain: "x = ctx.prices(\"A\", 5)[:3][-1] % 0.01"},
	{name: "returns of the future by name", trick: "x = ctx.returns(symbol=\"A\", n=2147483647).mean()", plain: "x = ctx.returns(\"A\").mean()"},
	{name: "a date as a length", trick: "x = ctx.prices(\"A\", \"2030-01-01\").last()", fails: "integer of at least 0"},
	{name: "momentum that skips into the future", trick: "x = momentum(ctx.prices(\"A\"), -1)", fails: "skip"},
	{name: "momentum that skips all", trick: "x = momentum(ctx.prices(\"A\"), 1000000)", fails: "needed"},
	{name: "a mean of less than nothing", trick: "x = sma(ctx.prices(\"A\"), -5)", fails: "sma"},
	{name: "a mean of more than there is", trick: "x = sma(ctx.prices(\"A\"), 1000000)", fails: "needed"},

	// Members that start later, or end.
	{name: "a member not yet listed", trick: "x = len(ctx.prices(\"D\")) % 7 / 7", plain: "x = ctx.sessions(\"D\") % 7 / 7"},
	{name: "sessions of the future", trick: "x = ctx.sessions(\"D\") / 1000", plain: "x = len(ctx.prices(\"D\", 2147483647)) / 1000"},
	{name: "a panel with a future member", trick: "x = len(ctx.panel([\"A\", \"D\"], 100000)[\"A\"]) / 1000", plain: "x = min(ctx.sessions(\"A\") - 1, max(ctx.sessions(\"D\") - 1, 0)) / 1000"},
	{name: "a weight on a member not yet listed", trick: "if ctx.sessions(\"D\") == 0:\n    return {\"D\": 0.0 + 1e-9}\nx = 1.0", fails: "no bar"},
	{name: "no weight on a member not yet listed", trick: "if ctx.sessions(\"D\") == 0:\n    return {\"D\": 0.0, \"A\": 0.25}\nx = 1.0", plain: "x = 1.0\nif ctx.sessions(\"D\") == 0:\n    return {\"A\": 0.25}"},
	{name: "the order of the universe", trick: "x = ctx.universe.index(\"A\") + len(ctx.universe) / 10", plain: "x = len(ctx.universe) / 10"},
	{name: "whether a member ends", trick: "x = 0.5 if \"E\" in ctx.universe else 0.1", plain: "x = 0.5 if len([s for s in ctx.universe if s == \"E\"]) > 0 else 0.1"},
	{name: "all of the inputs", trick: "x = len(ctx.inputs.universe) / 10", plain: "x = 0.5"},
	{name: "an input that is none", trick: "x = ctx.inputs.end_date", refused: "inputs"},
	{name: "an input that is none, by key", trick: "x = ctx.inputs[\"end\" + \"_date\"]", fails: "end_date"},
	{name: "a symbol that is none", trick: "x = ctx.prices(\"A.future\").last()", fails: "not in the universe"},

	// Internals of the values.
	{name: "the class", trick: "x = ctx.__class__", refused: "harness_name"},
	{name: "an attribute that nothing has", trick: "c = ctx\nx = c.frame", refused: "syntax"},
	{name: "the globals of a function", trick: "x = decide.__globals__", refused: "syntax"},
	{name: "the class of a number", trick: "x = (1.0).__class__.__base__", refused: "syntax"},
	{name: "the class by name", trick: "x = getattr(ctx, \"__\" + \"class__\")", refused: "syntax"},
	{name: "the frame by name", trick: "x = getattr(ctx, \"fra\" + \"me\")", refused: "syntax"},
	{name: "the session by name", trick: "x = getattr(ctx, \"session\", 0.5)", refused: "syntax"},
	{name: "which attributes there are", trick: "x = len([n for n in [\"future\", \"frame\", \"axis\", \"runner\", \"index\", \"t\"] if hasattr(ctx, n)])", refused: "syntax"},
	{name: "the list of attributes", trick: "x = len(dir(ctx))", refused: "syntax"},
	{name: "the class of a vector", trick: "x = getattr(ctx.prices(\"A\"), \"values\")", refused: "syntax"},
	{name: "the base of a vector", trick: "x = 1.0 * len([n for n in [\"base\", \"data\", \"array\"] if hasattr(ctx.prices(\"A\"), n)])", refused: "syntax"},
	{name: "the code of a function", trick: "x = getattr(momentum, \"__code__\")", refused: "syntax"},
	{name: "ctx as text", trick: "x = sum([ord(c) for c in str(ctx).elems()]) % 97 / 97", plain: "x = sum([ord(c) for c in \"ctx\".elems()]) % 97 / 97"},
	{name: "a method as text", trick: "x = sum([ord(c) for c in (\"%s %r\" % (ctx.prices, ctx.log)).elems()]) % 97 / 97", plain: "x = sum([ord(c) for c in (str(ctx.prices) + \" \" + repr(ctx.log)).elems()]) % 97 / 97"},
	{name: "a vector as text", trick: "x = len(str(ctx.prices(\"A\"))) % 97 / 97", plain: "x = len(\"%s\" % ctx.prices(\"A\", 2147483647)) % 97 / 97"},
	{name: "the inputs as text", trick: "x = len(\"{}\".format(ctx.inputs)) / 97", plain: "x = len(\"ctx.inputs\") / 97"},
	{name: "a hash", trick: "x = hash(ctx.date)", refused: "nondeterministic"},
	{name: "an address", trick: "x = id(ctx)", refused: "nondeterministic"},
	{name: "a clock", trick: "import time\nx = time.time()", refused: "import_not_allowed"},

	// Recorded values.
	{name: "a record read back", trick: "ctx.record(\"x\", ctx.sessions(\"A\"))\nx = getattr(ctx, \"x\", 0.5)", refused: "syntax"},
	{name: "names of records", trick: "ctx.record(\"n\" + str(len(ctx.universe)), 1)\nx = 0.5", plain: "ctx.record(\"n%d\" % len(ctx.universe), 1)\nx = 0.5"},
	{name: "what record gives", trick: "x = 0.1 if ctx.record(\"x\", 1) else 0.2", plain: "ctx.record(\"x\", 1)\nx = 0.2"},
	{name: "what log gives", trick: "x = 0.1 if ctx.log(\"x\") else 0.2", plain: "x = 0.2"},
	{name: "a log that is full", trick: "for i in range(3000):\n    ctx.log(\"x\")\nx = 0.2", plain: "x = 0.2"},
	{name: "an error caught", trick: "try:\n    x = ctx.prices(\"A\")[100]\nexcept Exception:\n    x = 0.0", refused: "syntax"},
	{name: "the message of an error", trick: "x = float(str(ctx.prices(\"D\")[0]))", fails: "is empty"},
	{name: "the last decision", trick: "x = 0.1 if ctx.last_decision == None else 0.2", plain: "x = 0.2 if ctx.last_decision else 0.1"},
}

// peekScript returns a script whose weight of A depends on x.
func peekScript(top, body string) string {
	return `from harness import momentum, sma
NAME = "Peek"
SCHEDULE = {"every": "weekly", "weekday": "wed"}
START = "two_members"
INPUTS = {"universe": {"type": "array", "default": ["A", "B", "C", "D", "E"]}}
` + top + `

def decide(ctx):
    ` + strings.ReplaceAll(body, "\n", "\n    ") + `
    return {"A": 0.2 + 0.5 * x}
`
}

// TestPeeking checks that the contract leaves no way to see the future.
func TestPeeking(t *testing.T) {
	t.Parallel()
	f := raggedFrame(t, 11, 220)
	for _, c := range peeks {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, problems := Check(peekScript(c.top, c.trick), nil)
			if c.refused != "" {
				if len(problems) == 0 || problems[0].Rule != c.refused {
					t.Fatalf("not refused by %s: %+v", c.refused, problems)
				}
				return
			}
			if len(problems) > 0 {
				t.Fatalf("%+v", problems)
			}
			got, verdict, err := causality(p, f, 1)
			if c.fails != "" {
				if e := AsRunError(err); err == nil || e.Type != ScriptError || !strings.Contains(e.Message, c.fails) {
					t.Fatalf("error %v instead of %q", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !verdict.Causal || len(verdict.Cuts) != 5 {
				t.Fatalf("%+v %+v", verdict.Cuts, verdict.Difference)
			}
			want, _, err := causality(mustCheck(t, peekScript("", c.plain)), f, 1)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.IgnoreFields(backtest.Result{}, "Summary", "State")); diff != "" {
				t.Errorf("the trick changes the result (-without +with):\n%s", diff)
			}
		})
	}
}
