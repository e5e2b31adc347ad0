package web

import (
	"testing"

	"ballast/metrics"
)

func TestDeflatedSharpeIsShownWithItsTrials(t *testing.T) {
	t.Parallel()
	var b metrics.Block
	without := headlines(&b)
	for _, f := range without {
		if f.Name == "Deflated Sharpe (trials: 0)" {
			t.Errorf("a result without a number of trials shows %q", f.Name)
		}
	}
	b.Conventions.Trials, b.DeflatedSharpe = 12, .834
	with := headlines(&b)
	if len(with) != len(without)+1 {
		t.Fatalf("%d figures with trials, want one more than the %d without", len(with), len(without))
	}
	if got, want := with[len(with)-1], (measure{"Deflated Sharpe (trials: 12)", "deflated_sharpe", "83\u202f%"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
