package execution

import (
	"testing"

	"ballast/timeseries/sample"

	"ballast/backtest"
)

func TestWarningOf(t *testing.T) {
	t.Parallel()
	d := sample.Days(0, 10, 20)
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
