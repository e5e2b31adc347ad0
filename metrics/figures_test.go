package metrics_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ballast/metrics"
	"ballast/timeseries"
)

// TestFiguresAreTheBlock compares every figure with the field of its name in the
// block's JSON, and finds no plain number of the block without a figure.
func TestFiguresAreTheBlock(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	s := timeseries.Series{Base: 1000}
	var gross, traded []float64
	for i := range 1600 {
		s.Dates = append(s.Dates, timeseries.Date(1001+i))
		s.Returns = append(s.Returns, 0.0004+0.01*rng.NormFloat64())
		gross, traded = append(gross, rng.Float64()), append(traded, rng.Float64()/50)
	}
	b := metrics.Compute(s, metrics.Options{GrossExposure: gross, Traded: traded})
	f := metrics.FiguresOf(b)
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var block map[string]any
	if err := json.Unmarshal(text, &block); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{}
	collect(want, "", block)
	delete(want, "deflated_sharpe")
	for _, name := range metrics.FigureNames {
		v, ok := want[name]
		if !ok || f.Figure(name) != v {
			t.Errorf("%s is %v, in the block %v", name, f.Figure(name), v)
		}
		delete(want, name)
	}
	for name, v := range want {
		t.Errorf("%s (%v) of the block is no figure", name, v)
	}
	if f.Start != 1001 || f.End != 2600 || f.Peak == timeseries.NoDate || f.Valley <= f.Peak {
		t.Errorf("dates %+v", f)
	}
	if !math.IsNaN(f.Figure("luck")) || !math.IsNaN((*metrics.Figures)(nil).Figure("cagr")) {
		t.Error("what is not known is a number")
	}
	none := metrics.FiguresOf(metrics.Compute(timeseries.Series{Base: 5}, metrics.Options{}))
	if none.Start != timeseries.NoDate || none.Figure("sessions") != 0 || !math.IsNaN(none.Figure("cagr")) {
		t.Errorf("without returns: %+v", none)
	}
}

// collect gathers the plain numbers of a block by their names as figures.
func collect(into map[string]float64, prefix string, object map[string]any) {
	for key, value := range object {
		switch v := value.(type) {
		case float64:
			into[strings.TrimSuffix(prefix+key, "_value")] = v
		case map[string]any:
			if inner := strings.TrimPrefix(prefix+key+"_", "window_"); !slices.Contains([]string{"conventions_", "benchmark_"}, inner) {
				collect(into, inner, v)
			}
		case nil:
			into[prefix+key] = math.NaN()
		}
	}
	for _, key := range []string{"benchmark", "max_drawdown_recovery"} {
		delete(into, key) // no numbers
	}
}
