package sandbox

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"time"

	"ballast/backtest"
	"ballast/metrics"
	"ballast/script"
	"ballast/timeseries"
)

// Point is the run of one point of a Job: a model with other inputs.
type Point struct {
	Failure *script.RunError // nil for a run that ended well
	// First is the position of the base on the frame's axis. Returns are those of the
	// sessions after it.
	First   int
	Returns []float64
	Figures metrics.Core
}

// mostSlice limits the returns of one answer: 64 MiB.
const mostSlice = 8 << 20

// pointShape is the control part of one point.
type pointShape struct {
	Failure *failure     `cbor:"failure"`
	First   int          `cbor:"first"`
	Figures metrics.Core `cbor:"figures"`
}

// points runs a model once for each of the request's points, until the time for them is
// over. It always runs the first one.
func (c *compiler) points(ctx context.Context, p *script.Script, r request) finished {
	began := time.Now()
	var out finished
	returns := 0
	for i, values := range r.Points {
		if i > 0 && (time.Since(began) > r.Slice || returns+len(r.frame.Axis) > mostSlice) {
			break
		}
		point, steps, err := c.point(ctx, p, r, values)
		if ctx.Err() != nil && i > 0 {
			break // the others left it too little time: it begins the next slice
		}
		out.steps += steps
		if err != nil {
			point = Point{Failure: script.AsRunError(err)}
			if ctx.Err() != nil {
				point.Failure.Message = stageRun.deadlineMessage(r.Deadline)
			}
		}
		returns += len(point.Returns)
		out.points = append(out.points, point)
	}
	return out
}

// point runs a model with the request's inputs and, in place of them, values.
func (c *compiler) point(ctx context.Context, p *script.Script, r request, values map[string]any) (Point, uint64, error) {
	all := maps.Clone(r.Inputs)
	maps.Copy(all, values)
	inputs, details := p.Bind(all)
	if len(details) > 0 {
		return Point{}, 0, &script.RunError{Type: script.InternalError, Message: fmt.Sprintf("the inputs do not match the script: %s %s", details[0].Field, details[0].Message)}
	}
	runner, err := script.NewRunner(p, inputs, r.frame, script.RunnerLimits{Steps: r.Steps})
	if err != nil {
		return Point{}, 0, err
	}
	rules, err := c.optimizers(r)
	if err != nil {
		return Point{}, 0, err
	}
	runner.UseOptimizers(rules)
	defer context.AfterFunc(ctx, func() { runner.Cancel(string(script.TimeLimit)) })()
	result, err := backtest.Run(ctx, r.frame, p.Spec(inputs), runner, backtest.Options{})
	if err != nil {
		return Point{}, runner.Steps(), err
	}
	return Point{
		First: len(r.frame.Axis) - len(result.Dates), Returns: result.Returns[1:],
		Figures: metrics.CoreOf(result.Series(), result.Traded[1:], r.frame.BarsPerYear),
	}, runner.Steps(), nil
}

func shapesOf(points []Point) []pointShape {
	shapes := make([]pointShape, len(points))
	for i, p := range points {
		shapes[i] = pointShape{First: p.First, Figures: p.Figures}
		if f := p.Failure; f != nil {
			shapes[i].Failure = failureOf(f).tidy()
		}
	}
	return shapes
}

// sizeOfPoints returns the size of their returns, in bytes.
func sizeOfPoints(points []Point) (n uint64) {
	for _, p := range points {
		n += 8 * uint64(len(p.Returns))
	}
	return n
}

// readPoints reads the points of an answer. most is how many were asked for.
func readPoints(r io.Reader, h header, shapes []pointShape, most int, f *timeseries.Frame) ([]Point, error) {
	if len(shapes) == 0 || len(shapes) > most {
		return nil, damaged("%d points of %d", len(shapes), most)
	}
	points := make([]Point, len(shapes))
	size := uint64(0)
	for i, s := range shapes {
		if s.Failure != nil {
			if err := checkFailure(s.Failure, f); err != nil {
				return nil, err
			}
			points[i].Failure = s.Failure.runError(0)
			continue
		}
		if s.First < 0 || s.First >= len(f.Axis) {
			return nil, damaged("a base at session %d of %d", s.First, len(f.Axis))
		}
		points[i].First, points[i].Figures = s.First, s.Figures
		size += 8 * uint64(len(f.Axis)-1-s.First)
	}
	if size != h.body {
		return nil, damaged("a body of %d bytes, expected %d", h.body, size)
	}
	words := make([]float64, size/8)
	if _, err := io.ReadFull(r, bytesOf(words)); err != nil {
		return nil, err
	}
	b := &body{words: words}
	for i := range points {
		if points[i].Failure != nil {
			continue
		}
		points[i].Returns = b.floats(len(f.Axis) - 1 - points[i].First)
		for t, v := range points[i].Returns {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, damaged("a return of %v on %s", v, f.Axis[points[i].First+1+t])
			}
		}
	}
	return points, nil
}
