package program

import (
	"strings"
	"testing"
	"time"

	"ballast/timeseries/sample"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/billing"
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
		strings.Repeat("ab ", 40): strings.Repeat("ab-", 16) + "a-" + end, // cut, possibly inside a word
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
		if d := cmp.Diff(Usage{Units: 1 + seconds, Base: 1, Seconds: seconds}, Metered(billing.Prices{}, cpu, 0)); d != "" {
			t.Errorf("Metered(%v, 0): %s", cpu, d)
		}
	}
}

func TestWindow(t *testing.T) {
	t.Parallel()
	sessions := sample.Days(0, 1, 2, 4, 7) // base, then four sessions
	day := func(offset int) timeseries.Date { return sample.Days(offset)[0] }
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
			if from, to := Window(sessions, test.start, test.end); from != test.from || to != test.to {
				t.Errorf("rows %d to %d, want %d to %d", from, to, test.from, test.to)
			}
		})
	}
	base := sample.Days(0)
	if from, to := Window(base, day(3), timeseries.NoDate); from != 0 || to != 1 {
		t.Errorf("of a result without returns: rows %d to %d", from, to)
	}
}

// The dates of a window are the table's dates within it, and its base is the date
// before.
func TestWindowEqualsFiltering(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		gaps := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 30).Draw(t, "gaps")
		offsets := []int{0}
		for _, g := range gaps {
			offsets = append(offsets, offsets[len(offsets)-1]+g)
		}
		sessions := sample.Days(offsets...)
		start := sample.Days(rapid.IntRange(-3, 130).Draw(t, "start"))[0]
		end := sample.Days(rapid.IntRange(-3, 130).Draw(t, "end"))[0]
		var want []timeseries.Date
		for _, date := range sessions[1:] {
			if date >= start && date <= end {
				want = append(want, date)
			}
		}
		from, to := Window(sessions, start, end)
		got := sessions[from+1 : to]
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
