package timeseries

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawOutside puts random columns on a frame.
func drawOutside(t *rapid.T, f *Frame) {
	for i := range rapid.IntRange(0, 3).Draw(t, "columns") {
		var dates, known []Date
		var values []float64
		d := f.Axis[0] - 10
		for range rapid.IntRange(0, 30).Draw(t, "values") {
			d += Date(rapid.IntRange(1, 5).Draw(t, "gap"))
			lag := Date(rapid.IntRange(0, 9).Draw(t, "lag"))
			if n := len(known); n > 0 && d+lag < known[n-1] {
				lag = known[n-1] - d
			}
			dates, known = append(dates, d), append(known, d+lag)
			values = append(values, float64(rapid.IntRange(-100, 100).Draw(t, "value"))/1000)
		}
		if len(known) > 0 && rapid.Bool().Draw(t, "never") {
			known[len(known)-1] = NoDate
		}
		o := NewOutside(fmt.Sprintf("S.K%d", i), f.Axis, known, dates, values)
		for s, session := range f.Axis {
			n := 0
			for _, on := range known {
				if on != NoDate && on <= session {
					n++
				}
			}
			if got, _ := o.Known(s); !slices.Equal(got, dates[:n]) {
				t.Fatalf("on %s %v are known, not %v", session, got, dates[:n])
			}
		}
		f.Outside = append(f.Outside, o)
	}
}

// A frame that ends earlier has the values that were known at each session, and no
// others.
func TestCutKeepsWhatIsKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFrame(t)
		end := rapid.IntRange(0, len(f.Axis)-1).Draw(t, "end")
		cut := f.Cut(f.Axis[end])
		for i := range f.Outside {
			whole, past := &f.Outside[i], &cut.Outside[i]
			for s := range cut.Axis {
				dates, values := whole.Known(s)
				gotDates, gotValues := past.Known(s)
				if !slices.Equal(dates, gotDates) || !slices.Equal(values, gotValues) {
					t.Fatalf("session %d: %v %v, not %v %v", s, gotDates, gotValues, dates, values)
				}
			}
			if n := int(whole.Ends[end+1]); len(past.Values) != n || len(past.Dates) != n || cap(past.Values) != n {
				t.Fatalf("%d values, of which %d are known", len(past.Values), n)
			}
		}
	})
}

// Columns that contradict themselves are refused.
func TestDecodeFrameRefusesOutside(t *testing.T) {
	for _, c := range []struct {
		name, says string
		damage     func(o *Outside)
		ends       []int32 // in place of 0, 1, 2, 3
		lists      int     // how many of the two lists are damaged
	}{
		{"lists that go back", "outside its elements", nil, []int32{0, 2, 1, 3}, 2},
		{"more values than exist", "outside its elements", nil, []int32{0, 1, 2, 9}, 2},
		{"values that nobody knows", "no session knows", nil, []int32{0, 1, 2, 2}, 2},
		{"a list that does not begin", "do not begin", nil, []int32{1, 1, 2, 3}, 2},
		{"fewer dates than values", "another number of dates", nil, []int32{0, 0, 2, 3}, 1},
		{"dates that repeat", "not later", func(o *Outside) { o.Dates[1] = o.Dates[0] }, nil, 0},
		{"a value that is not finite", "is +Inf", func(o *Outside) { o.Values[0] = math.Inf(1) }, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Align([]Source{{Key: "A", Series: series(0, 1, .1, 2, .2)}})
			if err != nil {
				t.Fatal(err)
			}
			f.Outside = []Outside{NewOutside("S.K", f.Axis, f.Axis, slices.Clone(f.Axis), []float64{1, 2, 3})}
			if c.damage != nil {
				c.damage(&f.Outside[0])
			}
			data := encode(t, f)
			if c.ends != nil {
				if sound := bytesOf(f.Outside[0].Ends); bytes.Count(data, sound) != 2 {
					t.Fatal("the file does not have the ends of both lists")
				} else {
					data = bytes.Replace(data, sound, bytesOf(c.ends), c.lists)
				}
			}
			if _, err := DecodeFrame(data); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v does not say %q", err, c.says)
			}
		})
	}
}
