package download_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"ballast/backtest"
	"ballast/internal/testenv"
	"ballast/script"
	"ballast/timeseries"
)

// drawnScripts is the number of scripts that TestRandomParity draws, starting at a given
// case number; make test draws a quarter of them. Run it with thousands from time to time.
var (
	drawnScripts = flag.Int("scripts", 40, "scripts that are drawn")
	drawnFrom    = flag.Int("from", 0, "number of the first script that is drawn")
)

// drawn is a script on a market, with the engine's result.
type drawn struct {
	name, source string
	request      request
	whole        whole
	err          *script.RunError
	out          string
}

// draw creates the case with a number in the folder.
func draw(t *testing.T, folder string, number int) drawn {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(number), 20))
	sources, text, delisted := randomMarket(r)
	c := drawn{name: fmt.Sprintf("random%d", number)}
	if c.source = composedScript(r, sources); number%4 == 0 {
		c.source = randomScript(r, sources)
	}
	c.out = filepath.Join(folder, c.name)
	c.request = request{save(t, folder, c.name+".py", render(t, c.source)),
		append([]string{"--json", "--out", c.out, "--bars", save(t, folder, c.name+".csv", []byte(text))}, delisted...)}
	p, _ := script.Check(c.source, nil)
	inputs, _ := p.Bind(nil)
	frame, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	runner, err := script.NewRunner(p, inputs, frame, script.RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	result, err := backtest.Run(t.Context(), frame, p.Spec(inputs), runner, backtest.Everything)
	if err != nil {
		c.err = script.AsRunError(err)
	} else {
		c.whole = wholeOf(result, frame.BarsPerYear, runner.Log())
	}
	return c
}

// TestRandomParity compares the download with the engine on random markets and models:
// gaps, weekends, late starts and early ends, ruin, any schedule, the harness in any
// combination. If one fails, the other must fail on the same day and line.
func TestRandomParity(t *testing.T) {
	t.Parallel()
	interpreter(t)
	folder := t.TempDir()
	cases := make([]drawn, *drawnScripts)
	if testenv.Brief() {
		cases = cases[:len(cases)/4]
	}
	requests := make([]request, len(cases))
	var sources []string
	for i := range cases {
		cases[i] = draw(t, folder, *drawnFrom+i)
		requests[i] = cases[i].request
		sources = append(sources, cases[i].source)
	}
	largest, ruined, failed := 0.0, 0, 0
	for i, a := range runAll(t, requests) {
		c := cases[i]
		switch {
		case c.err != nil:
			failed++
		case c.whole.result.Summary.Ruined:
			ruined++
		}
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if t.Failed() {
					t.Log(c.source)
				}
			}()
			if c.err != nil {
				sameEnd(t, c.err, a)
				return
			}
			if a.Code != 0 {
				t.Fatalf("the download ends with %d: %s", a.Code, a.Errors)
			}
			d := &differences{T: t}
			d.compare(c.whole, a, c.out)
			largest = max(largest, d.days.size, d.figures.size)
		})
	}
	t.Logf("%d models with %d names of the harness, %d ruined, %d that fail; largest difference %.3g",
		len(cases), len(seen(sources)), ruined, failed, largest)
}

// sameEnd checks that a download fails like the engine.
func sameEnd(t *testing.T, want *script.RunError, got answer) {
	t.Helper()
	where := ": "
	if want.Date != "" {
		where = want.Date + ": "
	}
	switch {
	case strings.Contains(want.Message, "looks like percentages"):
		// Python does not know which of several return statements gave the weights.
		if !strings.Contains(got.Errors, want.Message) {
			t.Errorf("the engine says %q, the download %s", want.Message, got.Errors)
		}
	case want.Line > 0:
		where += fmt.Sprintf("error in line %d of the script", want.Line)
	}
	if got.Code != 1 || !strings.Contains(got.Errors, where) {
		t.Errorf("the engine fails with %v (%s), the download ends with %d: %s", want, where, got.Code, got.Errors)
	}
}

// randomMarket draws members: their series, the same as a file, and the command's flags
// for those that are delisted.
func randomMarket(r *rand.Rand) (sources []timeseries.Source, text string, delisted []string) {
	var b strings.Builder
	b.WriteString("date,symbol,price\n")
	first := timeseries.NewDate(1996+r.IntN(25), 1, 1) + timeseries.Date(r.IntN(365))
	mixed := r.IntN(3)
	for i := range 1 + r.IntN(6) {
		key := string(rune('A' + i))
		everyDay := mixed == 0 || mixed == 1 && r.IntN(3) == 0
		from, to := first, first+700
		if r.IntN(2) == 0 {
			from += timeseries.Date(r.IntN(250))
		}
		if r.IntN(3) == 0 {
			to -= timeseries.Date(r.IntN(300))
		}
		gone := to < first+700 && r.IntN(2) == 0
		sigma, holes := []float64{0.005, 0.02, 0.06}[r.IntN(3)], r.IntN(8)
		s := timeseries.Series{Base: timeseries.NoDate}
		price, before, weekends, gap := 50.0, 0.0, 0, 0
		for d := from; d <= to; d++ {
			price *= max(0.05, 1+sigma*r.NormFloat64())
			if r.IntN(400) == 0 {
				price *= []float64{0.3, 2.5}[r.IntN(2)]
			}
			if gap == 0 && r.IntN(150) == 0 {
				gap = r.IntN(30)
			}
			weekend := d.Weekday() == 0 || d.Weekday() == 6
			if gap > 0 {
				gap--
				continue
			}
			if weekend && !everyDay || r.IntN(100) < holes {
				continue
			}
			if weekend {
				weekends++
			}
			fmt.Fprintf(&b, "%s,%s,%v\n", d, key, price)
			if s.Empty() {
				s.Base = d
			} else {
				s.Dates, s.Returns = append(s.Dates, d), append(s.Returns, price/before-1)
			}
			before = price
		}
		sources = append(sources, timeseries.Source{Key: key, Series: s, SevenDay: 20*weekends > len(s.Dates)+1, Delisted: gone})
		if gone {
			delisted = append(delisted, "--delisted", key)
		}
	}
	return sources, b.String(), delisted
}

func randomScript(r *rand.Rand, sources []timeseries.Source) string {
	var keys []string
	for _, s := range sources {
		keys = append(keys, fmt.Sprintf("%q", s.Key))
	}
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	schedule := one(`"daily"`, `"weekly"`, `"monthly"`, `"quarterly"`, `"yearly"`, `{"every": "weekly", "weekday": "`+one("mon", "wed", "fri", "sat")+`"}`,
		fmt.Sprintf(`{"every": %q, "session": %d}`, one("weekly", "monthly", "quarterly"), []int{1, 2, -2, 4, -9}[r.IntN(5)]))
	start := "None"
	if r.IntN(3) == 0 {
		start = fmt.Sprintf("%q", sources[0].Series.Base+timeseries.Date(r.IntN(300)))
	}
	return fmt.Sprintf(`from harness import random
NAME = "Drawn"
SCHEDULE = %s
FILL = %q
START = %q
SINCE = %s
INPUTS = {"universe": {"type": "array", "default": [%s]}}


def decide(ctx):
    draws = random(ctx.date, len(ctx.universe) + 1)
    ctx.record("held", sum(ctx.weights.values()))
    ctx.record("equity", ctx.equity if draws[0] < 0.5 else None)
    if draws[0] < 0.2 or SINCE != None and ctx.date < SINCE:
        return None
    return {s: (draws[i + 1] * 2 - 0.5) * %s for i, s in enumerate(ctx.universe)}
`, schedule, one("close", "next_close"), one("all_members", "two_members", "first_member"), start, strings.Join(keys, ", "), one("0.3", "0.8", "2.5"))
}
