package download_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
)

// TestRandomParity holds the download to the engine on markets and models that
// nobody thought of: gaps, weekends, late and early ends, ruin, any schedule.
func TestRandomParity(t *testing.T) {
	t.Parallel()
	interpreter(t)
	folder := t.TempDir()
	type drawn struct {
		whole whole
		err   error
		out   string
	}
	cases := make([]drawn, 40)
	requests := make([]request, len(cases))
	for i := range cases {
		r := rand.New(rand.NewPCG(uint64(i), 20))
		name := fmt.Sprintf("random%d", i)
		sources, text, delisted := randomMarket(r)
		source := randomScript(r, sources)
		c := &cases[i]
		c.out = filepath.Join(folder, name)
		requests[i] = request{save(t, folder, name+".py", render(t, source)),
			append([]string{"--json", "--out", c.out, "--bars", save(t, folder, name+".csv", []byte(text))}, delisted...)}
		p, _ := script.Check(source, nil)
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
		if c.err = err; err == nil {
			c.whole = wholeOf(result, frame.BarsPerYear, runner.Log())
		}
	}
	largest, ruined, failed := 0.0, 0, 0
	for i, a := range runAll(t, requests) {
		c := cases[i]
		if c.err != nil {
			failed++
			if a.Code != 1 {
				t.Errorf("case %d: the engine fails with %v, the download ends with %d: %s", i, c.err, a.Code, a.Errors)
			}
			continue
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if a.Code != 0 {
				t.Fatalf("the download ends with %d: %s", a.Code, a.Errors)
			}
			d := &differences{T: t}
			d.compare(c.whole, a, c.out)
			largest = max(largest, d.days.size, d.figures.size)
		})
		if c.whole.result.Summary.Ruined {
			ruined++
		}
	}
	t.Logf("%d models, %d ruined, %d that cannot run; largest difference %.3g", len(cases), ruined, failed, largest)
}

// randomMarket draws members: their series, the same as a file, and what the
// command is told of those that are delisted.
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
