package calendar

import (
	"slices"
	"testing"
	"time"

	"ballast/timeseries"
)

func date(t *testing.T, s string) timeseries.Date {
	t.Helper()
	d, err := timeseries.ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestHolidays lists the weekdays on which the exchange was closed in some years, from
// its own notices (nyse.com, Holidays and Trading Hours, and its list of special
// closings).
func TestHolidays(t *testing.T) {
	for _, c := range []struct {
		year   int
		closed []string
	}{
		{1970, []string{"1970-01-01", "1970-02-23", "1970-03-27", "1970-05-29", "1970-07-03", "1970-09-07", "1970-11-26", "1970-12-25"}},
		{1972, []string{"1972-02-21", "1972-03-31", "1972-05-29", "1972-07-04", "1972-09-04", "1972-11-07", "1972-11-23", "1972-12-25", "1972-12-28"}},
		{1994, []string{"1994-02-21", "1994-04-01", "1994-04-27", "1994-05-30", "1994-07-04", "1994-09-05", "1994-11-24", "1994-12-26"}},
		{2004, []string{"2004-01-01", "2004-01-19", "2004-02-16", "2004-04-09", "2004-05-31", "2004-06-11", "2004-07-05", "2004-09-06", "2004-11-25", "2004-12-24"}},
		// 2011-01-01 was a Saturday: 2010-12-31 stayed open.
		{2010, []string{"2010-01-01", "2010-01-18", "2010-02-15", "2010-04-02", "2010-05-31", "2010-07-05", "2010-09-06", "2010-11-25", "2010-12-24"}},
		{2022, []string{"2022-01-17", "2022-02-21", "2022-04-15", "2022-05-30", "2022-06-20", "2022-07-04", "2022-09-05", "2022-11-24", "2022-12-26"}},
		{2025, []string{"2025-01-01", "2025-01-09", "2025-01-20", "2025-02-17", "2025-04-18", "2025-05-26", "2025-06-19", "2025-07-04", "2025-09-01", "2025-11-27", "2025-12-25"}},
		{2026, []string{"2026-01-01", "2026-01-19", "2026-02-16", "2026-04-03", "2026-05-25", "2026-06-19", "2026-07-03", "2026-09-07", "2026-11-26", "2026-12-25"}},
	} {
		var closed []string
		for d := timeseries.NewDate(c.year, time.January, 1); d <= timeseries.NewDate(c.year, time.December, 31); d++ {
			if w := d.Weekday(); w != time.Saturday && w != time.Sunday && !IsSession(XNYS(), d) {
				closed = append(closed, d.String())
			}
		}
		if !slices.Equal(closed, c.closed) {
			t.Errorf("%d: closed on %v, want %v", c.year, closed, c.closed)
		}
	}
}

func TestUnannouncedClosingsStayPlanned(t *testing.T) {
	for _, s := range []string{"1977-07-14", "1985-09-27", "2001-09-11", "2001-09-14", "2012-10-29", "2012-10-30"} {
		if !IsSession(XNYS(), date(t, s)) {
			t.Errorf("%s is not planned", s)
		}
	}
}

func TestSaturdays(t *testing.T) {
	for s, open := range map[string]bool{"1929-10-26": true, "1945-07-07": true, "1947-07-12": false, "1952-05-24": true, "1952-06-07": false, "2024-06-01": false} {
		if IsSession(XNYS(), date(t, s)) != open {
			t.Errorf("%s: open is %v", s, !open)
		}
	}
}

// TestEaster cites the tables of the US Census Bureau.
func TestEaster(t *testing.T) {
	for _, s := range []string{"1818-03-22", "1943-04-25", "1961-04-02", "2000-04-23", "2008-03-23", "2024-03-31", "2038-04-25", "2100-03-28"} {
		d := date(t, s)
		y, _, _ := d.YMD()
		if got := easter(y); got != d {
			t.Errorf("%d: %s, want %s", y, got, d)
		}
	}
}

func TestCountAndSessionAgree(t *testing.T) {
	for _, name := range []string{NameXNYS, NameAllDays} {
		c, err := Named(name)
		if err != nil {
			t.Fatal(err)
		}
		all := c.Count(Last)
		if c.Count(First-1) != 0 || c.Count(Last+1000) != all || c.Count(timeseries.NoDate) != 0 {
			t.Errorf("%s counts beyond its days", name)
		}
		for i := range all {
			d := c.Session(i)
			if c.Count(d) != i+1 || c.Count(d-1) != i {
				t.Fatalf("%s: session %d is %s, whose count is %d", name, i, d, c.Count(d))
			}
		}
	}
	if _, err := Named("XLON"); err == nil {
		t.Error("XLON is known")
	}
}

func BenchmarkBuildXNYS(b *testing.B) {
	for b.Loop() {
		if newXNYS().Count(Last) == 0 {
			b.Fatal("no session")
		}
	}
}
