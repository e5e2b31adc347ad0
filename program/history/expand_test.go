package history

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/timeseries"
	"ballast/timeseries/sample"
)

func TestOnRows(t *testing.T) {
	t.Parallel()
	axis := sample.Days(2, 3, 6)
	column := []float64{0.5, 0.25, 1}
	tests := []struct {
		name  string
		dates []timeseries.Date
		share []float64
		want  []float64
		view  bool
	}{
		{"the run itself", sample.Days(0, 2, 4, 5, 6, 9), nil, []float64{0, 0.5, 0.25, 0.25, 1, 1}, false},
		{"as a share", sample.Days(0, 2, 4, 5, 6, 9), []float64{1, 0.5, 0, 2, 0.25, -1}, []float64{0, 0.25, 0, 0.5, 0.25, -1}, false},
		{"its own dates", sample.Days(3, 6), nil, []float64{0.25, 1}, true},
		{"no dates", nil, nil, []float64{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := onRows(column, rowsOn(axis, test.dates), test.share)
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
			if view := len(got) > 0 && &got[0] == &column[1]; view != test.view {
				t.Errorf("a view of the table: %v", view)
			}
		})
	}
}
