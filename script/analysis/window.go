package analysis

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ballast/analyze"
	"ballast/internal/nearest"
	"ballast/script"
	"ballast/timeseries"
)

// The frequencies of rows.
const (
	daily   = "daily"
	monthly = "monthly"
)

// window holds the returns of the members between two dates.
type window struct {
	perYear     float64         // days
	first, last timeseries.Date // NoDate does not limit
	keys        []string        // of the members, then of the columns of series
	sources     []source        // in the order of keys
	axis        []timeseries.Date
	holdings    map[script.Holding]*timeseries.Outside // of the models
	by          map[string]*rows                       // by frequency
	swept       []script.Swept                         // the sweeps that are computed
	wants       *script.Sweep                          // the one that the script lacks
	keep        []script.Kept                          // points of swept
}

// source is the returns of one member on its own days, or of a column of a series.
type source struct {
	key     string
	base    timeseries.Date // the day before the first return, or NoDate if it is not known
	dates   []timeseries.Date
	returns []float64
	monthly bool // the returns are of months
	outside bool // a column of a series
}

// rows are the returns of all sources by day or by month. NaN is a missing return.
type rows struct {
	dates   []timeseries.Date
	columns []analyze.Column
	perYear float64
}

// newWindow cuts the returns of a frame to the dates from first to last. NoDate does not
// limit.
func newWindow(f *timeseries.Frame, first, last timeseries.Date) (*window, error) {
	w := &window{perYear: float64(f.BarsPerYear), first: first, last: last, axis: f.Axis, holdings: map[script.Holding]*timeseries.Outside{}, by: map[string]*rows{}}
	for i := range f.Members {
		w.sources = append(w.sources, memberOf(f, &f.Members[i]))
	}
	for i := range f.Outside {
		if h, ok := script.HoldingOf(f.Outside[i].Key); ok {
			if h.What != script.PointReturns {
				w.holdings[h] = &f.Outside[i]
			}
			continue
		}
		o := outsideOf(&f.Outside[i])
		w.sources = append(w.sources, o)
		if !o.monthly {
			w.axis = slices.Concat(w.axis, o.dates)
			slices.Sort(w.axis)
			w.axis = slices.Compact(w.axis)
		}
	}
	for i := range w.sources {
		w.keys = append(w.keys, w.sources[i].key)
	}
	if len(w.rows(daily).dates) == 0 {
		return nil, dataError(fmt.Sprintf("no member has a return between %s and %s: %s", orAny(first, "the beginning"), orAny(last, "the end"), w.spans(w.keys)))
	}
	return w, nil
}

// memberOf returns the days on which a member has a bar of its own.
func memberOf(f *timeseries.Frame, m *timeseries.Member) source {
	s := source{key: m.Key, base: timeseries.NoDate}
	if m.First < 0 {
		return s
	}
	s.base = f.Axis[m.First]
	for t := m.First + 1; t <= m.Last; t++ {
		if m.HasBar(t) {
			s.dates, s.returns = append(s.dates, f.Axis[t]), append(s.returns, m.Returns[t])
		}
	}
	return s
}

// outsideOf is a column of a series. It is one of months if all of its dates are the last
// days of their months.
func outsideOf(o *timeseries.Outside) source {
	s := source{key: o.Key, base: timeseries.NoDate, dates: o.Dates, returns: o.Values, outside: true, monthly: len(o.Dates) > 0}
	for _, d := range o.Dates {
		s.monthly = s.monthly && month(d+1) != month(d)
	}
	return s
}

// rows returns the returns by a frequency.
func (w *window) rows(frequency string) *rows {
	if r := w.by[frequency]; r != nil {
		return r
	}
	r := &rows{perYear: w.perYear}
	if frequency == monthly {
		r.perYear = 12
		r.dates = w.monthEnds()
	} else {
		r.dates = w.axis
	}
	from, to := 0, len(r.dates)
	if w.first != timeseries.NoDate {
		from = timeseries.From(r.dates, w.first)
	}
	if w.last != timeseries.NoDate {
		to = max(from, timeseries.Through(r.dates, w.last))
	}
	r.dates = r.dates[from:to]
	for i := range w.sources {
		s := &w.sources[i]
		c := analyze.Column{Name: s.key}
		if frequency == monthly {
			c.Values = s.byMonth(r.dates)
		} else {
			c.Values = s.byDay(r.dates)
		}
		r.columns = append(r.columns, c)
	}
	w.by[frequency] = r
	return r
}

// monthEnds are the last days of all months: the last session, or the last day on the
// calendar of a month in which only series have values.
func (w *window) monthEnds() []timeseries.Date {
	last := map[int]timeseries.Date{}
	for _, d := range w.axis {
		last[month(d)] = d
	}
	for i := range w.sources {
		for _, d := range w.sources[i].dates {
			if _, known := last[month(d)]; !known {
				last[month(d)] = d
			}
		}
	}
	return slices.Sorted(maps.Values(last))
}

// byDay returns the returns of the days.
func (s *source) byDay(days []timeseries.Date) []float64 {
	out := slices.Repeat([]float64{missing}, len(days))
	if s.monthly {
		return out
	}
	t := 0
	for i, d := range s.dates {
		for t < len(days) && days[t] < d {
			t++
		}
		if t < len(days) && days[t] == d {
			out[t] = s.returns[i]
		}
	}
	return out
}

// byMonth compounds daily returns from month end to month end. An incomplete first month
// has no return, nor has a month without a bar; the last month counts as it is.
func (s *source) byMonth(ends []timeseries.Date) []float64 {
	growth := map[int]float64{}
	for i, d := range s.dates {
		g, begun := growth[month(d)]
		if !begun {
			g = 1
		}
		growth[month(d)] = g * (1 + s.returns[i])
	}
	if !s.monthly && len(s.dates) > 0 && (s.base == timeseries.NoDate || month(s.base) == month(s.dates[0])) {
		delete(growth, month(s.dates[0]))
	}
	out := slices.Repeat([]float64{missing}, len(ends))
	for k, end := range ends {
		if g, ok := growth[month(end)]; ok {
			out[k] = g - 1
		}
	}
	return out
}

func orAny(d timeseries.Date, whole string) string {
	if d == timeseries.NoDate {
		return whole
	}
	return d.String()
}

// month numbers the months on the calendar.
func month(d timeseries.Date) int {
	y, m, _ := d.YMD()
	return 12*y + int(m) - 1
}

// column returns the returns of a member by a frequency.
func (w *window) column(key, frequency string) (analyze.Column, error) {
	s, err := w.source(key)
	if err != nil {
		return analyze.Column{}, err
	}
	if s.monthly && frequency == daily {
		return analyze.Column{}, dataError(fmt.Sprintf("%s has monthly values, and daily ones are needed: use frequency=\"monthly\" where the function has it", s.key))
	}
	c := w.rows(frequency).columns[slices.Index(w.keys, s.key)]
	c.Name = key
	return c, nil
}

// source returns the member or the column of a series that a key names. Upper and lower
// case do not matter in the name of a column.
func (w *window) source(key string) (*source, error) {
	for i := range w.sources {
		if s := &w.sources[i]; s.key == key || s.outside && strings.EqualFold(s.key, key) {
			return s, nil
		}
	}
	return nil, w.unknown(key)
}

// columnsOf returns the returns of several members.
func (w *window) columnsOf(keys []string, frequency string) ([]analyze.Column, error) {
	out := make([]analyze.Column, len(keys))
	for i, key := range keys {
		var err error
		if out[i], err = w.column(key, frequency); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (w *window) unknown(key string) error {
	if near := nearest.Match(key, w.keys); near != "" {
		return fmt.Errorf("%s is not in the universe; did you mean %s?", key, near)
	}
	return fmt.Errorf("%s is not in the universe, which has %s: add it there", key, listed(w.keys))
}

// common returns the rows in which all columns have a return. No such row is an error
// that names each member's span.
func (w *window) common(columns []analyze.Column, frequency string) ([]int, error) {
	var out []int
rows:
	for t := range w.rows(frequency).dates {
		for _, c := range columns {
			if math.IsNaN(c.Values[t]) {
				continue rows
			}
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		var keys []string
		for _, c := range columns {
			if _, err := w.source(c.Name); err == nil && !slices.Contains(keys, c.Name) {
				keys = append(keys, c.Name)
			}
		}
		return nil, dataError(fmt.Sprintf("%s have no %s returns in common: %s", listed(keys), frequency, w.spans(keys)))
	}
	return out, nil
}

// spans says when the returns of members begin and end.
func (w *window) spans(keys []string) string {
	texts := make([]string, len(keys))
	for k, key := range keys {
		s, err := w.source(key)
		if err != nil || len(s.dates) == 0 {
			texts[k] = key + " has no returns"
			continue
		}
		texts[k] = fmt.Sprintf("%s from %s to %s", key, s.dates[0], s.dates[len(s.dates)-1])
	}
	return strings.Join(texts, ", ")
}

// series returns the daily returns of a member within the window, from the day before the
// first of them.
func (w *window) series(key string) (timeseries.Series, error) {
	s, err := w.source(key)
	if err != nil {
		return timeseries.Series{}, err
	}
	from, to := 0, len(s.dates)
	if w.first != timeseries.NoDate {
		from = timeseries.From(s.dates, w.first)
	}
	if w.last != timeseries.NoDate {
		to = max(from, timeseries.Through(s.dates, w.last))
	}
	switch {
	case s.monthly:
		return timeseries.Series{}, dataError(fmt.Sprintf("%s has monthly values, and daily ones are needed", key))
	case from == to:
		return timeseries.Series{}, dataError("there are no returns in the window: " + w.spans([]string{key}))
	}
	out := timeseries.Series{Base: s.base, Dates: s.dates[from:to], Returns: s.returns[from:to]}
	switch {
	case from > 0:
		out.Base = s.dates[from-1]
	case out.Base == timeseries.NoDate:
		out.Base = out.Dates[0] - 1
	}
	return out, nil
}

// before is the day before a day of the window that some member has a bar on.
func (w *window) before(t int) timeseries.Date {
	d := w.rows(daily).dates[t]
	if at := timeseries.From(w.axis, d); at > 0 {
		return w.axis[at-1]
	}
	return d - 1
}
