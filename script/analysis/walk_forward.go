package analysis

import (
	"fmt"
	"math"
	"strings"
	"time"

	"ballast/internal/number"
	"ballast/metrics"
	"ballast/script"
	"ballast/timeseries"
)

// walkForward chooses a point of a grid on one stretch of time, holds it on the next one,
// and so on. What the chosen points returned, one after another, is out of sample.
type walkForward struct {
	trials
	trainMonths, testMonths int
	anchored                bool // training begins with the history, otherwise it has a fixed length
	embargo                 int  // sessions between training and test that are in neither
}

func newWalkForward(a *arguments) operation {
	return &walkForward{
		trials: a.trials(), trainMonths: a.months("train_years"), testMonths: a.months("test_years"),
		anchored: a.boolean("anchored"), embargo: a.integer("embargo", 0, mostEmbargo),
	}
}

const (
	mostYears   = 50
	mostEmbargo = 1000
)

// months reads a number of years that are whole months.
func (a *arguments) months(parameter string) int {
	years := a.number(parameter, 0, mostYears+1, "5")
	months := math.Round(12 * years)
	if months < 1 || math.Abs(12*years-months) > 1e-6 || months > 12*mostYears {
		if len(a.problems) == 0 || a.problems[len(a.problems)-1].Field != parameter {
			a.wrong(parameter, "is "+shown(a.values[parameter]), fmt.Sprintf("years of whole months from 1/12 to %d, such as 5 or 0.5", mostYears))
		}
		return 1
	}
	return int(months)
}

func (o *walkForward) run(w *window, s *sheet) (string, error) {
	swept, err := o.swept(w)
	if err != nil {
		return "", err
	}
	history := historyOf(swept)
	if history == nil {
		return "", allFailed(swept)
	}
	folds := o.folds(history)
	if len(folds) == 0 {
		return "", dataError(fmt.Sprintf("%d months of training and a test do not fit into the history that all points have, from %s to %s", o.trainMonths, history.dates[0], history.dates[len(history.dates)-1]))
	}
	for k := range folds {
		if err := o.choose(history, &folds[k]); err != nil {
			return "", err
		}
	}
	stitched := stitch(history, folds)
	best, err := o.best(history, folds[0].test.from)
	if err != nil {
		return "", err
	}
	if err := s.table(o.table(swept, history, folds)); err != nil {
		return "", err
	}
	if err := s.table(stitchedTable(stitched, best)); err != nil {
		return "", err
	}
	s.figure(script.Figure{Name: "stitched", Title: "Growth out of sample, and of the point that was best in hindsight", Kind: "line", Table: "stitched", X: "date", Y: []string{"growth", "in_sample_growth"}})
	s.figure(script.Figure{Name: "folds", Title: o.title() + " of the chosen points, in training and in the test", Kind: "bar", Table: "folds", X: "test_first", Y: []string{"in_sample", "out_of_sample"}})
	return "folds", o.scalars(s, swept.BarsPerYear, stitched, best, len(folds), len(history.points))
}

// history is the time for which all points have returns.
type history struct {
	base    timeseries.Date // the day before the first return
	dates   []timeseries.Date
	points  []int       // those that did not fail
	returns [][]float64 // of each of these points
	perYear int         // bars
}

// historyOf returns nil if all points have failed.
func historyOf(swept *script.Swept) *history {
	h := &history{perYear: swept.BarsPerYear}
	var shortest *script.SweptPoint
	for i := range swept.Points {
		p := &swept.Points[i]
		if p.Error != "" || len(p.Dates) == 0 {
			continue
		}
		h.points = append(h.points, i)
		if shortest == nil || len(p.Dates) < len(shortest.Dates) {
			shortest = p
		}
	}
	if shortest == nil {
		return nil
	}
	h.base, h.dates = shortest.Base, shortest.Dates
	for _, i := range h.points { // all of them end on the same session
		r := swept.Points[i].Returns
		h.returns = append(h.returns, r[len(r)-len(h.dates):])
	}
	return h
}

// rowsOf are positions of a history from from up to, but not including, to.
type rowsOf struct{ from, to int }

// fold is one stretch of training and the test that follows.
type fold struct {
	train, test rowsOf
	chosen      int // among the points of the history
	in, out     float64
}

// folds divides a history by the calendar, from the day before its first return on. The
// last test ends with the history.
func (o *walkForward) folds(h *history) []fold {
	var folds []fold
	for k := 0; ; k++ {
		boundary := addMonths(h.base, o.trainMonths+k*o.testMonths)
		f := fold{test: rowsOf{timeseries.From(h.dates, boundary+1), timeseries.Through(h.dates, addMonths(h.base, o.trainMonths+(k+1)*o.testMonths))}}
		if f.test.from == len(h.dates) {
			return folds
		}
		if !o.anchored {
			f.train.from = timeseries.From(h.dates, addMonths(h.base, k*o.testMonths)+1)
		}
		f.train.to = max(f.train.from, f.test.from-o.embargo)
		if f.test.from < f.test.to {
			folds = append(folds, f)
		}
	}
}

// addMonths returns the same day of a later month, or its last day.
func addMonths(d timeseries.Date, months int) timeseries.Date {
	y, m, day := d.YMD()
	first := time.Date(y, m+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return timeseries.NewDate(first.Year(), first.Month(), min(day, last))
}

// series returns the returns of a point on some rows.
func (h *history) series(point int, r rowsOf) timeseries.Series {
	s := timeseries.Series{Base: h.base, Dates: h.dates[r.from:r.to], Returns: h.returns[point][r.from:r.to]}
	if r.from > 0 {
		s.Base = h.dates[r.from-1]
	}
	return s
}

// figureOn is the metric of a point on some rows, NaN if it has none.
func (o *walkForward) figureOn(h *history, point int, r rowsOf) float64 {
	s := h.series(point, r)
	var v float64
	if o.metric == "sharpe" { // which needs no equity
		v = metrics.Sharpe(metrics.MomentsOf(s.Returns), 0, h.perYear)
	} else {
		v = comparable[o.metric](metrics.CoreOf(s, nil, h.perYear))
	}
	if math.IsInf(v, 0) {
		return missing
	}
	return v
}

// highest returns the point with the best metric on some rows, or -1 if none has one. Of
// equal points it is the first.
func (o *walkForward) highest(h *history, r rowsOf) (point int, figure float64) {
	point = -1
	for i := range h.points {
		if v := o.figureOn(h, i, r); v > figure || point < 0 && !math.IsNaN(v) {
			point, figure = i, v
		}
	}
	return point, figure
}

// choose takes the best point of the training, and looks at it in the test.
func (o *walkForward) choose(h *history, f *fold) error {
	if f.chosen, f.in = o.highest(h, f.train); f.chosen < 0 {
		return dataError(fmt.Sprintf("no point has a %s in the training before %s: train for longer, or leave out points that hold nothing", o.title(), h.dates[f.test.from]))
	}
	f.out = o.figureOn(h, f.chosen, f.test)
	return nil
}

// stitch puts the returns of the chosen points in their tests one after another.
func stitch(h *history, folds []fold) timeseries.Series {
	var s timeseries.Series
	for k, f := range folds {
		part := h.series(f.chosen, f.test)
		if k == 0 {
			s.Base = part.Base
		}
		s.Dates, s.Returns = append(s.Dates, part.Dates...), append(s.Returns, part.Returns...)
	}
	return s
}

// best returns the point that was best over all tests together, which is known in
// hindsight alone.
func (o *walkForward) best(h *history, from int) (timeseries.Series, error) {
	all := rowsOf{from, len(h.dates)}
	point, _ := o.highest(h, all)
	if point < 0 {
		return timeseries.Series{}, dataError(fmt.Sprintf("no point has a %s after %s", o.title(), h.dates[from]))
	}
	return h.series(point, all), nil
}

// foldColumns are the columns of folds that are not inputs.
var foldColumns = []string{"fold", "train_first", "train_last", "test_first", "test_last", "point", "inputs", "in_sample", "out_of_sample"}

func (o *walkForward) table(swept *script.Swept, h *history, folds []fold) script.Table {
	n := len(folds)
	var days [4][]timeseries.Date
	number, point, in, out := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	chosen := make([][]any, n)
	for k, f := range folds {
		for i, at := range []int{f.train.from, f.train.to - 1, f.test.from, f.test.to - 1} {
			days[i] = append(days[i], h.dates[at])
		}
		number[k], point[k], in[k], out[k] = float64(k+1), float64(h.points[f.chosen]+1), f.in, f.out
		chosen[k] = swept.Sweep.Points[h.points[f.chosen]]
	}
	t := script.Table{Name: "folds", Columns: []script.Column{
		numbers("fold", number),
		datesColumn("train_first", days[0]), datesColumn("train_last", days[1]), datesColumn("test_first", days[2]), datesColumn("test_last", days[3]),
		numbers("point", point), texts("inputs", o.grid.described(chosen)),
	}}
	for i, name := range o.inputColumns(foldColumns...) {
		t.Columns = append(t.Columns, o.grid.column(name, i, chosen))
	}
	t.Columns = append(t.Columns, numbers("in_sample", in), numbers("out_of_sample", out))
	return t
}

func stitchedTable(stitched, best timeseries.Series) script.Table {
	return script.Table{Name: "stitched", Columns: []script.Column{
		datesColumn("date", stitched.Dates), numbers("return", stitched.Returns), numbers("growth", metrics.Equity(nil, stitched.Returns)[1:]),
		numbers("in_sample_return", append([]float64(nil), best.Returns...)), numbers("in_sample_growth", metrics.Equity(nil, best.Returns)[1:]),
	}}
}

// scalars writes the block of metrics of the stitched returns, and beside it that of the
// point that was best in hindsight.
func (o *walkForward) scalars(s *sheet, perYear int, stitched, best timeseries.Series, folds, points int) error {
	scalars := []script.Scalar{
		{Name: "folds", Value: number.Float(folds), Title: "Folds"},
		{Name: "trials", Value: number.Float(points), Title: "Points with a result"},
	}
	blocks := []*metrics.Figures{
		metrics.FiguresOf(metrics.Compute(stitched, metrics.Options{BarsPerYear: perYear})),
		metrics.FiguresOf(metrics.Compute(best, metrics.Options{BarsPerYear: perYear})),
	}
	for i, name := range metrics.FigureNames {
		if math.IsNaN(blocks[0].Values[i]) && math.IsNaN(blocks[1].Values[i]) {
			continue
		}
		title := strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "_", " ")
		scalars = append(scalars,
			script.Scalar{Name: name, Value: number.Float(blocks[0].Values[i]), Title: title + ", out of sample"},
			script.Scalar{Name: "in_sample_" + name, Value: number.Float(blocks[1].Values[i]), Title: title + ", best point in hindsight"})
	}
	return s.add("walk_forward", scalars)
}
