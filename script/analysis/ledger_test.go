package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"ballast/script"
	"ballast/timeseries"
)

// A model's trades are those of its run, in the window alone. Two events can have one day.
func TestLedger(t *testing.T) {
	t.Parallel()
	f := withModels(t)
	days := []timeseries.Date{f.Axis[0], f.Axis[0], f.Axis[40], f.Axis[60], f.Axis[60]}
	put := func(what, name string, dates []timeseries.Date, values ...float64) {
		f.Outside = append(f.Outside, timeseries.NewOutside(script.Holding{What: what, Member: "P", Name: name}.Key(), f.Axis, dates, dates, values))
	}
	rows := []timeseries.Date{0, 1, 2, 3, 4}
	for i, values := range [][]float64{
		{float64(days[0]), float64(days[1]), float64(days[2]), float64(days[3]), float64(days[4])},
		{float64(f.Axis[0]), float64(f.Axis[0]), float64(f.Axis[39]), float64(f.Axis[60]), float64(f.Axis[59])},
		{0, 0, 1, 2, 1}, {0, 1, 0, 1, 0}, {0, 0, .55, .4, .6}, {.6, .4, .6, 0, 1}, {.6, .4, .05, .4, .4},
	} {
		put(script.LedgerColumn, script.LedgerColumns[i], rows, values...)
	}
	put(script.LedgerKey, "AAA", rows[:1], 0)
	put(script.LedgerKey, "BBB", rows[:1], 1)
	const body = `l = ctx.ledger("P")
ctx.table("trades", {"fill": l["fill"], "decided": l["decided"], "reason": l["reason"], "key": l["key"], "traded": l["traded"], "moved": l["target"] - l["before"]})
ctx.scalar("n", len(l["fill"]))`
	a := analyzed(t, f, body)
	if got := strings.Join(column(t, a, "trades", "key").Texts, " ") + " " + strings.Join(column(t, a, "trades", "reason").Texts, " "); got != "AAA BBB AAA BBB AAA start start schedule suspended schedule" {
		t.Error(got)
	}
	for i, d := range column(t, a, "trades", "fill").Dates {
		if moved := math.Abs(column(t, a, "trades", "moved").Numbers[i]) - column(t, a, "trades", "traded").Numbers[i]; d != days[i] || moved > 1e-12 || moved < -1e-12 {
			t.Errorf("row %d is of %s and off by %v", i, d, moved)
		}
	}
	for _, c := range []struct {
		first, last timeseries.Date
		n           float64
	}{{f.Axis[40], f.Axis[60], 3}, {f.Axis[0], f.Axis[59], 3}, {f.Axis[1], f.Axis[39], 0}, {f.Axis[60], f.Axis[60], 2}} {
		within, err := Execute(t.Context(), callOf(t, f, scriptOf(f, `ctx.scalar("n", len(ctx.ledger("P")["fill"]))`), map[string]any{"start_date": c.first.String(), "end_date": c.last.String()}))
		check(t, err)
		if got := scalar(t, within, "n"); got != c.n {
			t.Errorf("from %s to %s there are %v rows, not %v", c.first, c.last, got, c.n)
		}
	}
	if err := failure(t, f, `ctx.ledger("AAA")`); !strings.Contains(err.Message, "ledger: AAA is no model: only models have trades") {
		t.Error(fmt.Sprint(err.Message))
	}
}
