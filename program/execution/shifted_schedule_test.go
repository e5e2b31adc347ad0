package execution

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/backtest"
	"ballast/script"
)

func TestOffsets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		schedule backtest.Schedule
		year     int
		want     string
	}{
		{"daily", backtest.Schedule{Every: "daily", Session: -1}, 252, ""},
		{"weekly", backtest.Schedule{Every: "weekly", Session: -1}, 252, "1 2 3 4"},
		{"weekly, the last by number", backtest.Schedule{Every: "weekly", Session: 5}, 252, "1 2 3 4"},
		{"weekly, the first from the end", backtest.Schedule{Every: "weekly", Session: -5}, 252, "2 3 4 5"},
		{"weekly, the last but one", backtest.Schedule{Every: "weekly", Session: -2}, 252, "1 2 3 4 5"},
		{"weekly, all days", backtest.Schedule{Every: "weekly", Session: 2}, 365, "1 3 4 5 6 7"},
		{"a weekday", backtest.Schedule{Every: "weekly", Session: -1, Weekday: "wed"}, 252, "mon tue thu fri"},
		{"a weekday, all days", backtest.Schedule{Every: "weekly", Session: -1, Weekday: "sun"}, 365, "mon tue wed thu fri sat"},
		{"monthly", backtest.Schedule{Every: "monthly", Session: 3}, 252, "1 2 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21"},
		{"quarterly", backtest.Schedule{Every: "quarterly", Session: -1}, 252, counted(63)},
		{"yearly", backtest.Schedule{Every: "yearly", Session: -1}, 252, counted(252)},
		{"yearly, all days", backtest.Schedule{Every: "yearly", Session: 365}, 365, counted(364)},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range offsets(test.schedule, test.year) {
				words := strings.Fields(s.String())
				got = append(got, words[len(words)-1])
			}
			if d := cmp.Diff(test.want, strings.Join(got, " ")); d != "" {
				t.Error(d)
			}
		})
	}
}

// counted returns the numbers from 1 to n as separate words.
func counted(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = strconv.Itoa(i + 1)
	}
	return strings.Join(words, " ")
}

func TestReschedule(t *testing.T) {
	t.Parallel()
	const rest = "\nUNIVERSE = [\"AAA\"]\n\ndef decide(ctx):\n    return {\"AAA\": 1}\n"
	for name, head := range map[string]string{
		"a word":            "NAME = \"x\"\nSCHEDULE = \"monthly\"",
		"a comment behind":  "NAME = \"x\"\nSCHEDULE = 'monthly'  # the end of it",
		"over lines":        "NAME = \"x\"\nSCHEDULE = {\n    \"every\": \"monthly\",\n\n    \"session\": -1,\n}",
		"the first line":    "SCHEDULE = \"monthly\"\nNAME = \"x\"",
		"ends of Windows":   "NAME = \"x\"\r\nSCHEDULE = \"monthly\"\r\n",
		"named in its text": "\"\"\"What it does.\n\nSCHEDULE = monthly, said in words.\n\"\"\"\nNAME = \"x\"\nSCHEDULE = \"monthly\"",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, problems := script.Check(head+rest, nil)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			for _, want := range append(offsets(p.Schedule, 252), backtest.Schedule{Every: "weekly", Session: -1, Weekday: "tue"}) {
				text, err := reschedule(p, want)
				if err != nil {
					t.Fatal(err)
				}
				moved, problems := script.Check(text, nil)
				if len(problems) > 0 || moved.Schedule != want || moved.Name != p.Name || moved.Description != p.Description || moved.Fill != p.Fill {
					t.Errorf("%+v became %+v of\n%s", want, moved, text)
				}
			}
		})
	}
}
