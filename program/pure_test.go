package program

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/timeseries"
)

func TestSymbolFrom(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Regional momentum":  "REGIONAL",
		"sixty forty":        "SIXTYFOR",
		"60/40 balanced":     "BALANCED",
		"a1 b2":              "A1B2",
		"":                   "MODEL",
		"60/40":              "MODEL",
		"モメンタム":              "MODEL",
		"Ärztliche Vorsorge": "RZTLICHE",
		"naïve rotation":     "NAVEROTA",
		"  — x —  ":          "X",
	} {
		if got := symbolFrom(name); got != want {
			t.Errorf("symbolFrom(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	const id = "model_0190aaaabbbbccccddddeeeeffff0123"
	const end = "eeffff0123"
	for name, want := range map[string]string{
		"Regional momentum":       "regional-momentum-" + end,
		"  60/40, balanced!  ":    "60-40-balanced-" + end,
		"":                        end,
		"モメンタム":                   end,
		"naïve rotation":          "na-ve-rotation-" + end,
		strings.Repeat("ab ", 40): strings.Repeat("ab-", 16) + "a-" + end, // cut, perhaps within a word
	} {
		if got := slug(name, id); got != want {
			t.Errorf("slug(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestNamesMakeAddresses(t *testing.T) {
	t.Parallel()
	const letters, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		symbol := symbolFrom(name)
		if len(symbol) == 0 || len(symbol) > 8 || strings.Trim(symbol, letters+digits) != "" || !strings.ContainsRune(letters, rune(symbol[0])) {
			t.Fatalf("symbol %q", symbol)
		}
		address := slug(name, "model_0190aaaabbbbccccddddeeeeffff0123")
		if len(address) > 48+1+1+10 || strings.Trim(address, strings.ToLower(letters)+digits+"-") != "" || strings.HasPrefix(address, "-") || strings.Contains(address, "--") {
			t.Fatalf("slug %q", address)
		}
	})
}

func TestUsageRoundsUp(t *testing.T) {
	t.Parallel()
	for cpu, seconds := range map[time.Duration]int{
		0: 0, time.Nanosecond: 1, time.Second: 1, time.Second + time.Nanosecond: 2, 59*time.Second + 999*time.Millisecond: 60,
	} {
		if d := cmp.Diff(Usage{Units: 1 + seconds, Base: 1, Seconds: seconds}, (&Executor{}).metered(cpu, 0)); d != "" {
			t.Errorf("metered(%v, 0): %s", cpu, d)
		}
	}
}

// days gives dates by their distance from a Monday.
func days(offsets ...int) []timeseries.Date {
	dates := make([]timeseries.Date, len(offsets))
	for i, o := range offsets {
		dates[i] = timeseries.NewDate(2024, time.January, 1) + timeseries.Date(o)
	}
	return dates
}

func TestWindow(t *testing.T) {
	t.Parallel()
	d := &daily{dates: days(0, 1, 2, 4, 7)} // base, then four sessions
	day := func(offset int) timeseries.Date { return days(offset)[0] }
	tests := []struct {
		name       string
		start, end timeseries.Date
		from, to   int
	}{
		{"everything", timeseries.NoDate, timeseries.NoDate, 0, 5},
		{"start before the base", day(-9), timeseries.NoDate, 0, 5},
		{"start on the base", day(0), timeseries.NoDate, 0, 5},
		{"start on the first return", day(1), timeseries.NoDate, 0, 5},
		{"start on a session", day(4), timeseries.NoDate, 2, 5},
		{"start between sessions", day(3), timeseries.NoDate, 2, 5},
		{"start on the last session", day(7), timeseries.NoDate, 3, 5},
		{"start after the last session", day(8), timeseries.NoDate, 4, 5},
		{"end on a session", timeseries.NoDate, day(2), 0, 3},
		{"end between sessions", timeseries.NoDate, day(6), 0, 4},
		{"end on the base", timeseries.NoDate, day(0), 0, 1},
		{"end before the base", timeseries.NoDate, day(-1), 0, 1},
		{"one session", day(2), day(2), 1, 3},
		{"between two sessions", day(5), day(6), 3, 4},
		{"end before start", day(7), day(2), 3, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if from, to := d.window(test.start, test.end); from != test.from || to != test.to {
				t.Errorf("rows %d to %d, want %d to %d", from, to, test.from, test.to)
			}
		})
	}
	base := &daily{dates: days(0)}
	if from, to := base.window(day(3), timeseries.NoDate); from != 0 || to != 1 {
		t.Errorf("of a result without returns: rows %d to %d", from, to)
	}
}

// A window's dates are those of the table within it, and its base the one before.
func TestWindowIsWhatFilteringGives(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		gaps := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 30).Draw(t, "gaps")
		offsets := []int{0}
		for _, g := range gaps {
			offsets = append(offsets, offsets[len(offsets)-1]+g)
		}
		d := &daily{dates: days(offsets...)}
		start := days(rapid.IntRange(-3, 130).Draw(t, "start"))[0]
		end := days(rapid.IntRange(-3, 130).Draw(t, "end"))[0]
		var want []timeseries.Date
		for _, date := range d.dates[1:] {
			if date >= start && date <= end {
				want = append(want, date)
			}
		}
		from, to := d.window(start, end)
		got := d.dates[from+1 : to]
		if len(got) != len(want) {
			t.Fatalf("dates %v, want %v", got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("dates %v, want %v", got, want)
			}
		}
	})
}

func TestOnRows(t *testing.T) {
	t.Parallel()
	axis := days(2, 3, 6)
	column := []float64{0.5, 0.25, 1}
	tests := []struct {
		name  string
		dates []timeseries.Date
		share []float64
		want  []float64
		view  bool
	}{
		{"the run itself", days(0, 2, 4, 5, 6, 9), nil, []float64{0, 0.5, 0.25, 0.25, 1, 1}, false},
		{"as a share", days(0, 2, 4, 5, 6, 9), []float64{1, 0.5, 0, 2, 0.25, -1}, []float64{0, 0.25, 0, 0.5, 0.25, -1}, false},
		{"its own dates", days(3, 6), nil, []float64{0.25, 1}, true},
		{"no dates", nil, nil, []float64{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := onRows(column, rowsOn(axis, test.dates), test.share)
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
			if view := len(got) > 0 && &got[0] == &column[1]; view != test.view {
				t.Errorf("a view of the table: %v", view)
			}
		})
	}
}

func TestDailyOfUnknownType(t *testing.T) {
	t.Parallel()
	if err := (&daily{}).take(texts("date")); err == nil || !strings.Contains(err.Error(), "column date is not dates") {
		t.Errorf("error %v", err)
	}
}

func TestWarningOf(t *testing.T) {
	t.Parallel()
	d := days(0, 10, 20)
	s := &backtest.Summary{LastDecision: backtest.Decision{Date: d[1]}, Warnings: []backtest.Warning{
		{Kind: backtest.WarnStale, Last: d[2], Message: "stale"},
		{Kind: backtest.WarnSuspended, Last: d[0], Message: "long ago"},
		{Kind: backtest.WarnUntradable, Last: d[1], Message: "in CASH now"},
		{Kind: backtest.WarnRuin, Last: d[0], Message: "nothing is left"},
	}}
	if got, want := warningOf(s), "in CASH now; nothing is left"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := warningOf(&backtest.Summary{}); got != "" {
		t.Errorf("got %q", got)
	}
}
