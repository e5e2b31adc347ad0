package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ballast/metrics"
	"ballast/script"
	"ballast/timeseries"
)

// pointsOver returns points with random returns over weekdays; each begins some days later
// than the one before.
func pointsOver(t *rapid.T, points, sessions int) *script.Swept {
	axis := make([]timeseries.Date, 0, sessions)
	for d := timeseries.NewDate(2001, 5, 31); len(axis) < sessions; d++ {
		if day := d.Weekday(); day > 0 && day < 6 {
			axis = append(axis, d)
		}
	}
	s := &script.Swept{BarsPerYear: 252, Sweep: script.Sweep{Inputs: []string{"n"}}}
	for i := range points {
		first := i * rapid.IntRange(0, 20).Draw(t, "later")
		p := script.SweptPoint{Base: axis[first], Dates: axis[first+1:]}
		seed := rapid.Uint64().Draw(t, "seed")
		for range p.Dates {
			seed = seed*6364136223846793005 + 1442695040888963407
			p.Returns = append(p.Returns, float64(seed>>40)/float64(1<<24)*0.04-0.0195)
		}
		s.Points = append(s.Points, p)
		s.Sweep.Points = append(s.Sweep.Points, []any{int64(i)})
	}
	return s
}

func drawnWalk(t *rapid.T) *walkForward {
	return &walkForward{
		trials:      trials{metric: rapid.SampledFrom([]string{"sharpe", "sortino", "calmar", "cagr"}).Draw(t, "metric")},
		trainMonths: rapid.IntRange(1, 30).Draw(t, "train"), testMonths: rapid.IntRange(1, 18).Draw(t, "test"),
		anchored: rapid.Bool().Draw(t, "anchored"), embargo: rapid.IntRange(0, 5).Draw(t, "embargo"),
	}
}

// Tests follow each other without gaps, training ends before its test, and every choice is
// the best of its training.
func TestFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := pointsOver(t, rapid.IntRange(1, 5).Draw(t, "points"), rapid.IntRange(100, 1500).Draw(t, "sessions"))
		h, o := historyOf(s), drawnWalk(t)
		folds := o.folds(h)
		for k := range folds {
			f := &folds[k]
			if f.train.to+o.embargo != f.test.from && f.train.from != f.train.to || f.test.from >= f.test.to {
				t.Fatalf("fold %d is %+v", k, *f)
			}
			if k > 0 && f.test.from != folds[k-1].test.to || o.anchored && f.train.from != 0 {
				t.Fatalf("fold %d is %+v after %+v", k, *f, folds[k-1])
			}
			if err := o.choose(h, f); err != nil {
				t.Fatal(err)
			}
			for i := range h.points {
				if o.figureOn(h, i, f.train) > f.in {
					t.Fatalf("fold %d: point %d is better", k, i)
				}
			}
		}
		if n := len(folds); n > 0 && folds[n-1].test.to != len(h.dates) {
			t.Fatalf("the last test ends at %d of %d", folds[n-1].test.to, len(h.dates))
		}
	})
}

// With one point there is nothing to choose, so the stitched returns are the model's.
func TestWalkForwardWithOnePointIsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, o := pointsOver(t, 1, 1200), drawnWalk(t)
		h := historyOf(s)
		folds := o.folds(h)
		for k := range folds {
			if err := o.choose(h, &folds[k]); err != nil {
				t.Fatal(err)
			}
		}
		stitched := stitch(h, folds)
		n := len(stitched.Returns)
		all := s.Points[0].Returns
		if n == 0 || !slices.Equal(stitched.Returns, all[len(all)-n:]) || !slices.Equal(stitched.Dates, s.Points[0].Dates[len(all)-n:]) {
			t.Fatal("other returns than the model's")
		}
		if stitched.Base != s.Points[0].Dates[len(all)-n-1] {
			t.Fatalf("the base is %s", stitched.Base)
		}
		best, err := o.best(h, folds[0].test.from)
		if err != nil || !slices.Equal(best.Returns, stitched.Returns) {
			t.Fatal("the best in hindsight is another series", err)
		}
	})
}

// What comes later changes no earlier fold.
func TestFutureChangesNoEarlierFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, o := pointsOver(t, 4, 1200), drawnWalk(t)
		h := historyOf(s)
		folds := o.folds(h)
		cut := rapid.IntRange(0, len(folds)-1).Draw(t, "cut")
		for k := range folds {
			if err := o.choose(h, &folds[k]); err != nil {
				t.Fatal(err)
			}
		}
		later := *h
		later.returns = nil
		for i := range h.returns {
			r := slices.Clone(h.returns[i])
			for at := folds[cut].test.to; at < len(r); at++ {
				r[at] = -r[at] / 2
			}
			later.returns = append(later.returns, r)
		}
		again := o.folds(&later)
		for k := 0; k <= cut; k++ {
			if err := o.choose(&later, &again[k]); err != nil {
				t.Fatal(err)
			}
			if again[k] != folds[k] {
				t.Fatalf("fold %d is %+v, and was %+v", k, again[k], folds[k])
			}
		}
	})
}

func TestWalkForward(t *testing.T) {
	f := frameOf(t, member(newRandom(), "AAA", 2000, 8))
	source := strings.NewReplacer("import sweep", "import walk_forward", `sweep(ctx, "AAA", {"n": [10, 20, 30, 40]})`, `walk_forward(ctx, "AAA", {"n": [10, 20, 30, 40]}, 3, 1)`).Replace(sweepScript)
	answer := sweptAnswer(t, f, source)
	tables := map[string]script.Table{}
	for _, x := range answer.Tables {
		tables[x.Name] = x
	}
	folds, stitched := tables["folds"], tables["stitched"]
	if folds.Rows() != 6 || folds.Columns[3].Dates[0] != timeseries.NewDate(2003, 1, 6) {
		t.Errorf("%d folds, the first test from %v", folds.Rows(), folds.Columns[3].Dates)
	}
	scalars := map[string]float64{}
	for _, x := range answer.Scalars {
		scalars[x.Name] = float64(x.Value)
	}
	s := timeseries.Series{Base: timeseries.NewDate(2003, 1, 3), Dates: stitched.Columns[0].Dates, Returns: stitched.Columns[1].Numbers}
	for name, want := range map[string]float64{"sharpe": float64(metrics.Compute(s, metrics.Options{}).Sharpe), "folds": 6, "trials": 3, "sessions": float64(len(s.Dates))} {
		if math.Abs(scalars[name]-want) > 0 {
			t.Errorf("%s is %v, not %v", name, scalars[name], want)
		}
	}
	if scalars["in_sample_sharpe"] < scalars["sharpe"] {
		t.Errorf("in hindsight the ratio is %v, less than %v", scalars["in_sample_sharpe"], scalars["sharpe"])
	}
}
