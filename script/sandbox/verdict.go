package sandbox

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"time"

	"github.com/fxamacker/cbor/v2"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
)

// verdict is the control part of the message that follows a result: whether the
// result is causal, or why that is not known.
type verdict struct {
	Failure   *failure            `cbor:"failure"`
	Causality *backtest.Causality `cbor:"causality"`
}

// judge runs check within the deadline and returns its verdict.
func judge(check func(context.Context) (*backtest.Causality, error), deadline time.Duration) verdict {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	c, err := check(ctx)
	switch {
	case err == nil:
		return verdict{Causality: c}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return verdict{Failure: &failure{Type: script.TimeLimit, Message: stageCausality.deadlineMessage(deadline)}}
	}
	return verdict{Failure: failureOf(err).tidy()}
}

// writeVerdict sends the verdict on the result of the request with this id.
func writeVerdict(w io.Writer, id uint64, v verdict) error {
	control, err := cbor.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(header{id: id, control: uint32(len(control))}.bytes(), control...))
	return err
}

// readVerdict reads the verdict with header h and checks it against the result and
// the frame that was sent.
func readVerdict(r io.Reader, h header, id uint64, of *backtest.Result, f *timeseries.Frame) (*backtest.Causality, *failure, error) {
	var v verdict
	if err := readControl(r, h, &v); err != nil {
		return nil, nil, err
	}
	switch {
	case h.id != id || h.body != 0:
		return nil, nil, damaged("a verdict of %d bytes on request %d, expected %d", h.body, h.id, id)
	case v.Failure != nil:
		return nil, v.Failure, checkFailure(v.Failure, f)
	case v.Causality == nil:
		return nil, nil, damaged("no verdict")
	}
	return v.Causality, nil, checkVerdict(v.Causality, of, f)
}

const maxCuts = 16

// checkVerdict checks that a verdict is consistent and matches the result and the
// frame.
func checkVerdict(c *backtest.Causality, r *backtest.Result, f *timeseries.Frame) error {
	if c.Causal != (c.Difference == nil) || c.Cuts == nil || len(c.Cuts) > maxCuts {
		return damaged("a verdict of %d cuts that contradicts itself", len(c.Cuts))
	}
	for i, cut := range c.Cuts {
		if !onAxis(f.Axis, cut.Date) || i > 0 && cut.Date <= c.Cuts[i-1].Date || cut.Rows != timeseries.Through(r.Dates, cut.Date) {
			return damaged("a cut on %d with %d rows", cut.Date, cut.Rows)
		}
	}
	d := c.Difference
	if d == nil {
		return nil
	}
	whole, past := float64(d.Whole), float64(d.Past)
	switch {
	case len(c.Cuts) == 0 || d.Cut != c.Cuts[len(c.Cuts)-1].Date || d.Date > d.Cut || !onAxis(f.Axis, d.Date):
		return damaged("a difference on %d at cut %d", d.Date, d.Cut)
	case !slices.Contains(backtest.Columns, d.Column):
		return damaged("a difference in column %q", clip(d.Column, 32))
	case d.Column == backtest.ColumnCustom && (d.Symbol == "" || len(d.Symbol) > maxCustomName),
		d.Column != backtest.ColumnCustom && d.Symbol != "" && d.Symbol != backtest.CashKey && !slices.Contains(r.Keys, d.Symbol) && !f.HasOutside(d.Symbol):
		return damaged("a difference of %q", clip(d.Symbol, 32))
	case math.IsInf(whole, 0) || math.IsInf(past, 0) || d.Column != backtest.ColumnCustom && (math.IsNaN(whole) || math.IsNaN(past)):
		return damaged("a difference from %v to %v", whole, past)
	}
	return nil
}
