package grammar

import (
	"bytes"
	"context"
	"encoding/csv"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
	"ballast/timeseries/sample"
)

// market is the sample market's returns by symbol.
var market = sync.OnceValues(func() (map[string]timeseries.Series, error) {
	var file bytes.Buffer
	if err := sample.WriteBars(&file); err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(&file).ReadAll()
	if err != nil {
		return nil, err
	}
	all := map[string]timeseries.Series{}
	before := map[string]float64{}
	for _, row := range rows[1:] {
		date, err := timeseries.ParseDate(row[1])
		if err != nil {
			return nil, err
		}
		price, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			return nil, err
		}
		s, seen := all[row[0]]
		if !seen {
			s.Base = date
		} else {
			s.Dates, s.Returns = append(s.Dates, date), append(s.Returns, price/before[row[0]]-1)
		}
		all[row[0]], before[row[0]] = s, price
	}
	return all, nil
})

// sampled are the returns of a member: those of the sample market if it has it, otherwise
// those of one of its assets.
func sampled(t testing.TB, member string) timeseries.Series {
	t.Helper()
	all, err := market()
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := all[member]; ok {
		return s
	}
	name, known := map[string]string{
		"SPY": "LARGE", "VTI": "LARGE", "EFA": "EUROPE", "EEM": "EMERG", "AGG": "BOND", "BND": "BOND", "BIL": "BILLS",
		"TLT": "LONG", "IEF": "CREDIT", "GLD": "GOLD", "SHY": "SHORT", "QQQ": "TECH", "IWM": "SMALL",
	}[member]
	if !known {
		others := []string{"WORLD", "ASIA", "INFL", "YIELD", "ALFA", "BETA", "COMMO", "REAL"}
		h := fnv.New32a()
		h.Write([]byte(member))
		name = others[h.Sum32()%uint32(len(others))]
	}
	return all["SYN-"+name]
}

// frame returns the members of a script.
func frame(t testing.TB, members []string) *timeseries.Frame {
	t.Helper()
	var sources []timeseries.Source
	for _, m := range members {
		sources = append(sources, timeseries.Source{Key: m, Series: sampled(t, m)})
	}
	f, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// run backtests a script over the sample market.
func run(t testing.TB, text string) *backtest.Result {
	t.Helper()
	program, problems := script.Check(text, nil)
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, text)
	}
	inputs, details := program.Bind(nil)
	if len(details) > 0 {
		t.Fatal(details)
	}
	f := frame(t, program.Universe)
	r, err := script.NewRunner(program, inputs, f, script.RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	result, err := backtest.Run(context.Background(), f, program.Spec(inputs), r, backtest.Everything)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return result
}

func TestScriptsRun(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/scripts/*.py")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			result := run(t, string(text))
			held := 0.0
			for _, g := range result.Gross {
				held = max(held, g)
			}
			if held == 0 {
				t.Error("nothing was ever held")
			}
			if most := 4.0; held > most {
				t.Errorf("%v was held at most", held)
			}
		})
	}
}

// decided returns the target of the last decision by member.
func decided(result *backtest.Result, n int) map[string]float64 {
	events := result.Ledger
	target := map[string]float64{}
	for _, trade := range events[len(events)+n].Trades {
		key := "CASH"
		if trade.Member >= 0 {
			key = result.Keys[trade.Member]
		}
		target[key] = trade.Target
	}
	return target
}

func TestDecidedWeights(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		prompt string
		want   map[string]float64 // of every decision
	}{
		{"60/40 SPY/AGG", map[string]float64{"SPY": 0.6, "AGG": 0.4}},
		{"a third each in SPY, EFA and AGG", map[string]float64{"SPY": 1. / 3, "EFA": 1. / 3, "AGG": 1. / 3}},
		{"50% SPY, the rest equally in AGG and GLD", map[string]float64{"SPY": 0.5, "AGG": 0.25, "GLD": 0.25}},
		{"60/40 SPY/AGG leveraged 1.5x", map[string]float64{"SPY": 0.6 * 1.5, "AGG": 0.4 * 1.5}},
		{"130% SPY, short 30% IWM", map[string]float64{"SPY": 1.3, "IWM": -0.3}},
		{"equal weight SPY, EFA, AGG and TLT", map[string]float64{"SPY": 0.25, "EFA": 0.25, "AGG": 0.25, "TLT": 0.25}},
		{"all weather", map[string]float64{"VTI": 0.3, "TLT": 0.4, "IEF": 0.15, "GLD": 0.075, "DBC": 0.075}},
		{"7.5% GLD and 92.5% SPY", map[string]float64{"GLD": 0.075, "SPY": 0.925}},
	} {
		t.Run(c.prompt, func(t *testing.T) {
			t.Parallel()
			result := run(t, Write(understand(t, c.prompt)))
			for n := -1; n >= -3; n-- {
				got := decided(result, n)
				for key, w := range c.want {
					if math.Abs(got[key]-w) > 1e-15 {
						t.Errorf("%s is decided at %v, not %v", key, got[key], w)
					}
				}
			}
		})
	}
}

// TestTrendIsFollowed compares the decisions of a trend rule with a plain calculation
// of the moving average.
func TestTrendIsFollowed(t *testing.T) {
	t.Parallel()
	result := run(t, Write(understand(t, "hold SPY when above its 200 day moving average, otherwise BIL, monthly")))
	all, err := market()
	if err != nil {
		t.Fatal(err)
	}
	spy := all["SYN-LARGE"]
	prices, at := []float64{1}, map[string]int{}
	for i, r := range spy.Returns {
		prices = append(prices, prices[i]*(1+r))
		at[spy.Dates[i].String()] = i + 1
	}
	for _, e := range result.Ledger {
		i := at[e.Decided.String()]
		if i < 199 { // its price is the 200th
			t.Fatalf("decided on %s without 200 sessions", e.Decided)
		}
		mean := 0.0
		for _, p := range prices[i-199 : i+1] {
			mean += p / 200
		}
		for _, trade := range e.Trades {
			key := result.Keys[trade.Member]
			if want := (key == "SPY") == (prices[i] > mean); want != (trade.Target == 1) {
				t.Fatalf("on %s %s is decided at %v", e.Decided, key, trade.Target)
			}
		}
	}
	if len(result.Ledger) < 100 {
		t.Errorf("only %d decisions", len(result.Ledger))
	}
}

// TestCapsOfOptima checks that a cap on an optimum leaves no cash that other members
// could take, and that no weight exceeds it.
func TestCapsOfOptima(t *testing.T) {
	t.Parallel()
	for prompt, invested := range map[string]float64{
		"minimum variance of SPY, TLT, GLD and AGG, no more than 40% in any asset, monthly": 1,
		"mean variance of SPY, TLT and GLD, max 50% each, monthly":                          1,
		"minimum variance of SPY, TLT and GLD, max 20% each, monthly":                       0.6,
	} {
		plan := understand(t, prompt)
		result := run(t, Write(plan))
		for n := -1; n >= -24; n-- {
			sum := 0.0
			for key, w := range decided(result, n) {
				sum += w
				if w > plan.Cap+1e-9 {
					t.Errorf("%q: %v of %s", prompt, w, key)
				}
			}
			if math.Abs(sum-invested) > 1e-9 {
				t.Errorf("%q: %v is invested, not %v", prompt, sum, invested)
			}
		}
	}
}

// TestIndicatorsBeginWithTheirLength checks that a condition decides as soon as its
// indicator has as many sessions as its length, and no later.
func TestIndicatorsBeginWithTheirLength(t *testing.T) {
	t.Parallel()
	all, err := market()
	if err != nil {
		t.Fatal(err)
	}
	spy := all["SYN-LARGE"]
	for prompt, session := range map[string]int{ // the session of the first decision, from 1
		"hold SPY when above its 100 day moving average, otherwise BIL":             100,
		"hold SPY when above its 100 day exponential moving average, otherwise BIL": 100,
		"hold SPY when its 14 day RSI is below 70, otherwise BIL":                   15,
		"hold SPY when its 60 day return is positive, otherwise BIL":                61,
		"SPY on a golden cross, otherwise BIL":                                      200,
	} {
		result := run(t, Write(understand(t, prompt)))
		// The first bar's price is 1, before its return: session n has n-2 returns before it.
		if got, want := result.Ledger[0].Decided.String(), spy.Dates[session-2].String(); got != want {
			t.Errorf("%q is decided on %s first, not on %s", prompt, got, want)
		}
	}
}

func TestScriptsSayWhatWasUnderstood(t *testing.T) {
	t.Parallel()
	program, problems := script.Check(Write(understand(t, "60% S&P 500, 40% US bonds")), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, want := range []string{`"s&p 500" means SPY.`, `"us bonds" means AGG.`, "No schedule was given, so decisions are monthly."} {
		if !strings.Contains(strings.ReplaceAll(program.Description, "\n", " "), want) {
			t.Errorf("%q is not in the description:\n%s", want, program.Description)
		}
	}
}
