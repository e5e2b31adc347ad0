package sandbox

import (
	"fmt"
	"slices"
	"strconv"

	"ballast/metrics"
	"ballast/script"
	"ballast/timeseries"
)

// sweptShape is a sweep without its returns, which are columns of the frame.
type sweptShape struct {
	Sweep       script.Sweep      `cbor:"sweep"`
	BarsPerYear int               `cbor:"bars_per_year"`
	Points      []sweptPointShape `cbor:"points"`
}

type sweptPointShape struct {
	Base    int32        `cbor:"base"` // days
	Figures metrics.Core `cbor:"figures"`
	Error   string       `cbor:"error"`
}

// maxPointError limits the text of the error of one point, so that all of them fit into
// the control part.
const maxPointError = 200

// columnOf returns the key of the column with the returns of a point.
func columnOf(sweep, point int) string {
	return script.Holding{What: script.PointReturns, Member: strconv.Itoa(sweep), Name: strconv.Itoa(point)}.Key()
}

// sharedSweeps returns the shapes of sweeps, and the frame with their returns as columns.
func sharedSweeps(f *timeseries.Frame, swept []script.Swept) ([]sweptShape, *timeseries.Frame) {
	if len(swept) == 0 {
		return nil, f
	}
	with := *f
	with.Outside = slices.Clip(f.Outside)
	shapes := make([]sweptShape, len(swept))
	for i, s := range swept {
		shapes[i] = sweptShape{Sweep: s.Sweep, BarsPerYear: s.BarsPerYear, Points: make([]sweptPointShape, len(s.Points))}
		for k, p := range s.Points {
			shapes[i].Points[k] = sweptPointShape{Base: int32(p.Base), Figures: p.Figures, Error: clip(p.Error, maxPointError)}
			if p.Error == "" {
				with.Outside = append(with.Outside, timeseries.NewOutside(columnOf(i, k), f.Axis, p.Dates, p.Dates, p.Returns))
			}
		}
	}
	return shapes, &with
}

// sweptOf returns sweeps whose returns are views of a frame's columns.
func sweptOf(f *timeseries.Frame, shapes []sweptShape) ([]script.Swept, error) {
	if len(shapes) == 0 {
		return nil, nil
	}
	columns := map[string]*timeseries.Outside{}
	for i := range f.Outside {
		columns[f.Outside[i].Key] = &f.Outside[i]
	}
	swept := make([]script.Swept, len(shapes))
	for i, s := range shapes {
		swept[i] = script.Swept{Sweep: s.Sweep, BarsPerYear: s.BarsPerYear, Points: make([]script.SweptPoint, len(s.Points))}
		for k, p := range s.Points {
			point := script.SweptPoint{Base: timeseries.Date(p.Base), Figures: p.Figures, Error: p.Error}
			if p.Error == "" {
				o := columns[columnOf(i, k)]
				if o == nil {
					return nil, fmt.Errorf("the frame has no returns of point %d of sweep %d", k, i)
				}
				point.Dates, point.Returns = o.Dates, o.Values
			}
			swept[i].Points[k] = point
		}
	}
	return swept, nil
}

// checkWants checks a sweep that a script asks for against the limits. Whether the model
// has its inputs is checked by those who run it.
func checkWants(s *sheet) error {
	w := s.Wants
	if len(s.Tables)+len(s.Scalars)+len(s.Figures)+len(s.Keep) > 0 || s.Drawn != nil {
		return damaged("a request for a sweep that is an answer too")
	}
	if len(w.Points) == 0 || len(w.Points) > script.MaxPoints || len(w.Inputs) == 0 || len(w.Inputs) > script.MaxSwept || !label(w.Model) {
		return damaged("a request for a sweep of %d points over %d inputs", len(w.Points), len(w.Inputs))
	}
	for i, name := range w.Inputs {
		if !label(name) || slices.Contains(w.Inputs[:i], name) {
			return damaged("a request for a sweep over %q", clip(name, 32))
		}
	}
	for _, p := range w.Points {
		if len(p) != len(w.Inputs) {
			return damaged("a request for a point with %d values of %d", len(p), len(w.Inputs))
		}
		for i := range p {
			if !simple(&p[i]) {
				return damaged("a request for a point with a value of the type %T", p[i])
			}
		}
	}
	return nil
}

// simple reports whether a value can be that of an input. CBOR has other types for
// integers; it makes them int64.
func simple(v *any) bool {
	switch x := (*v).(type) {
	case nil, bool, string, int64:
		return true
	case uint64:
		*v = int64(x)
		return x <= 1<<53
	case float64:
		return finite(x)
	case []any:
		for i := range x {
			if _, nested := x[i].([]any); nested || !simple(&x[i]) {
				return false
			}
		}
		return true
	}
	return false
}
