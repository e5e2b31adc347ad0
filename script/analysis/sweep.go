package analysis

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"ballast/analyze"
	"ballast/internal/number"
	"ballast/metrics"
	"ballast/script"
)

// trials are the runs of a model over a grid of its inputs.
type trials struct {
	model  string
	grid   grid
	sample int // 0 for all combinations
	seed   uint64
	metric string
}

// comparable are the figures by which points are compared: more is better.
var comparable = map[string]func(metrics.Core) float64{
	"sharpe":  func(c metrics.Core) float64 { return c.Sharpe },
	"sortino": func(c metrics.Core) float64 { return c.Sortino },
	"calmar":  func(c metrics.Core) float64 { return c.Calmar },
	"cagr":    func(c metrics.Core) float64 { return c.CAGR },
}

// title is the metric for readers.
func (t *trials) title() string {
	if t.metric == "cagr" {
		return "CAGR"
	}
	return strings.ToUpper(t.metric[:1]) + t.metric[1:] + " ratio"
}

const maxSeed = 1_000_000_000

// trials reads the arguments that sweep and walk_forward share.
func (a *arguments) trials() trials {
	t := trials{
		model: a.key("model"), grid: a.grid("grid"), metric: a.choice("metric", "sharpe", "sortino", "calmar", "cagr"),
		sample: a.optionalInteger("sample", 1, script.MaxPoints, 0), seed: uint64(a.integer("seed", 0, maxSeed)),
	}
	if size := t.grid.size(); t.sample == 0 && size > script.MaxPoints && len(a.problems) == 0 {
		a.wrong("grid", fmt.Sprintf("has %.0f points", size), fmt.Sprintf("up to %d points", script.MaxPoints), fmt.Sprintf("a sample of them, such as sample=%d", 1000))
	}
	return t
}

// errLacking ends a script whose sweep is not computed yet.
var errLacking = errors.New("the sweep has not been computed")

// swept returns the runs. Without them the script ends, and is called again when they
// are there.
func (t *trials) swept(w *window) (*script.Swept, error) {
	if _, err := w.source(t.model); err != nil {
		return nil, err
	}
	s := script.Sweep{Model: t.model, Inputs: t.grid.names(), Points: t.grid.points(t.sample, t.seed)}
	key := s.Key()
	for i := range w.swept {
		if w.swept[i].Sweep.Key() == key {
			return &w.swept[i], nil
		}
	}
	if len(w.swept) == script.MaxSweeps {
		return nil, fmt.Errorf("this would be sweep %d; an analysis carries out up to %d", script.MaxSweeps+1, script.MaxSweeps)
	}
	w.wants = &s
	return nil, errLacking
}

// sweep compares the runs of a model over a grid of its inputs.
type sweep struct {
	trials
	keep int
}

func newSweep(a *arguments) operation {
	return &sweep{trials: a.trials(), keep: a.integer("keep", 0, script.MaxKept)}
}

func (t *trials) members() []string { return keysOf([]string{t.model}) }

func (o *sweep) run(w *window, s *sheet) (string, error) {
	swept, err := o.swept(w)
	if err != nil {
		return "", err
	}
	ranks := o.ranks(swept)
	if ranks.best < 0 {
		return "", allFailed(swept)
	}
	neighbours := o.neighbours(swept)
	if err := s.table(o.points(swept, ranks, neighbours)); err != nil {
		return "", err
	}
	o.figures(s)
	if err := o.kept(w, swept, ranks); err != nil {
		return "", err
	}
	return "points", o.scalars(s, swept, ranks, neighbours)
}

// kept notes the best points that are to be kept.
func (o *sweep) kept(w *window, swept *script.Swept, r ranks) error {
	number := slices.IndexFunc(w.swept, func(s script.Swept) bool { return s.Sweep.Key() == swept.Sweep.Key() })
	for place := 1; place <= o.keep; place++ {
		point := slices.Index(r.of, float64(place))
		if point < 0 {
			return nil // there are fewer points
		}
		k := script.Kept{Sweep: number, Point: point}
		if slices.Contains(w.keep, k) {
			continue
		}
		if len(w.keep) == script.MaxKept {
			return fmt.Errorf("more than %d points would be kept; an analysis keeps up to %d", script.MaxKept, script.MaxKept)
		}
		w.keep = append(w.keep, k)
	}
	return nil
}

// allFailed says why no point has a figure.
func allFailed(swept *script.Swept) error {
	for _, p := range swept.Points {
		if p.Error != "" {
			return dataError("no point has a result; the first says: " + p.Error)
		}
	}
	return dataError("no point has a figure to compare: the history is too short, or the returns do not vary")
}

// ranks are the places of the points, from 1; NaN for a point without the figure. Of
// equal points the earlier comes first.
type ranks struct {
	of   []float64
	best int // a point, or -1
}

func (t *trials) ranks(swept *script.Swept) ranks {
	r := ranks{of: slices.Repeat([]float64{missing}, len(swept.Points)), best: -1}
	var order []int
	for i := range swept.Points {
		if v := t.figure(&swept.Points[i]); !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := t.figure(&swept.Points[a]), t.figure(&swept.Points[b])
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for place, i := range order {
		r.of[i] = float64(place + 1)
	}
	if len(order) > 0 {
		r.best = order[0]
	}
	return r
}

// figure is the metric of a point, NaN if it has none.
func (t *trials) figure(p *script.SweptPoint) float64 {
	if p.Error != "" {
		return missing
	}
	v := comparable[t.metric](p.Figures)
	if math.IsInf(v, 0) {
		return missing
	}
	return v
}

// figureColumns are those of the points, beside their inputs.
var figureColumns = []struct {
	name string
	of   func(metrics.Core) float64
}{
	{"sharpe", comparable["sharpe"]},
	{"sortino", comparable["sortino"]},
	{"calmar", comparable["calmar"]},
	{"cagr", comparable["cagr"]},
	{"volatility", func(c metrics.Core) float64 { return c.Volatility }},
	{"max_drawdown", func(c metrics.Core) float64 { return c.MaxDrawdown }},
	{"turnover", func(c metrics.Core) float64 { return c.Turnover }},
}

// inputColumns names the columns of the inputs. One with the name of another column of
// the table gets a prefix.
func (t *trials) inputColumns(taken ...string) []string {
	names := t.grid.names()
	for i, name := range names {
		if slices.Contains(taken, name) {
			names[i] = "input_" + name
		}
	}
	return names
}

// pointColumns are the columns of points that are not inputs.
var pointColumns = func() []string {
	names := []string{"point", "inputs", "rank", "neighbours", "error"}
	for _, c := range figureColumns {
		names = append(names, c.name)
	}
	return names
}()

// points is the table of the points.
func (o *sweep) points(swept *script.Swept, r ranks, neighbours []float64) script.Table {
	n := len(swept.Points)
	number, failed := make([]float64, n), make([]string, n)
	for i, p := range swept.Points {
		number[i], failed[i] = float64(i+1), p.Error
	}
	t := script.Table{Name: "points", Columns: []script.Column{numbers("point", number), texts("inputs", o.grid.described(swept.Sweep.Points))}}
	for i, name := range o.inputColumns(pointColumns...) {
		t.Columns = append(t.Columns, o.grid.column(name, i, swept.Sweep.Points))
	}
	for _, c := range figureColumns {
		values := slices.Repeat([]float64{missing}, n)
		for i, p := range swept.Points {
			if p.Error == "" {
				values[i] = c.of(p.Figures)
			}
		}
		t.Columns = append(t.Columns, numbers(c.name, values))
	}
	t.Columns = append(t.Columns, numbers("rank", r.of), numbers("neighbours", neighbours), texts("error", failed))
	return t
}

// figures draws the metric over one or two inputs, and otherwise risk against return.
func (o *sweep) figures(s *sheet) {
	names := o.inputColumns(pointColumns...)
	f := script.Figure{Name: "points", Table: "points"}
	switch len(names) {
	case 1:
		f.Kind, f.X, f.Y, f.Title = "line", names[0], []string{o.metric}, o.title()+" by "+names[0]
		if _, numeric := numberOfInput(o.grid[0].values[0]); !numeric {
			f.Kind = "bar"
		}
	case 2:
		f.Kind, f.X, f.Y, f.Title = "heatmap", names[0], []string{names[1], o.metric}, o.title()+" by "+names[0]+" and "+names[1]
	default:
		f.Kind, f.X, f.Y, f.Title = "scatter", "volatility", []string{"cagr"}, "Return and risk of the points"
		f.XUnit, f.YUnit = "fraction", "fraction"
	}
	if o.metric == "cagr" {
		f.YUnit = "fraction"
	}
	s.figure(f)
}

// scalars writes what the points say together.
func (o *sweep) scalars(s *sheet, swept *script.Swept, r ranks, neighbours []float64) error {
	best := &swept.Points[r.best]
	var ratios []float64
	failed := 0
	for i := range swept.Points {
		p := &swept.Points[i]
		switch {
		case p.Error != "":
			failed++
		case !math.IsNaN(p.Figures.Sharpe) && !math.IsInf(p.Figures.Sharpe, 0):
			ratios = append(ratios, p.Figures.Sharpe)
		}
	}
	done := len(swept.Points) - failed
	variance := 0.0 // of one ratio it is not defined
	if len(ratios) > 1 {
		variance = stat.Variance(ratios, nil)
	}
	variance = metrics.TrialVariance(variance, len(best.Returns), swept.BarsPerYear)
	deflated := metrics.DeflatedSharpe(metrics.MomentsOf(best.Returns), 0, swept.BarsPerYear, done, variance)
	overfit := missing
	if h := historyOf(swept); h != nil {
		overfit = analyze.OverfitProbability(h.returns)
	}
	return s.add("sweep", []script.Scalar{
		{Name: "trials", Value: number.Float(done), Title: "Points with a result"},
		{Name: "failed", Value: number.Float(failed), Title: "Points without a result"},
		{Name: "best_point", Value: number.Float(r.best + 1), Title: "Point with the best " + o.title()},
		{Name: "best", Value: number.Float(o.figure(best)), Title: o.title() + " of the best point"},
		{Name: "best_neighbours", Value: number.Float(neighbours[r.best]), Title: "Mean of the points next to it"},
		{Name: "neighbour_correlation", Value: number.Float(o.likeness(swept, neighbours)), Title: "Correlation of points with those next to them"},
		{Name: "deflated_sharpe", Value: number.Float(deflated), Unit: "fraction", Title: "Probability that its Sharpe ratio is not the luck of so many trials"},
		{Name: "overfit_probability", Value: number.Float(overfit), Unit: "fraction", Title: "Probability of backtest overfitting"},
	})
}
