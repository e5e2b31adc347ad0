package bench

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/script"
)

func TestPercentile(t *testing.T) {
	t.Parallel()
	ten := samples{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	for _, c := range []struct {
		name string
		of   samples
		p    float64
		want time.Duration
	}{
		{"none", nil, 0.5, 0},
		{"one", samples{7}, 0.99, 7},
		{"lowest", ten, 0, 1},
		{"median of an even number is the lower one", ten, 0.5, 5},
		{"99th of ten is the highest", ten, 0.99, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.of.percentile(c.p); got != c.want {
				t.Errorf("percentile %v = %d, want %d", c.p, got, c.want)
			}
		})
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	r := Result{Figures: []Figure{{"p50", 3, "ms"}, {"throughput", 500, "requests/s"}}}
	for _, c := range []struct {
		name   string
		limits []Limit
		want   bool
	}{
		{"no limit", nil, true},
		{"at the bounds", []Limit{{Figure: "p50", Most: 3}, {Figure: "throughput", Least: 500}}, true},
		{"above", []Limit{{Figure: "p50", Most: 2.9}}, false},
		{"below", []Limit{{Figure: "throughput", Least: 501}}, false},
		{"one of two", []Limit{{Figure: "p50", Most: 3}, {Figure: "throughput", Least: 501}}, false},
		{"not measured", []Limit{{Figure: "p99", Most: 3}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := r.Holds(c.limits); got != c.want {
				t.Errorf("holds = %v, want %v", got, c.want)
			}
		})
	}
}

// fixed returns a function that returns one result after the other.
func fixed(results ...Result) func(context.Context) (Result, error) {
	return func(context.Context) (Result, error) {
		r := results[0]
		results = results[1:]
		return r, nil
	}
}

func figures(value float64) Result {
	return Result{Figures: []Figure{{"p50", value, "ms"}}}
}

func TestReport(t *testing.T) {
	t.Parallel()
	rows := []Row{
		{Name: "quick row", Key: "Quick", Bar: "≤ 2 ms", Limits: []Limit{{Figure: "p50", Most: 2}}, Measure: fixed(figures(9), figures(1), figures(1.5))},
		{Name: "slow row", Key: "Slow", Bar: "≤ 2 ms", Limits: []Limit{{Figure: "p50", Most: 2}}, Measure: fixed(figures(120), figures(120), figures(120))},
		{Name: "row without a bar", Key: "Free", Measure: fixed(figures(0.0042), figures(0.0042), figures(0.0042))},
		{Name: "absent row", Key: "Absent", Bar: "≤ 1", Measure: fixed(Result{Skipped: "why"}, Result{Skipped: "why"}, Result{Skipped: "why"})},
	}
	report, err := Run(t.Context(), rows, Options{Count: 3, Progress: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	report.Machine = Machine{OS: "linux", Arch: "amd64", CPU: "Abacus", Cores: 2, Go: "go1.26"}

	t.Run("table", func(t *testing.T) {
		var out strings.Builder
		report.Print(&out)
		var lines []string
		for line := range strings.Lines(out.String()) {
			if line = strings.Join(strings.Fields(line), " "); line != "" {
				lines = append(lines, line)
			}
		}
		want := []string{
			"Abacus, 2 cores, linux/amd64, go1.26",
			"ROW MEASURED BAR",
			"quick row 1.50 ms p50 ≤ 2 ms ok",
			"slow row 120 ms p50 ≤ 2 ms MISSED",
			"row without a bar 0.0042 ms p50",
			"absent row skipped: why ≤ 1",
		}
		if d := cmp.Diff(want, lines); d != "" {
			t.Error(d)
		}
	})
	t.Run("benchstat", func(t *testing.T) {
		var out strings.Builder
		if err := report.Benchstat(&out); err != nil {
			t.Fatal(err)
		}
		want := "goos: linux\ngoarch: amd64\npkg: ballast/bench\ncpu: Abacus\n" +
			"BenchmarkQuick-2\t1\t9 p50-ms\nBenchmarkQuick-2\t1\t1 p50-ms\nBenchmarkQuick-2\t1\t1.5 p50-ms\n" +
			strings.Repeat("BenchmarkSlow-2\t1\t120 p50-ms\n", 3) + strings.Repeat("BenchmarkFree-2\t1\t0.0042 p50-ms\n", 3)
		if d := cmp.Diff(want, out.String()); d != "" {
			t.Error(d)
		}
	})
}

func TestRunNamesTheRowThatFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	_, err := Run(t.Context(), []Row{{Name: "bad row", Measure: func(context.Context) (Result, error) { return Result{}, broken }}}, Options{Progress: io.Discard})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "bad row") {
		t.Errorf("error %v", err)
	}
}

func TestComparisonCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		peer float64
		ok   bool
	}{
		{"equal", 4.5, true},
		{"within the tolerance", 4.5 + 0.9e-9, true},
		{"beyond it", 4.5 + 1.1e-9, false},
		{"not a number", math.NaN(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := Case{Name: "monthly", TotalReturn: 4.5, Peers: map[string]Value{"bt": {TotalReturn: 4.5}, "vectorbt": {TotalReturn: c.peer}}}
			if err := (&Comparison{Cases: []Case{one}}).Check(); (err == nil) != c.ok {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestScriptsAreValid(t *testing.T) {
	t.Parallel()
	scripts := map[string]string{"momentum": momentumScript("M", "M"), "fixed": fixedScript, "daily": dailyScript}
	for _, s := range Strategies() {
		scripts[s.Name] = s.script("B")
	}
	for name, text := range scripts {
		t.Run(name, func(t *testing.T) {
			if _, problems := script.Check(text, nil); len(problems) > 0 {
				t.Error(problems)
			}
		})
	}
}

func TestMarketIsComplete(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := marketTo(&out); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(out.String(), "\n"), 1+marketAssets*marketSessions; got != want {
		t.Errorf("%d lines, want %d", got, want)
	}
}

func TestStatusMemory(t *testing.T) {
	t.Parallel()
	got := statusMemory("Name:\tballast\nVmRSS:\t  100 kB\nRssAnon:\t      7 kB\nThreads:\t9\nVmSwap:\t0 pages\n")
	if d := cmp.Diff(map[string]int64{"VmRSS": 102400, "RssAnon": 7168}, got); d != "" {
		t.Error(d)
	}
}

func TestLoadEndsWithTheFirstError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	_, _, err := load(t.Context(), 3, time.Hour, func(context.Context) error { return broken })
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
