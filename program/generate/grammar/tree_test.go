package grammar

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/backtest"
	"ballast/internal/testenv"
	"ballast/program/generate"
	"ballast/script"
)

// trees returns the descriptions of strategies made of others.
func trees(t testing.TB) (prompts []string) {
	t.Helper()
	for _, file := range []string{"testdata/trees.txt", "testdata/forums.txt"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				prompts = append(prompts, strings.ReplaceAll(line, `\n`, "\n"))
			}
		}
	}
	return prompts
}

// modelOf returns the script of a description, or what is refused.
func modelOf(t testing.TB, library generate.Library, prompt string) (string, *generate.NotUnderstood) {
	t.Helper()
	text, err := modelScript(t.Context(), library, generate.Request{Prompt: prompt})
	var strange *generate.NotUnderstood
	if err != nil && !errors.As(err, &strange) {
		t.Fatal(err)
	}
	return text, strange
}

// TestRefusalsAreShort checks that what is said of a description that is not understood
// stays under 2 kB.
func TestRefusalsAreShort(t *testing.T) {
	t.Parallel()
	for _, prompt := range append(corpus(t), trees(t)...) {
		_, strange := modelOf(t, newShelf(), prompt)
		if strange == nil {
			continue
		}
		text, err := json.Marshal(strange)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 2048 || len(strange.Accepted) > mostAccepted {
			t.Errorf("%q is refused with %d bytes", prompt, len(text))
		}
	}
}

// understoodAs returns the script of a description that is understood.
func understoodAs(t testing.TB, prompt string) string {
	t.Helper()
	text, strange := modelOf(t, newShelf(), prompt)
	if strange != nil {
		t.Fatalf("%q: %v", prompt, strange)
	}
	return text
}

// TestTrees checks how each composed description is understood or refused. Scripts of
// those that are understood pass the checks, run, and hold something.
func TestTrees(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	prompts := trees(t)
	runs := testenv.Some(t, 12, prompts)
	for _, prompt := range prompts {
		text, strange := modelOf(t, newShelf(), prompt)
		fmt.Fprintf(&b, "%s\n", prompt)
		if strange != nil {
			for _, w := range strange.Words {
				fmt.Fprintf(&b, "  refused %q: %s\n", w.Text, w.Message)
			}
			continue
		}
		if again, _ := modelOf(t, newShelf(), prompt); again != text {
			t.Errorf("%q gives two scripts", prompt)
		}
		program, problems := script.Check(text, nil)
		if len(problems) > 0 {
			t.Errorf("%q gives %v\n%s", prompt, problems, text)
			continue
		}
		fmt.Fprintf(&b, "  NAME %s\n  %s\n", program.Name, strings.ReplaceAll(strings.TrimSpace(strings.SplitN(text, `"""`, 3)[1]), "\n", "\n  "))
		if !slices.Contains(runs, prompt) {
			continue
		}
		if result := run(t, text); len(result.Ledger) == 0 {
			t.Errorf("%q never decides", prompt)
		}
	}
	const path = "testdata/trees.golden"
	if *updateCorpus {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestTreeRefusals checks that a composed description that is not understood is
// refused at one place, with a few alternatives.
func TestTreeRefusals(t *testing.T) {
	t.Parallel()
	_, strange := modelOf(t, newShelf(), "if SPY is above its 200 day average and VIX is below 20 hold SPY, otherwise BIL")
	if strange == nil || len(strange.Words) != 1 || strange.Words[0].Text != "VIX" || len(strange.Accepted) > 5 {
		t.Errorf("%+v", strange)
	}
}

// TestTreesHold compares what trees hold on every session with the same strategy
// written by hand.
func TestTreesHold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ prompt, schedule, universe, decide string }{
		{
			"if SPY is above its 200 day average then if QQQ is above its 50 day average hold QQQ else SPY else BIL", "daily", `["QQQ", "SPY", "BIL"]`, `
    if ctx.sessions("SPY") < 200:
        return None
    spy, qqq = ctx.prices("SPY", 200), ctx.prices("QQQ", 50)
    if spy.last() <= sum(spy) / 200:
        return {"BIL": 1.0}
    return {"QQQ": 1.0} if qqq.last() > sum(qqq) / 50 else {"SPY": 1.0}`,
		},
		{
			"SPY if its 50 day average is above its 200 day average and its 10 day return is below 3%, otherwise BIL, weekly", "weekly", `["SPY", "BIL"]`, `
    if ctx.sessions("SPY") < 200:
        return None
    p = list(ctx.prices("SPY", 200))
    good = sum(p[150:]) / 50 > sum(p) / 200 and p[199] / p[189] - 1 < 0.03
    return {"SPY": 1.0} if good else {"BIL": 1.0}`,
		},
		{
			"50% (SPY when above its 100 day average, otherwise BIL), 30% (60/40 SPY/AGG), 20% (GLD), monthly", "monthly", `["SPY", "BIL", "AGG", "GLD"]`, `
    if ctx.sessions("SPY") < 100:
        return None
    p = ctx.prices("SPY", 100)
    target = {"SPY": 0.18, "AGG": 0.12, "GLD": 0.2}
    held = "SPY" if p.last() > sum(p) / 100 else "BIL"
    target[held] = target.get(held, 0.0) + 0.5
    return target`,
		},
		{
			"hold SPY unless it is down more than 20% from its all-time high, in which case hold TLT", "daily", `["SPY", "TLT"]`, `
    p = list(ctx.prices("SPY"))
    return {"TLT": 1.0} if p[-1] < 0.8 * max(p) else {"SPY": 1.0}`,
		},
		{
			"buy SPY when it closes 2% above its 50 day average and sell to BIL when it closes 2% below", "daily", `["SPY", "BIL"]`, `
    if ctx.sessions("SPY") < 50:
        return None
    p = list(ctx.prices("SPY", 50))
    mean = sum(p) / 50
    if ctx.weights.get("SPY", 0) > 0:
        return {"BIL": 1.0} if p[49] < 0.98 * mean else {"SPY": 1.0}
    return {"SPY": 1.0} if p[49] > 1.02 * mean else {"BIL": 1.0}`,
		},
		{
			"SPY if it was above its 20 day average 3 days in a row, otherwise BIL", "daily", `["SPY", "BIL"]`, `
    if ctx.sessions("SPY") < 22:
        return None
    p = list(ctx.prices("SPY", 22))
    good = p[21] > sum(p[2:22]) / 20 and p[20] > sum(p[1:21]) / 20 and p[19] > sum(p[0:20]) / 20
    return {"SPY": 1.0} if good else {"BIL": 1.0}`,
		},
		{
			"if at least 2 of SPY, GLD and TLT are above their 40 day average hold SPY, otherwise BIL, weekly", "weekly", `["SPY", "BIL", "GLD", "TLT"]`, `
    if min([ctx.sessions(s) for s in ["SPY", "GLD", "TLT"]]) < 40:
        return None
    above = 0
    for s in ["SPY", "GLD", "TLT"]:
        p = list(ctx.prices(s, 40))
        if p[39] > sum(p) / 40:
            above += 1
    return {"SPY": 1.0} if above > 1 else {"BIL": 1.0}`,
		},
		{
			"hold SPY from November to April, otherwise BIL", "daily", `["SPY", "BIL"]`, `
    return {"SPY": 1.0} if ctx.date[5:7] >= "11" or ctx.date[5:7] <= "04" else {"BIL": 1.0}`,
		},
		{
			"if the 6 month return of GLD is above TLT's hold GLD, else if TLT's 6 month return is positive hold TLT, otherwise cash; monthly", "monthly", `["GLD", "TLT"]`, `
    if min(ctx.sessions("GLD"), ctx.sessions("TLT")) < 127:
        return None
    gld, tlt = list(ctx.prices("GLD", 127)), list(ctx.prices("TLT", 127))
    if gld[126] / gld[0] > tlt[126] / tlt[0]:
        return {"GLD": 1.0}
    return {"TLT": 1.0} if tlt[126] > tlt[0] else {}`,
		},
	} {
		t.Run(c.prompt, func(t *testing.T) {
			t.Parallel()
			want := run(t, fmt.Sprintf("\"\"\"By hand.\"\"\"\n\nNAME = \"By hand\"\nSCHEDULE = %q\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": %s}}\n\n\ndef decide(ctx):%s\n", c.schedule, c.universe, c.decide))
			sameWeights(t, run(t, understoodAs(t, c.prompt)), want)
		})
	}
}

// sameWeights compares the decisions of two runs.
func sameWeights(t *testing.T, got, want *backtest.Result) {
	t.Helper()
	if len(got.Ledger) != len(want.Ledger) {
		t.Fatalf("%d decisions, not %d", len(got.Ledger), len(want.Ledger))
	}
	for i := range got.Ledger {
		a, b := decided(got, i-len(got.Ledger)), decided(want, i-len(want.Ledger))
		for key := range b {
			if math.Abs(a[key]-b[key]) > 1e-12 || got.Ledger[i].Decided != want.Ledger[i].Decided {
				t.Fatalf("on %s %s is decided at %v, not %v", want.Ledger[i].Decided, key, a[key], b[key])
			}
		}
	}
}

// TestTreesAreFast checks the median time to read a composed description, with room
// for a busy machine.
func TestTreesAreFast(t *testing.T) {
	var times []time.Duration
	library, prompts := newShelf(), trees(t)
	for range 3 {
		for _, prompt := range prompts {
			begun := time.Now()
			modelOf(t, library, prompt)
			times = append(times, time.Since(begun))
		}
	}
	slices.Sort(times)
	t.Logf("median %v, longest %v", times[len(times)/2], times[len(times)-1])
	if m := times[len(times)/2]; m > 50*time.Millisecond {
		t.Errorf("the median is %v", m)
	}
}

func BenchmarkTree(b *testing.B) {
	library, prompts := newShelf(), trees(b)
	for i := 0; b.Loop(); i++ {
		modelOf(b, library, prompts[i%len(prompts)])
	}
}
