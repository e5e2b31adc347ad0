package chart

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/script"
	"ballast/timeseries"
)

// Any table makes a drawing that is well-formed, bounded, and inside its plot, or none.
func TestAnyFigure(t *testing.T) {
	t.Parallel()
	number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1, 1), rapid.SampledFrom([]float64{0, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 5e-324}))
	unit := rapid.SampledFrom([]string{"", "usd", "fraction", "fraction a year", "months", "<b>"})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1200).Draw(t, "rows")
		column := func(kind int) Column {
			c := Column{Name: rapid.SampledFrom([]string{"p5", "p50_real", "p95", "mean", "x"}).Draw(t, "name"), Unit: unit.Draw(t, "unit")}
			switch kind {
			case 0:
				c.Numbers = rapid.SliceOfN(number, n, n).Draw(t, "numbers")
			case 1:
				for i := range n {
					c.Dates = append(c.Dates, timeseries.Date(i*rapid.IntRange(-3, 400).Draw(t, "days")))
				}
			case 2:
				for i := range n {
					c.Texts = append(c.Texts, fmt.Sprintf(`</svg><script>%d "&'`, i%7))
				}
			}
			return c
		}
		f := Figure{ID: "f", Title: `"><script>`, Kind: rapid.SampledFrom(script.FigureKinds).Draw(t, "kind"), X: column(rapid.IntRange(0, 2).Draw(t, "x"))}
		for range rapid.IntRange(0, 5).Draw(t, "columns") {
			f.Y = append(f.Y, column(rapid.SampledFrom([]int{0, 0, 0, 2}).Draw(t, "y")))
		}
		if rapid.Bool().Draw(t, "long") && n > 0 {
			f.Groups = []Column{column(2)}
		}
		d := Draw(f)
		if d == nil {
			return
		}
		if len(d.Levels) > 40 || len(d.Across) > 40 || len(d.Boxes) > maxCells*maxCells+maxPoints*5 || len(d.Dots) > maxDots+5 {
			t.Fatalf("%d levels, %d across, %d boxes, %d dots", len(d.Levels), len(d.Across), len(d.Boxes), len(d.Dots))
		}
		for _, tick := range slices.Concat(d.Levels, d.Across) {
			within(t, tick.At, 0, 100)
		}
		for _, s := range slices.Concat(d.Areas, d.Lines) {
			for _, point := range strings.Fields(s.Points) {
				x, y, _ := strings.Cut(point, ",")
				within(t, x, 0, 100)
				within(t, y, 0, 100)
			}
		}
		for _, dot := range d.Dots {
			within(t, dot.X, 0, 100)
			within(t, dot.Y, 0, 100)
		}
		html, err := d.HTML()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(html), "<script") {
			t.Fatal("a name is not escaped")
		}
		for x := xml.NewDecoder(strings.NewReader(string(html))); ; {
			if _, err := x.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, html)
			}
		}
	})
}

func within(t rapid.TB, text string, low, high float64) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= low-.01 && v <= high+.01) {
		t.Fatalf("%s is not within %v and %v: %v", text, low, high, err)
	}
}

func TestAxes(t *testing.T) {
	t.Parallel()
	texts := func(ticks []Tick) string {
		var out []string
		for _, tick := range ticks {
			out = append(out, strings.ReplaceAll(tick.Text, thinSpace, " "))
		}
		return strings.Join(out, " | ")
	}
	column := func(unit string, values ...float64) Column {
		return Column{Name: "y", Unit: unit, Numbers: values}
	}
	for _, test := range []struct {
		name           string
		x, y           Column
		levels, across string
	}{
		{"money by years", column("months", 0, 360), column("usd", 0, 2_700_000), "0 | 0.5 m | 1.0 m | 1.5 m | 2.0 m | 2.5 m | 3.0 m", "0 | 5 | 10 | 15 | 20 | 25 | 30"},
		{"shares by months", column("months", 0, 20), column("fraction", 1, .4), "0 % | 20 % | 40 % | 60 % | 80 % | 100 %", "0 | 2 | 4 | 6 | 8 | 10 | 12 | 14 | 16 | 18 | 20"},
		{"losses", column("", 1, 2), column("fraction", -.31, .02), "−40 % | −30 % | −20 % | −10 % | 0 % | 10 %", "1.0 | 1.1 | 1.2 | 1.3 | 1.4 | 1.5 | 1.6 | 1.7 | 1.8 | 1.9 | 2.0"},
		{"far from zero", column("", 1, 2), column("usd", 1_000_100, 1_000_600), "1.0001 m | 1.0002 m | 1.0003 m | 1.0004 m | 1.0005 m | 1.0006 m", "1.0 | 1.1 | 1.2 | 1.3 | 1.4 | 1.5 | 1.6 | 1.7 | 1.8 | 1.9 | 2.0"},
		{"all the same", column("", 1, 2), column("", 5, 5), "4.4 | 4.6 | 4.8 | 5.0 | 5.2 | 5.4 | 5.6", "1.0 | 1.1 | 1.2 | 1.3 | 1.4 | 1.5 | 1.6 | 1.7 | 1.8 | 1.9 | 2.0"},
	} {
		d := Draw(Figure{Kind: "line", X: test.x, Y: []Column{test.y}})
		if diff := cmp.Diff([]string{test.levels, test.across}, []string{texts(d.Levels), texts(d.Across)}); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// Few labels are left where there is little room.
func TestNarrowAxes(t *testing.T) {
	t.Parallel()
	for years := 2; years <= 200; years++ {
		x := Column{Unit: "months", Numbers: []float64{0, float64(12 * years)}}
		d := Draw(Figure{Kind: "line", X: x, Y: []Column{{Numbers: []float64{1, 2}}}})
		left := 0
		for _, tick := range d.Across {
			if !tick.Minor {
				left++
			}
		}
		if left < 2 || left > 4 || len(d.Across) > 11 {
			t.Errorf("%d years: %d of %d labels", years, left, len(d.Across))
		}
	}
}

func TestBandsAreNamed(t *testing.T) {
	t.Parallel()
	f := Figure{Kind: "band", X: Column{Name: "step", Unit: "months", Numbers: []float64{0, 12}}}
	for i, name := range []string{"p5_real", "p25_real", "p50_real", "p75_real", "p95_real"} {
		f.Y = append(f.Y, Column{Name: name, Unit: "usd", Numbers: []float64{1000, 1000 * float64(i+1)}})
	}
	d := Draw(f)
	want := []Key{{"band b0", "5\u202f% to 95\u202f%", true}, {"band b1", "25\u202f% to 75\u202f%", true}, {"s0", "median", false}}
	if diff := cmp.Diff(want, d.Legend); diff != "" {
		t.Error(diff)
	}
	if want := "At the end, month 12: 5\u202f% 1,000, 25\u202f% 2,000, median 3,000, 75\u202f% 4,000, 95\u202f% 5,000."; d.Description != want {
		t.Error(d.Description)
	}
	if want := "0.00,80.00 100.00,0.00 100.00,80.00 0.00,80.00"; d.Areas[0].Points != want {
		t.Error(d.Areas[0].Points)
	}
}

// A histogram counts every value that it does not say it leaves out.
func TestHistogramsCountAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), 1, 500).Draw(t, "values")
		d := Draw(Figure{Kind: "histogram", X: Column{Numbers: values}})
		counted := 0
		for _, b := range d.Bins {
			counted += b.Count
		}
		if counted != len(values) && len(d.Notes) == 0 || counted < len(values)*98/100 {
			t.Fatalf("%d of %d values are counted: %v", counted, len(values), d.Notes)
		}
	})
	d := Draw(Figure{Kind: "histogram", X: Column{Numbers: append(slices.Repeat([]float64{1, 2, 3}, 100), 1e6)}})
	if diff := cmp.Diff([]string{"3 of 301 values lie beyond the right edge, up to 1,000,000."}, d.Notes); diff != "" {
		t.Error(diff)
	}
}

func TestHeatmaps(t *testing.T) {
	t.Parallel()
	long := Figure{Kind: "heatmap", X: Column{Texts: []string{"A", "A", "B", "B"}}, Y: []Column{{Texts: []string{"A", "B", "A", "B"}}, {Name: "value", Numbers: []float64{1, -.5, -.5, 1}}}}
	wide := Figure{Kind: "heatmap", X: Column{Texts: []string{"A", "B"}}, Y: []Column{{Name: "A", Numbers: []float64{1, -.5}}, {Name: "B", Numbers: []float64{-.5, 1}}}}
	a, b := Draw(long), Draw(wide)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
	if len(a.Boxes) != 4 || a.Boxes[1].Class != "below" || a.Boxes[1].Title != "A, B: −0.5000" {
		t.Errorf("%+v", a.Boxes)
	}
}

func TestLongTablesHaveALinePerName(t *testing.T) {
	t.Parallel()
	f := Figure{
		Kind: "line", X: Column{Name: "date", Dates: []timeseries.Date{1, 2, 1, 2}}, Y: []Column{{Name: "return", Numbers: []float64{1, 2, 3, 4}}},
		Groups: []Column{{Name: "key", Texts: []string{"SPY", "SPY", "AGG", "AGG"}}},
	}
	if diff := cmp.Diff([]Key{{"s0", "SPY", false}, {"s1", "AGG", false}}, Draw(f).Legend); diff != "" {
		t.Error(diff)
	}
	f.Groups = nil // a line is broken where the dates begin again
	if n := len(Draw(f).Lines); n != 2 {
		t.Errorf("%d lines", n)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		value float64
		unit  string
		want  string
	}{
		{1234567.89, "usd", "1,234,568"}, {-0.4, "usd", "0"}, {.04, "fraction a year", "4.00 %"}, {-.31, "fraction", "−31.00 %"},
		{299, "months", "299"}, {.8306, "windows", "0.8306"}, {math.NaN(), "usd", "–"}, {1e-9, "", "1e−09"}, {-1234.5, "", "−1,234"}, {2024, "", "2024"}, {2024, "usd", "2,024"}, {12.25, "", "12.25"},
	} {
		if got := strings.ReplaceAll(Text(test.value, test.unit), thinSpace, " "); got != test.want {
			t.Errorf("%v in %q is %q, want %q", test.value, test.unit, got, test.want)
		}
	}
}

func TestCalendar(t *testing.T) {
	t.Parallel()
	day := timeseries.NewDate
	for _, test := range []struct {
		from, to timeseries.Date
		want     string
	}{
		{day(1990, 5, 1), day(2024, 6, 1), "1995 2000 2005 2010 2015 2020"},
		{day(2018, 5, 1), day(2021, 6, 1), "2019 2020 2021"},
		{day(2020, 2, 1), day(2021, 2, 1), "2020-04 2020-07 2020-10 2021-01"},
		{day(2020, 12, 15), day(2021, 2, 15), "2021-01 2021-02"},
		{day(2020, 12, 2), day(2020, 12, 4), ""},
	} {
		var got []string
		for _, m := range Calendar(test.from, test.to) {
			got = append(got, m.Text)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s to %s: %s", test.from, test.to, diff)
		}
	}
}

// The step between months is at least one, however short the axis is. A label that is
// beside such an axis is left out.
func TestShortAxisOfMonths(t *testing.T) {
	t.Parallel()
	x := Column{Name: "x", Unit: "months", Numbers: []float64{1e-9}}
	d := Draw(Figure{ID: "f", Kind: "line", X: x, Y: []Column{{Name: "y", Numbers: []float64{0}}}})
	for _, tick := range d.Across {
		within(t, tick.At, 0, 100)
	}
}
