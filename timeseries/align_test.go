package timeseries

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// series builds a series from a base, in days after 2024-01-01 (a Monday), and pairs of
// day and return.
func series(base int, bars ...float64) Series {
	monday := NewDate(2024, time.January, 1)
	s := Series{Base: monday + Date(base)}
	for ; len(bars) > 0; bars = bars[2:] {
		s.Dates = append(s.Dates, monday+Date(bars[0]))
		s.Returns = append(s.Returns, bars[1])
	}
	return s
}

// flat prints a member's returns, with "." for sessions without a bar.
func flat(m Member) string {
	out := ""
	for t, r := range m.Returns {
		if m.HasBar(t) {
			out += fmt.Sprintf(" %.4g", r)
		} else {
			out += " ."
		}
	}
	return fmt.Sprintf("%d..%d%s", m.First, m.Last, out)
}

func TestAlign(t *testing.T) {
	for _, c := range []struct {
		name    string
		sources []Source
		axis    []int
		members []string
		bars    int
	}{
		{"two starts and a hole",
			[]Source{{Key: "A", Series: series(0, 1, .1, 3, .2)}, {Key: "B", Series: series(2, 3, .3)}},
			[]int{0, 1, 2, 3}, []string{"0..3 0 0.1 . 0.2", "2..3 . . 0 0.3"}, 252},
		{"weekend compounded into Monday",
			[]Source{{Key: "A", Series: series(3, 4, .1, 7, .2)}, {Key: "C", SevenDay: true, Series: series(3, 4, .5, 5, .1, 6, .1, 7, .1, 8, .9)}},
			[]int{3, 4, 7}, []string{"0..2 0 0.1 0.2", "0..2 0 0.5 0.331"}, 252},
		{"seven-day member whose Monday is missing",
			[]Source{{Key: "A", Series: series(4, 7, 0, 8, 0)}, {Key: "C", SevenDay: true, Series: series(3, 4, .5, 5, .1, 8, .2)}},
			[]int{4, 7, 8}, []string{"0..2 0 0 0", "0..2 0 0.1 0.2"}, 252},
		{"seven-day member that begins on a closed day",
			[]Source{{Key: "A", Series: series(4, 7, 0, 8, 0)}, {Key: "C", SevenDay: true, Series: series(5, 6, .1, 7, .1, 8, .2)}},
			[]int{4, 7, 8}, []string{"0..2 0 0 0", "1..2 . 0 0.2"}, 252},
		{"seven-day member that stopped long before",
			[]Source{{Key: "A", Series: series(20, 21, 0)}, {Key: "C", SevenDay: true, Series: series(0, 1, .1)}},
			[]int{20, 21}, []string{"0..1 0 0", "-1..-1 . ."}, 252},
		{"seven-day members alone",
			[]Source{{Key: "C", SevenDay: true, Series: series(4, 5, .1, 6, .2)}, {Key: "D", SevenDay: true, Series: series(5, 6, .1, 7, .3)}},
			[]int{4, 5, 6, 7}, []string{"0..2 0 0.1 0.2 .", "1..3 . 0 0.1 0.3"}, 365},
		{"a member without bars",
			[]Source{{Key: "A", Series: series(0, 1, .1)}, {Key: "E", Series: Series{Base: NoDate}}},
			[]int{0, 1}, []string{"0..1 0 0.1", "-1..-1 . ."}, 252},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Align(c.sources)
			if err != nil {
				t.Fatal(err)
			}
			var axis []int
			for _, d := range f.Axis {
				axis = append(axis, int(d-NewDate(2024, time.January, 1)))
			}
			var members []string
			for _, m := range f.Members {
				members = append(members, flat(m))
			}
			if diff := cmp.Diff(c.axis, axis); diff != "" {
				t.Errorf("axis:\n%s", diff)
			}
			if diff := cmp.Diff(c.members, members); diff != "" {
				t.Errorf("members:\n%s", diff)
			}
			if f.BarsPerYear != c.bars {
				t.Errorf("%d bars a year", f.BarsPerYear)
			}
		})
	}
}

func TestAlignRefuses(t *testing.T) {
	for _, c := range []struct {
		name    string
		sources []Source
	}{
		{"no source", nil},
		{"no bar", []Source{{Key: "A", Series: Series{Base: NoDate}}}},
		{"a key twice", []Source{{Key: "A", Series: series(0)}, {Key: "A", Series: series(0)}}},
		{"an empty key", []Source{{Series: series(0)}}},
		{"a date twice", []Source{{Key: "A", Series: series(0, 1, 0, 1, 0)}}},
		{"a date on the base", []Source{{Key: "A", Series: series(1, 1, 0)}}},
		{"a return too many", []Source{{Key: "A", Series: Series{Returns: []float64{1}}}}},
		{"a day beyond all calendars", []Source{{Key: "A", Series: Series{Base: math.MaxInt32}}}},
	} {
		if f, err := Align(c.sources); err == nil {
			t.Errorf("%s: axis %v", c.name, f.Axis)
		}
	}
	if _, err := Align(nil); !errors.Is(err, ErrNoBars) {
		t.Errorf("no source: %v", err)
	}
}

// drawSources draws random sources; those at even positions may trade on seven days.
func drawSources(t *rapid.T) []Source {
	sources := make([]Source, rapid.IntRange(1, 5).Draw(t, "members"))
	for i := range sources {
		seven := rapid.IntRange(0, 2).Draw(t, "seven") == 0
		s := Series{Base: NoDate}
		first := rapid.IntRange(0, 30).Draw(t, "first")
		for d := first; d < first+rapid.IntRange(0, 60).Draw(t, "days"); d++ {
			date := NewDate(2024, time.January, 1) + Date(d)
			w := date.Weekday()
			if !seven && (w == time.Saturday || w == time.Sunday) || rapid.IntRange(0, 6).Draw(t, "hole") == 0 {
				continue
			}
			if s.Empty() {
				s.Base = date
				continue
			}
			s.Dates = append(s.Dates, date)
			s.Returns = append(s.Returns, float64(rapid.IntRange(-100, 100).Draw(t, "r"))/1000)
		}
		sources[i] = Source{Key: fmt.Sprintf("M%d", i), Series: s, SevenDay: seven, Delisted: rapid.Bool().Draw(t, "delisted")}
	}
	return sources
}

// drawFrame aligns random sources, of which at least one has a bar.
func drawFrame(t *rapid.T) *Frame {
	f, err := Align(append(drawSources(t), Source{Key: "Z", Series: series(3, 4, .25)}))
	if err != nil {
		t.Fatal(err)
	}
	drawOutside(t, f)
	return f
}

// TestAlignKeepsGrowth compares every member with the product of its source's returns
// between its first session and each later one.
func TestAlignKeepsGrowth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sources := drawSources(t)
		f, err := Align(sources)
		if errors.Is(err, ErrNoBars) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if !slices.IsSorted(f.Axis) || len(slices.Compact(slices.Clone(f.Axis))) != len(f.Axis) {
			t.Fatalf("axis %v does not ascend", f.Axis)
		}
		for i, m := range f.Members {
			growth := 1.0
			for k := range f.Axis {
				if m.First < 0 || k <= m.First || !m.HasBar(k) {
					if m.Returns[k] != 0 {
						t.Fatalf("%s has a return on %s", m.Key, f.Axis[k])
					}
					continue
				}
				growth *= 1 + m.Returns[k]
				want := 1.0
				for j, d := range sources[i].Series.Dates {
					if d > f.Axis[m.First] && d <= f.Axis[k] {
						want *= 1 + sources[i].Series.Returns[j]
					}
				}
				if math.Abs(growth-want) > 1e-12 {
					t.Fatalf("%s has grown to %v on %s, want %v", m.Key, growth, f.Axis[k], want)
				}
			}
		}
	})
}

// TestCutIsAlignOfCutSources compares Cut with Align of sources that end on the same
// date.
func TestCutIsAlignOfCutSources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sources := append(drawSources(t), Source{Key: "Z", Series: series(3, 4, .25)})
		f, err := Align(sources)
		if err != nil {
			t.Fatal(err)
		}
		// Start at the first exchange-traded bar, so that the calendar stays the same.
		at := f.Axis[rapid.IntRange(0, len(f.Axis)-1).Draw(t, "at")]
		for i := range sources {
			s := &sources[i].Series
			if s.Base > at {
				*s = Series{Base: NoDate}
			}
			n := Through(s.Dates, at)
			sources[i].Delisted = sources[i].Delisted && f.Members[i].Last < Through(f.Axis, at)
			s.Dates, s.Returns = s.Dates[:n], s.Returns[:n]
		}
		want, err := Align(sources)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, f.Cut(at)); diff != "" {
			t.Fatalf("cut at %s (-aligned +cut):\n%s", at, diff)
		}
	})
}

func TestDatesAgreeWithTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Date(rapid.Int32Range(-720000, 3000000).Draw(t, "day"))
		y, m, day := d.YMD()
		ty, tm, td := d.Time().Date()
		if y != ty || m != tm || day != td || d.Weekday() != d.Time().Weekday() {
			t.Fatalf("%d is %d-%d-%d, want %d-%d-%d", d, y, m, day, ty, tm, td)
		}
		m = time.Month(rapid.IntRange(-30, 30).Draw(t, "month"))
		day = rapid.IntRange(-400, 400).Draw(t, "day of month")
		if got, want := NewDate(y, m, day), FromTime(time.Date(y, m, day, 0, 0, 0, 0, time.UTC)); got != want {
			t.Fatalf("%d-%d-%d is %s, want %s", y, m, day, got, want)
		}
	})
}

// TestIndexIsOfThePast checks that no later return changes an element, to the last bit: a
// price that a decision sees must not depend on where the bars end.
func TestIndexIsOfThePast(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	returns := make([]float64, 100)
	for i := range returns {
		returns[i] = 0.02 * rng.NormFloat64()
	}
	whole := Index(nil, returns)
	for n := range returns {
		for i, v := range Index(nil, returns[:n]) {
			if v != whole[i] {
				t.Fatalf("element %d is %v of %d returns, %v of all", i, v, n, whole[i])
			}
		}
	}
}

func TestIndex(t *testing.T) {
	if diff := cmp.Diff([]float64{1, 1.5, 1.5, 0.75}, Index(nil, []float64{0, .5, 0, -.5})); diff != "" {
		t.Error(diff)
	}
	defer func() {
		if recover() == nil {
			t.Error("lengths that differ do not panic")
		}
	}()
	Index(make([]float64, 1), make([]float64, 2))
}

func TestAxis(t *testing.T) {
	axis := []Date{3, 5, 8}
	for _, c := range []struct {
		d             Date
		from, through int
		found         bool
	}{{2, 0, 0, false}, {3, 0, 1, true}, {4, 1, 1, false}, {8, 2, 3, true}, {9, 3, 3, false}} {
		_, found := Find(axis, c.d)
		if From(axis, c.d) != c.from || Through(axis, c.d) != c.through || found != c.found {
			t.Errorf("%d: from %d, through %d, found %v", int(c.d), From(axis, c.d), Through(axis, c.d), found)
		}
	}
}

func BenchmarkAlign(b *testing.B) {
	sources := make([]Source, 10)
	for i := range sources {
		s := Series{Base: NewDate(2000, time.January, 3) + Date(i*30)}
		for d := s.Base + 1; len(s.Dates) < 5000-21*i; d++ {
			if w := d.Weekday(); w != time.Saturday && w != time.Sunday {
				s.Dates, s.Returns = append(s.Dates, d), append(s.Returns, 0.001)
			}
		}
		sources[i] = Source{Key: fmt.Sprint(i), Series: s}
	}
	b.SetBytes(10 * 5000 * 8)
	for b.Loop() {
		if _, err := Align(sources); err != nil {
			b.Fatal(err)
		}
	}
}
