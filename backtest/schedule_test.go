package backtest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// axis lists the sessions of cal from one day to another, except the missing ones.
func axis(t *testing.T, cal calendar.Calendar, from, to string, missing ...string) []timeseries.Date {
	t.Helper()
	first, err := timeseries.ParseDate(from)
	if err != nil {
		t.Fatal(err)
	}
	last, err := timeseries.ParseDate(to)
	if err != nil {
		t.Fatal(err)
	}
	var days []timeseries.Date
	for d := first; d <= last; d++ {
		if calendar.IsSession(cal, d) {
			days = append(days, d)
		}
		for _, m := range missing {
			if d.String() == m {
				days = days[:len(days)-1]
			}
		}
	}
	return days
}

func TestScheduleSessions(t *testing.T) {
	xnys, all := calendar.XNYS(), calendar.AllDays()
	for _, c := range []struct {
		name     string
		schedule Schedule
		cal      calendar.Calendar
		from, to string
		missing  []string
		want     []string
	}{
		{"last of the month", Schedule{Every: "monthly", Session: -1}, xnys, "2024-02-20", "2024-05-30", nil,
			[]string{"2024-02-29", "2024-03-28", "2024-04-30"}},
		{"the data's last session is not the month's", Schedule{Every: "monthly", Session: -1}, xnys, "2024-05-01", "2024-05-30", nil, nil},
		{"last of the week before a holiday on Friday", Schedule{Every: "weekly", Session: -1}, xnys, "2024-03-18", "2024-04-05", nil,
			[]string{"2024-03-22", "2024-03-28", "2024-04-05"}},
		{"Wednesday that is a holiday moves on", Schedule{Every: "weekly", Weekday: "wed"}, xnys, "2024-06-10", "2024-06-28", nil,
			[]string{"2024-06-12", "2024-06-20", "2024-06-26"}},
		{"Friday that is a holiday moves into the next week", Schedule{Every: "weekly", Weekday: "fri"}, xnys, "2024-03-25", "2024-04-05", nil,
			[]string{"2024-04-01", "2024-04-05"}},
		{"first of the quarter", Schedule{Every: "quarterly", Session: 1}, xnys, "2024-01-02", "2024-10-15", nil,
			[]string{"2024-01-02", "2024-04-01", "2024-07-01", "2024-10-01"}},
		{"third from the end of the year", Schedule{Every: "yearly", Session: -3}, xnys, "2022-01-03", "2024-01-31", nil,
			[]string{"2022-12-28", "2023-12-27"}},
		{"fifth of a week of four is its last", Schedule{Every: "weekly", Session: 5}, xnys, "2024-05-20", "2024-05-31", nil,
			[]string{"2024-05-24", "2024-05-31"}},
		{"2001-09-14 moves to the next session with a bar", Schedule{Every: "weekly", Session: -1}, xnys, "2001-09-04", "2001-09-21",
			[]string{"2001-09-11", "2001-09-12", "2001-09-13", "2001-09-14"}, []string{"2001-09-07", "2001-09-17", "2001-09-21"}},
		{"across the end of a month", Schedule{Every: "monthly", Session: -1}, xnys, "2024-04-01", "2024-05-10",
			[]string{"2024-04-29", "2024-04-30"}, []string{"2024-05-01"}},
		{"two planned days that meet are one decision", Schedule{Every: "weekly", Session: -1}, xnys, "2024-07-08", "2024-07-26",
			[]string{"2024-07-12", "2024-07-15", "2024-07-16", "2024-07-17", "2024-07-18"}, []string{"2024-07-19", "2024-07-26"}},
		{"calendar days end on Sunday", Schedule{Every: "weekly", Session: -1}, all, "2024-07-10", "2024-07-23", nil,
			[]string{"2024-07-14", "2024-07-21"}},
		{"Saturday of calendar days", Schedule{Every: "weekly", Weekday: "sat"}, all, "2024-07-10", "2024-07-23", nil,
			[]string{"2024-07-13", "2024-07-20"}},
		{"month of calendar days", Schedule{Every: "monthly", Session: -1}, all, "2024-01-10", "2024-03-31", nil,
			[]string{"2024-01-31", "2024-02-29", "2024-03-31"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			days := axis(t, c.cal, c.from, c.to, c.missing...)
			positions, err := c.schedule.Sessions(days, c.cal, 0)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range positions {
				got = append(got, days[p].String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestScheduleBeyondTheCalendar(t *testing.T) {
	days := []timeseries.Date{calendar.Last, calendar.Last + 1}
	if _, err := (Schedule{Every: "monthly", Session: -1}).Sessions(days, calendar.XNYS(), 0); err == nil {
		t.Error("no error")
	}
}

func TestCheck(t *testing.T) {
	good := Spec{Schedule: Schedule{Every: "weekly", Weekday: "wed"}, Fill: FillClose, Start: StartAllMembers, InitialCash: 1}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Spec){
		"fill":            func(s *Spec) { s.Fill = "open" },
		"start":           func(s *Spec) { s.Start = "later" },
		"cash":            func(s *Spec) { s.InitialCash = 0 },
		"schedule":        func(s *Spec) { s.Schedule.Every = "hourly" },
		"weekday":         func(s *Spec) { s.Schedule.Weekday = "wednesday" },
		"month's weekday": func(s *Spec) { s.Schedule.Every = "monthly" },
		"session 0":       func(s *Spec) { s.Schedule.Weekday = "" },
	} {
		bad := good
		change(&bad)
		if bad.Check() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestPeriods(t *testing.T) {
	first, last := timeseries.NewDate(2019, time.December, 5), timeseries.NewDate(2021, time.February, 1)
	for _, every := range periods {
		starts := periodStarts(every, first, last)
		n := len(starts)
		if starts[0] > first || starts[n-1] <= last || starts[n-2] > last {
			t.Errorf("%s: from %s to %s", every, starts[0], starts[n-1])
		}
		for k, start := range starts[1:] {
			if periodStart(every, start) != start || periodStart(every, start-1) != starts[k] {
				t.Fatalf("%s: %s does not follow on %s", every, start, starts[k])
			}
		}
	}
}
