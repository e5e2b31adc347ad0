package web

import (
	"net/url"
	"strings"
	"testing"

	"ballast/docs"
	"ballast/metrics"
	"ballast/timeseries"
)

// Each figure of a page links to the place where its formula is.
func TestFiguresLinkToTheirFormulas(t *testing.T) {
	t.Parallel()
	parts, err := renderGuide("metrics", docs.Page("metrics"))
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	for _, p := range parts {
		page.Write(p)
	}
	fields := []string{"deflated_sharpe"}
	for _, s := range statistics {
		fields = append(fields, s.Field)
	}
	for _, m := range relations(new(metrics.Benchmark)) {
		fields = append(fields, m.Field)
	}
	for _, field := range fields {
		if n := strings.Count(page.String(), `id="`+field+`"`); n != 1 {
			t.Errorf("the page of formulas has %d places for %s", n, field)
		}
	}
}

func TestViewsOfAnAddress(t *testing.T) {
	t.Parallel()
	last := timeseries.NewDate(2024, 2, 29)
	for _, c := range []struct {
		address, current string
		start            timeseries.Date
		linear, note     bool
	}{
		{"", "All Logarithmic", timeseries.NoDate, false, false},
		{"years=3&benchmark=AGG", "3 years Logarithmic", timeseries.NewDate(2021, 3, 1) + 1, false, false},
		{"years=1&scale=linear", "1 year Linear", timeseries.NewDate(2023, 3, 1) + 1, true, false},
		{"years=2", "All Logarithmic", timeseries.NoDate, false, true},
		{"years=10&scale=square", "10 years Logarithmic", timeseries.NewDate(2014, 3, 1) + 1, false, true},
		{"years=%3Cimg%3E", "All Logarithmic", timeseries.NoDate, false, true},
	} {
		values, err := url.ParseQuery(c.address)
		if err != nil {
			t.Fatal(err)
		}
		v := viewAsked(values)
		var current []string
		for _, choice := range append(v.Ranges, v.Scales...) {
			if choice.Current {
				current = append(current, choice.Text)
			}
			next, err := url.ParseQuery(strings.TrimPrefix(choice.Address, "?"))
			if err != nil || next.Get("benchmark") != values.Get("benchmark") {
				t.Errorf("%s: %s leads to %s", c.address, choice.Text, choice.Address)
			}
			if again := viewAsked(next); c.note == false && again.note != "" {
				t.Errorf("%s: the choice %s is not accepted: %s", c.address, choice.Text, again.note)
			}
		}
		if got := strings.Join(current, " "); got != c.current || v.start(last) != c.start || v.linear != c.linear || (v.note != "") != c.note {
			t.Errorf("%s: %s from %s, linear %t, %q", c.address, got, v.start(last), v.linear, v.note)
		}
	}
}
