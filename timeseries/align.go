package timeseries

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"
)

// ErrNoBars says that no source has a bar, so there is no axis.
var ErrNoBars = errors.New("no member of the universe has bars")

// firstWindow is the number of days up to the first session whose moves count for a
// seven-day member: the moves of a long weekend count, those of a coin that has not
// traded for a week do not.
const firstWindow = 7

// Align places sources on one axis, in their order.
//
// The axis is the union of the bar dates of the exchange-traded sources (252 bars a year,
// calendar XNYS). A seven-day source has a bar on a session if it has one on any day
// since the previous session. Its returns of those days are compounded, and earlier moves
// count as part of its starting price. If only seven-day sources have bars, the axis is
// the union of their dates (365 bars a year, calendar 24/7).
//
// The error is ErrNoBars, or says which source is invalid: its key is empty or repeated,
// its dates do not ascend from the base, or it has a different number of dates and
// returns.
func Align(sources []Source) (*Frame, error) {
	seen := make(map[string]bool, len(sources))
	exchange := false
	for _, s := range sources {
		if s.Key == "" || seen[s.Key] {
			return nil, fmt.Errorf("the name of member %q is empty or appears twice", s.Key)
		}
		seen[s.Key] = true
		if err := s.Series.Check(); err != nil {
			return nil, fmt.Errorf("member %s: %w", s.Key, err)
		}
		exchange = exchange || !s.SevenDay && !s.Series.Empty()
	}
	axis := union(sources, exchange)
	if len(axis) == 0 {
		return nil, ErrNoBars
	}
	f := &Frame{Axis: axis, Members: make([]Member, len(sources)), BarsPerYear: 252, Calendar: "XNYS"}
	if !exchange {
		f.BarsPerYear, f.Calendar = 365, "24/7"
	}
	width := (len(axis) + 7) / 8
	returns := make([]float64, len(axis)*len(sources))
	bitmaps := make([]byte, width*len(sources))
	for i, s := range sources {
		m := &f.Members[i]
		*m = Member{
			Key:      s.Key,
			Returns:  returns[i*len(axis) : (i+1)*len(axis) : (i+1)*len(axis)],
			Bars:     bitmaps[i*width : (i+1)*width : (i+1)*width],
			First:    -1,
			Last:     -1,
			SevenDay: s.SevenDay,
		}
		if s.Series.Empty() {
			continue
		}
		if s.SevenDay && exchange {
			m.compound(axis, s.Series)
		} else {
			m.place(axis, s.Series)
		}
		m.Delisted = s.Delisted && m.First >= 0
	}
	return f, nil
}

// Check returns an error unless dates ascend from the base and there is one return per
// date.
func (s Series) Check() error {
	if len(s.Dates) != len(s.Returns) {
		return fmt.Errorf("the series has %d dates and %d returns; it needs one return per date", len(s.Dates), len(s.Returns))
	}
	if s.Empty() && len(s.Dates) > 0 {
		return errors.New("the series has returns but no base date")
	}
	previous := s.Base
	for _, d := range s.Dates {
		if d <= previous {
			return fmt.Errorf("date %s is not later than the date before it, %s", d, previous)
		}
		previous = d
	}
	if !s.Empty() && (s.Base < firstDay || s.Last() > lastDay) {
		return fmt.Errorf("dates from %s to %s are not within the years 1 to 9999", s.Base, s.Last())
	}
	return nil
}

// firstDay and lastDay limit the span of a series, and so the memory of an axis.
var firstDay, lastDay = NewDate(1, time.January, 1), NewDate(9999, time.December, 31)

// union returns the bar dates of the exchange-traded sources, or of all sources.
func union(sources []Source, exchange bool) []Date {
	var longest []Date
	var first, last Date
	takes := func(s *Source) bool { return !s.Series.Empty() && (!exchange || !s.SevenDay) }
	count := 0
	for i := range sources {
		if s := &sources[i]; takes(s) {
			if count == 0 {
				first, last = s.Series.Base, s.Series.Last()
			}
			count++
			first, last = min(first, s.Series.Base), max(last, s.Series.Last())
			if len(s.Series.Dates) > len(longest) {
				longest = s.Series.Dates
			}
		}
	}
	if count == 0 {
		return nil
	}
	days := make([]uint64, (int(last)-int(first))/64+1)
	for i := range sources {
		s := &sources[i]
		if !takes(s) {
			continue
		}
		mark(days, int(s.Series.Base)-int(first))
		for _, d := range s.Series.Dates {
			mark(days, int(d)-int(first))
		}
	}
	axis := make([]Date, 0, len(longest)+64)
	for w, word := range days {
		for ; word != 0; word &= word - 1 {
			axis = append(axis, first+Date(w*64+bits.TrailingZeros64(word)))
		}
	}
	return axis
}

func mark(days []uint64, d int) { days[d>>6] |= 1 << (d & 63) }

// place copies a series whose bars are all on the axis into m.
func (m *Member) place(axis []Date, s Series) {
	m.First = From(axis, s.Base)
	setBits(m.Bars, m.First, m.First+1)
	m.Last = m.First
	p := m.First + 1
	if n := len(s.Dates); p+n <= len(axis) && slices.Equal(axis[p:p+n], s.Dates) {
		copy(m.Returns[p:], s.Returns)
		setBits(m.Bars, p, p+n)
		m.Last += n
		return
	}
	for k, d := range s.Dates {
		for axis[p] < d {
			p++
		}
		m.Returns[p] = s.Returns[k]
		m.Bars[p>>3] |= 1 << (p & 7)
		m.Last = p
	}
}

// compound copies a seven-day series into m and compounds the days since the previous
// session into each session.
func (m *Member) compound(axis []Date, s Series) {
	t := 0
	// session advances t to the session of day d and reports whether there is one.
	session := func(d Date) bool {
		for t < len(axis) && axis[t] < d {
			t++
		}
		return t < len(axis) && (t > 0 || d > axis[0]-firstWindow)
	}
	bar := func() {
		if m.First < 0 {
			m.First = t
		}
		m.Bars[t>>3] |= 1 << (t & 7)
		m.Last = t
	}
	if session(s.Base) {
		bar()
	}
	for k, d := range s.Dates {
		if !session(d) {
			continue
		}
		alone := m.Last < t
		bar()
		switch {
		case t == m.First:
		case alone:
			m.Returns[t] = s.Returns[k]
		default:
			m.Returns[t] = float64((1+m.Returns[t])*(1+s.Returns[k])) - 1
		}
	}
}
