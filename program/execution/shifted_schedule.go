package execution

import (
	"fmt"
	"regexp"
	"strings"

	"ballast/backtest"
	"ballast/internal/fault"
	"ballast/script"
)

// offsets returns the other positions that a schedule could have in its period: each
// weekday, or each session counted from the start of the period. A daily schedule has
// none. However long the period is, all of them together decide about as often as one
// daily schedule.
func offsets(s backtest.Schedule, barsPerYear int) []backtest.Schedule {
	calendarDays := barsPerYear > 300
	if s.Weekday != "" {
		days := []string{"mon", "tue", "wed", "thu", "fri"}
		if calendarDays {
			days = append(days, "sat", "sun")
		}
		var out []backtest.Schedule
		for _, day := range days {
			if day != s.Weekday {
				out = append(out, backtest.Schedule{Every: s.Every, Session: s.Session, Weekday: day})
			}
		}
		return out
	}
	sessions := map[string]int{"weekly": 5, "monthly": 21, "quarterly": 63, "yearly": 252}[s.Every]
	if calendarDays {
		sessions = map[string]int{"weekly": 7, "monthly": 30, "quarterly": 91, "yearly": 365}[s.Every]
	}
	var out []backtest.Schedule
	for n := 1; n <= sessions; n++ {
		// No week has more sessions than a full one, so its first and last sessions
		// each have two names.
		end := s.Every == "weekly" && (n == 1 || n == sessions) && n-sessions-1 == s.Session
		if n != s.Session && !end {
			out = append(out, backtest.Schedule{Every: s.Every, Session: n})
		}
	}
	return out
}

var scheduleLine = regexp.MustCompile(`(?m)^SCHEDULE\b`)

// reschedule rewrites a script with another schedule and nothing else changed. Each
// candidate is checked against the contract before it is accepted.
func reschedule(p *script.Script, s backtest.Schedule) (string, error) {
	text := strings.ReplaceAll(p.Source, "\r\n", "\n")
	literal := fmt.Sprintf(`{"every": %q, "session": %d}`, s.Every, s.Session)
	if s.Weekday != "" {
		literal = fmt.Sprintf(`{"every": %q, "weekday": %q}`, s.Every, s.Weekday)
	}
	for _, at := range scheduleLine.FindAllStringIndex(text, -1) {
		end := at[0] + statement(text[at[0]:])
		changed := text[:at[0]] + "SCHEDULE = " + literal + "\n" + text[end:]
		if q, problems := script.Check(changed, nil); len(problems) == 0 && q.Schedule == s {
			return changed, nil
		}
	}
	return "", fault.New(fault.InvalidParameter, "The schedule of this script cannot be moved: SCHEDULE must be on lines of its own.").
		With(fault.Detail{Field: "include", Message: "timing is not available for this script"})
}

// statement returns the length of the top-level statement that text starts with, up
// to the next line that is not part of it.
func statement(text string) int {
	length := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		if length > 0 && (line == "" || !strings.ContainsRune(" \t\n#)]}", rune(line[0]))) {
			break
		}
		length += len(line)
	}
	return length
}
