package program_test

import (
	"strings"
	"testing"
	"time"

	"ballast/program"
	"ballast/timeseries"
)

// The state says whether the served result follows the available bars.
func TestRefreshState(t *testing.T) {
	t.Parallel()
	day := func(d int) timeseries.Date { return timeseries.NewDate(2025, time.September, d) }
	session := day(26)
	sheet := func(last timeseries.Date, lags ...program.Lag) *program.Sheet {
		return &program.Sheet{Model: program.Model{AutoUpdate: true}, Live: &program.Run{Last: last}, Lags: lags}
	}
	lag := func(symbol string, last timeseries.Date) program.Lag {
		return program.Lag{Reference: program.Reference{ID: "asset_" + symbol, Symbol: symbol}, Kind: program.MemberAsset, Last: last}
	}
	delisted := lag("GONE", day(1))
	delisted.Delisted = true
	off := sheet(day(26), lag("SPY", day(26)))
	off.AutoUpdate = false
	moving := sheet(day(25), lag("SPY", day(25)))
	moving.InFlight = &program.Run{}
	for _, c := range []struct {
		name     string
		sheet    *program.Sheet
		state    string
		blockers string
	}{
		{"the last session is served", sheet(day(26), lag("SPY", day(26)), lag("AGG", day(26))), "current", ""},
		{"of two members one goes further", sheet(day(26), lag("SPY", day(26)), lag("AGG", day(20))), "current", ""},
		{"newer bars are stored", sheet(day(24), lag("SPY", day(25)), lag("AGG", day(24))), "stale", ""},
		{"no newer bars came", sheet(day(24), lag("SPY", day(24)), lag("AGG", day(23)), delisted), "stale",
			"SPY ends on 2025-09-24; AGG ends on 2025-09-23"},
		{"bars that are gone", sheet(day(24), lag("SPY", timeseries.NoDate)), "stale", "SPY has no bars"},
		{"a refresh is in flight", moving, "refreshing", ""},
		{"off, and nothing is newer", off, "off", ""},
		{"no result", &program.Sheet{}, "blocked", ""},
	} {
		r := c.sheet.RefreshState(session)
		var messages []string
		for _, b := range r.Blockers {
			messages = append(messages, b.Message)
		}
		if got := strings.Join(messages, "; "); r.State != c.state || got != c.blockers {
			t.Errorf("%s: %s, %q", c.name, r.State, got)
		}
	}
}
