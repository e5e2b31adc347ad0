package bench

import (
	"context"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"ballast/backtest"
)

// Growth describes how the cost of something grows with its size.
type Growth struct {
	Name     string  `json:"name"`
	Size     string  `json:"size"` // what grows: assets, sessions, models, workers
	Unit     string  `json:"unit"`
	Points   []Point `json:"points"`
	Exponent float64 `json:"exponent"` // of the fitted power law; 1 is linear
}

// Point is the cost at one size.
type Point struct {
	Size  int     `json:"size"`
	Value float64 `json:"value"`
}

// fit computes the exponent as the least-squares slope of the logarithms.
func (g *Growth) fit() {
	var n, sx, sy, sxx, sxy float64
	for _, p := range g.Points {
		x, y := math.Log(float64(p.Size)), math.Log(p.Value)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	g.Exponent = (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// MeasureGrowth measures how the cost of the engine grows with assets and sessions, and
// that of a cascade with models and workers.
func MeasureGrowth(ctx context.Context, e *Env, progress io.Writer) ([]Growth, error) {
	var out []Growth
	for _, measure := range []func(context.Context, *Env) (Growth, error){byAssets, bySessions, byModels, byWorkers} {
		g, err := measure(ctx, e)
		if err != nil {
			return nil, err
		}
		g.fit()
		fmt.Fprintf(progress, "%s by %s: exponent %.2f\n", g.Name, g.Size, g.Exponent)
		out = append(out, g)
	}
	return out, nil
}

func byAssets(ctx context.Context, e *Env) (Growth, error) {
	g := Growth{Name: "engine, 2,000 sessions, monthly, everything kept", Size: "assets", Unit: "ms"}
	for _, n := range sizes(e, 10, 30, 100, 300, 1000, 3000) {
		v, err := engineTime(ctx, e, n, 2000)
		if err != nil {
			return g, err
		}
		g.Points = append(g.Points, Point{n, v})
	}
	return g, nil
}

func bySessions(ctx context.Context, e *Env) (Growth, error) {
	g := Growth{Name: "engine, 100 assets, monthly, everything kept", Size: "sessions", Unit: "ms"}
	for _, n := range sizes(e, 1000, 2000, 4000, 8000, 15000) {
		v, err := engineTime(ctx, e, 100, n)
		if err != nil {
			return g, err
		}
		g.Points = append(g.Points, Point{n, v})
	}
	return g, nil
}

// sizes returns all sizes or, for a smoke run, the first two.
func sizes(e *Env, all ...int) []int {
	if e.Smoke {
		return all[:2]
	}
	return all
}

func engineTime(ctx context.Context, e *Env, members, sessions int) (float64, error) {
	f, err := panel(members, sessions)
	if err != nil {
		return 0, err
	}
	decider := equalWeights(members)
	took, err := repeat(ctx, e.count(9, 2), func() error {
		_, err := backtest.Run(ctx, f, scheduled("monthly"), decider, backtest.Everything)
		return err
	})
	return float64(took.median()) / float64(time.Millisecond), err
}

// byModels measures a cascade through more and more models that hold the same member.
func byModels(ctx context.Context, e *Env) (Growth, error) {
	g := Growth{Name: "cascade through models that hold one", Size: "models", Unit: "ms"}
	s, err := e.serving(ctx)
	if err != nil {
		return g, err
	}
	c, err := s.startCascade(ctx, "GROW")
	if err != nil {
		return g, err
	}
	counts := []int{100, 1000, 10000}
	if e.Smoke {
		counts = []int{4, 8}
	}
	for _, n := range counts {
		if err := c.widen(ctx, n); err != nil {
			return g, err
		}
		took, err := c.run(ctx)
		if err != nil {
			return g, err
		}
		g.Points = append(g.Points, Point{n, float64(took) / float64(time.Millisecond)})
	}
	return g, nil
}

// byWorkers measures one cascade with more and more workers.
func byWorkers(ctx context.Context, e *Env) (Growth, error) {
	width := e.count(200, 6)
	g := Growth{Name: fmt.Sprintf("cascade through %d models", width), Size: "workers", Unit: "ms"}
	for _, n := range sizes(e, 1, 2, 3, 4) {
		took, err := e.cascadeWith(ctx, n, width)
		if err != nil {
			return g, err
		}
		g.Points = append(g.Points, Point{n, float64(took) / float64(time.Millisecond)})
	}
	return g, nil
}

// cascadeWith starts a service with the given number of workers and runs a cascade on
// it.
func (e *Env) cascadeWith(ctx context.Context, workers, width int) (took time.Duration, err error) {
	s, err := e.prepare(ctx, "--workers", fmt.Sprint(workers), "--sandboxes", fmt.Sprint(workers))
	if err != nil {
		return 0, err
	}
	defer func() {
		if stopped := s.stop(); err == nil {
			err = stopped
		}
	}()
	c, err := s.startCascade(ctx, "GROW")
	if err != nil {
		return 0, err
	}
	if err := c.widen(ctx, width); err != nil {
		return 0, err
	}
	return c.run(ctx)
}

// printGrowth writes growths as tables. It ignores errors of w.
func printGrowth(w io.Writer, list []Growth) {
	for _, g := range list {
		fmt.Fprintf(w, "\n%s, by %s (exponent %.2f)\n", g.Name, g.Size, g.Exponent)
		t := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
		for _, p := range g.Points {
			fmt.Fprintf(t, "  %d\t%s\n", p.Size, Figure{Value: p.Value, Unit: g.Unit})
		}
		_ = t.Flush() // as is said above
	}
}
