package web

import (
	"context"
	"errors"
	"net/url"

	"ballast/internal/fault"
	"ballast/program/history"
)

// timingLuck shows how much of a model's result is due to the days on which it decides.
// It is for the owner alone, who pays for the runs behind it.
type timingLuck struct {
	Ask    string // address that computes it; "" once it has been asked for
	Note   string // why there is none
	Result *history.Timing
	Rows   []timingRow
	Spread []figure
}

// timingRow is the model on one of the schedules.
type timingRow struct {
	Schedule, CAGR, Drawdown, Problem string
	Own                               bool
}

// timingOf computes the timing luck if the address asks for it. Costs or a limit that
// forbid it leave a note.
func timingOf(ctx context.Context, address url.Values, read func(context.Context) (*history.History, error)) (*timingLuck, error) {
	t := &timingLuck{}
	if address.Get("timing") == "" {
		asked := url.Values{"timing": {"show"}}
		for name, values := range address {
			if name != "timing" {
				asked[name] = values
			}
		}
		t.Ask = "?" + asked.Encode() + "#timing"
		return t, nil
	}
	h, err := read(ctx)
	if err != nil {
		var refused *fault.Error
		if !errors.As(err, &refused) || fault.TypeOf(err) == fault.Internal || fault.TypeOf(err) == fault.NotFound {
			return nil, err
		}
		t.Note = sentence(refused.Message)
		return t, nil
	}
	t.Result = h.Timing
	for _, o := range h.Timing.Offsets {
		row := timingRow{Schedule: o.Schedule, Own: o.Own, CAGR: percent(float64(o.CAGR), 2), Drawdown: percent(float64(o.MaxDrawdown), 1)}
		if o.Error != nil {
			row.Problem = sentence(*o.Error)
		}
		t.Rows = append(t.Rows, row)
	}
	g, d := h.Timing.CAGR, h.Timing.MaxDrawdown
	t.Spread = []figure{
		{"CAGR, lowest", percent(float64(g.Lowest), 2)}, {"CAGR, median", percent(float64(g.Median), 2)}, {"CAGR, highest", percent(float64(g.Highest), 2)},
		{"Difference of CAGR", decimal(100*float64(g.Spread), 2, "\u202fpp")}, {"Difference of drawdown", decimal(100*float64(d.Spread), 1, "\u202fpp")},
	}
	return t, nil
}
