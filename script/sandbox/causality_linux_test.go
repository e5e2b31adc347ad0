package sandbox

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ballast/backtest"
	"ballast/script"
)

func TestCausalityOfScripts(t *testing.T) {
	p := poolOf(t, Config{Command: []string{"/proc/self/exe", "script"}})
	j := scripted(t, "")
	o, err := p.Run(t.Context(), j)
	if err != nil || o.Causality != nil {
		t.Fatalf("verdict %v unasked, error %v", o.Causality, err)
	}
	j.Causality = true
	o, err = p.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if c := o.Causality; c == nil || !c.Causal || len(c.Cuts) != 5 || c.Difference != nil {
		t.Errorf("verdict %+v", c)
	}
	again, err := p.Run(t.Context(), j)
	if err != nil || len(again.Causality.Cuts) != 5 || again.Causality.Cuts[2] != o.Causality.Cuts[2] {
		t.Errorf("verdict %+v, then %+v, error %v", o.Causality, again.Causality, err)
	}
}

// TestPeekingIsAVerdict runs a child whose decisions read the next bar. The run must
// complete, and its verdict must report it.
func TestPeekingIsAVerdict(t *testing.T) {
	p := testPool(t, 1)
	j := job(t, "peek")
	j.Causality = true
	o, err := p.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if o.Daily().NumRows() != 300 || o.Causality.Causal {
		t.Fatalf("%d rows, verdict %+v", o.Daily().NumRows(), o.Causality)
	}
	d := o.Causality.Difference
	if d.Column != backtest.ColumnTrade || d.Symbol != "A001" || d.Date != j.Frame.Axis[0] || d.Whole == d.Past {
		t.Errorf("difference %+v", d)
	}
}

func TestChecksThatGoWrong(t *testing.T) {
	p, machine := testPool(t, 1), newPace(t)
	for _, c := range []struct {
		what    string
		kind    script.RunErrorType
		message string
	}{
		{"linger", script.TimeLimit, "longer than 300ms, while it was repeated to check its causality"},
		{"spin", script.TimeLimit, "longer than 300ms, while it was repeated to check its causality"},
		{"allocate", script.MemoryLimit, "128 MiB, while it was repeated to check its causality"},
		{"exit", script.InternalError, "died"},
		{"garbage", script.InternalError, "damaged"},
		{"none", script.InternalError, "damaged"},
		{"early", script.InternalError, "damaged"},
		{"fail", script.InternalError, "an error in the service"},
	} {
		t.Run(c.what, func(t *testing.T) {
			j := job(t, "check "+c.what)
			j.Causality = true
			j.Limits = Limits{Deadline: 300 * time.Millisecond}
			if c.kind == script.MemoryLimit {
				j.Limits = Limits{Memory: 128 << 20}
			}
			began := time.Now()
			_, err := p.Run(t.Context(), j)
			took := time.Since(began)
			var e *script.RunError
			if !errors.As(err, &e) || e.Type != c.kind || !strings.Contains(e.Message, c.message) {
				t.Errorf("error %v", err)
			}
			if c.kind == script.TimeLimit {
				machine.holds(t, c.what, began, took, j.Limits)
			}
			if _, err := p.Run(t.Context(), job(t, "echo")); err != nil {
				t.Errorf("the next run: %v", err)
			}
		})
	}
}
