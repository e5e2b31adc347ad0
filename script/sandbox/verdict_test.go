package sandbox

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/backtest"
	"ballast/internal/number"
	"ballast/timeseries"
)

// judged returns a valid verdict on result r over f, for a run that is not causal.
func judged(r *backtest.Result, f *timeseries.Frame) *backtest.Causality {
	date := f.Axis[20]
	return &backtest.Causality{
		Cuts:       []backtest.Cut{{Date: f.Axis[0], Rows: 1}, {Date: date, Rows: timeseries.Through(r.Dates, date)}},
		Difference: &backtest.Difference{Cut: date, Date: f.Axis[19], Column: backtest.ColumnWeight, Symbol: f.Members[0].Key, Whole: 0.5, Past: 0.25},
	}
}

func TestVerdictRoundTrip(t *testing.T) {
	f := panel(t, 2, 60)
	_, r := response(t, f)
	want := judged(r, f)
	var b bytes.Buffer
	if err := writeVerdict(&b, 1, verdict{Causality: want}); err != nil {
		t.Fatal(err)
	}
	h, err := readHeader(&b)
	if err != nil {
		t.Fatal(err)
	}
	got, failed, err := readVerdict(&b, h, 1, r, f)
	if err != nil || failed != nil {
		t.Fatal(failed, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDamagedVerdictsAreRefused(t *testing.T) {
	f := panel(t, 2, 60)
	_, r := response(t, f)
	for _, c := range []struct {
		name   string
		damage func(*backtest.Causality)
	}{
		{"causal with a difference", func(c *backtest.Causality) { c.Causal = true }},
		{"not causal without one", func(c *backtest.Causality) { c.Difference = nil }},
		{"no cuts", func(c *backtest.Causality) { c.Cuts = nil }},
		{"a thousand cuts", func(c *backtest.Causality) { c.Cuts = slices.Repeat(c.Cuts, 500) }},
		{"a cut on no session", func(c *backtest.Causality) { c.Cuts[0].Date-- }},
		{"cuts out of order", func(c *backtest.Causality) { slices.Reverse(c.Cuts) }},
		{"more rows than there are", func(c *backtest.Causality) { c.Cuts[1].Rows++ }},
		{"negative rows", func(c *backtest.Causality) { c.Cuts[1].Rows = -1 }},
		{"a difference at another cut", func(c *backtest.Causality) { c.Difference.Cut = c.Cuts[0].Date }},
		{"a difference after the cut", func(c *backtest.Causality) { c.Difference.Date = f.Axis[21] }},
		{"a difference on no session", func(c *backtest.Causality) { c.Difference.Date = f.Axis[0] - 1 }},
		{"an unknown column", func(c *backtest.Causality) { c.Difference.Column = "mood" }},
		{"a stranger", func(c *backtest.Causality) { c.Difference.Symbol = "ZZZ" }},
		{"a series without a name", func(c *backtest.Causality) { c.Difference.Column, c.Difference.Symbol = backtest.ColumnCustom, "" }},
		{"not a number", func(c *backtest.Causality) { c.Difference.Whole = number.NaN() }},
		{"infinite", func(c *backtest.Causality) { c.Difference.Past = number.Float(math.Inf(1)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := judged(r, f)
			c.damage(v)
			var bad *damagedError
			if err := checkVerdict(v, r, f); !errors.As(err, &bad) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// FuzzVerdict checks that no bytes from a child make its parent panic, or are accepted as a
// verdict without being valid.
func FuzzVerdict(f *testing.F) {
	frame := panel(f, 2, 60)
	_, r := response(f, frame)
	for _, v := range []verdict{{Causality: judged(r, frame)}, {Failure: &failure{Type: "time_limit"}}, {}} {
		var b bytes.Buffer
		if err := writeVerdict(&b, 1, v); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		in := bytes.NewReader(b)
		h, err := readAnswer(in, 1, func(int) {})
		if err != nil {
			return
		}
		c, failed, err := readVerdict(in, h, 1, r, frame)
		if err == nil && (c == nil) == (failed == nil) {
			t.Errorf("verdict %v with failure %v", c, failed)
		}
	})
}
