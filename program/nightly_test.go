package program

import (
	"testing"
	"time"

	"ballast/timeseries"
)

func TestNightly(t *testing.T) {
	t.Parallel()
	n := Nightly{Delay: 2 * time.Hour}
	for _, c := range []struct{ name, now, session, next string }{
		{"before the close", "2024-03-07T20:30:00Z", "2024-03-06", "2024-03-07T23:00:00Z"},
		{"at the time", "2024-03-07T23:00:00Z", "2024-03-07", "2024-03-08T23:00:00Z"},
		{"over the weekend on which summer time begins", "2024-03-09T12:00:00Z", "2024-03-08", "2024-03-11T22:00:00Z"},
		{"over a holiday", "2024-12-25T12:00:00Z", "2024-12-24", "2024-12-26T23:00:00Z"},
		{"after midnight in UTC", "2024-07-10T01:00:00Z", "2024-07-09", "2024-07-10T22:00:00Z"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.Session(now).String(); got != c.session {
			t.Errorf("%s: session %s, want %s", c.name, got, c.session)
		}
		if got := n.Next(now).Format(time.RFC3339); got != c.next {
			t.Errorf("%s: next %s, want %s", c.name, got, c.next)
		}
	}
}

func TestNightlyGoesOn(t *testing.T) {
	t.Parallel()
	n := Nightly{Delay: 23 * time.Hour}
	at := time.Date(2023, time.December, 1, 0, 0, 0, 0, time.UTC)
	last := timeseries.NoDate
	for range 400 {
		next := n.Next(at)
		if !next.After(at) || n.Session(next) <= last || n.Session(next.Add(-time.Second)) == n.Session(next) {
			t.Fatalf("after %s comes %s, of %s after %s", at, next, n.Session(next), last)
		}
		at, last = next, n.Session(next)
	}
}
