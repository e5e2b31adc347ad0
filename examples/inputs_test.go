package examples_test

import (
	"testing"
	"time"

	"ballast/examples"
	"ballast/timeseries"
)

// TestInputsExplainThemselves checks that inputs have everything that a form needs: a
// title, an order, and for numbers bounds and a role.
func TestInputsExplainThemselves(t *testing.T) {
	t.Parallel()
	for _, name := range examples.Names() {
		p := mustCheck(t, name)
		places := map[int64]bool{}
		for _, x := range p.Inputs.Properties {
			if x.Name == "start_date" || x.Name == "initial_cash" {
				continue
			}
			if x.Title == "" || x.Order == nil || places[*x.Order] {
				t.Errorf("%s: %s has no title, or no order of its own", name, x.Name)
				continue
			}
			places[*x.Order] = true
			if number := x.Type == "number" || x.Type == "integer"; number && (x.Minimum == nil || x.Maximum == nil || x.Role == "") {
				t.Errorf("%s: %s has no bounds, or no role", name, x.Name)
			}
		}
		if !places[1] || p.Inputs.Properties[0].Name != "universe" {
			t.Errorf("%s: the universe does not come first", name)
		}
	}
}

// TestInputsAtTheirBounds runs every example with each number at its minimum and at its
// maximum: a run must accept whatever a form accepts.
func TestInputsAtTheirBounds(t *testing.T) {
	t.Parallel()
	m := sampleMarket(t)
	for _, name := range examples.Names() {
		p := mustCheck(t, name)
		f := withModels(t, m, p).frame(t, p.Universe).Cut(timeseries.NewDate(2014, time.June, 30))
		for _, x := range p.Inputs.Properties {
			if x.Name == "initial_cash" || x.Type != "number" && x.Type != "integer" {
				continue
			}
			for _, v := range []float64{*x.Minimum, *x.Maximum} {
				if _, err := decide(t, p, f, map[string]any{x.Name: v}); err != nil {
					t.Errorf("%s with %s = %v: %v", name, x.Name, v, err)
				}
			}
		}
	}
}
