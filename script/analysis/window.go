package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ballast/analyze"
	"ballast/internal/nearest"
	"ballast/timeseries"
)

// The frequencies of rows.
const (
	daily   = "daily"
	monthly = "monthly"
)

// window holds the returns of the members between two dates.
type window struct {
	frame       *timeseries.Frame
	first, last timeseries.Date // NoDate does not limit
	keys        []string
	by          map[string]*rows // by frequency
}

// rows are the returns of all members by day or by month. NaN is a missing return.
type rows struct {
	dates   []timeseries.Date
	columns []analyze.Column
	perYear float64
}

// newWindow cuts a frame to the dates from first to last. NoDate does not limit.
func newWindow(f *timeseries.Frame, first, last timeseries.Date) (*window, error) {
	w := &window{frame: f, first: first, last: last, by: map[string]*rows{}}
	for i := range f.Members {
		w.keys = append(w.keys, f.Members[i].Key)
	}
	if len(w.rows(daily).dates) == 0 {
		return nil, dataError(fmt.Sprintf("no member has a return between %s and %s: %s", orAny(first, "the beginning"), orAny(last, "the end"), w.spans(w.keys)))
	}
	return w, nil
}

// rows returns the returns by a frequency.
func (w *window) rows(frequency string) *rows {
	if r := w.by[frequency]; r != nil {
		return r
	}
	all := days(w.frame)
	if frequency == monthly {
		all = months(w.frame)
	}
	from, to := 0, len(all.dates)
	if w.first != timeseries.NoDate {
		from = timeseries.From(all.dates, w.first)
	}
	if w.last != timeseries.NoDate {
		to = max(from, timeseries.Through(all.dates, w.last))
	}
	cut := &rows{dates: all.dates[from:to], perYear: all.perYear}
	for _, c := range all.columns {
		cut.columns = append(cut.columns, analyze.Column{Name: c.Name, Values: c.Values[from:to]})
	}
	w.by[frequency] = cut
	return cut
}

func orAny(d timeseries.Date, any string) string {
	if d == timeseries.NoDate {
		return any
	}
	return d.String()
}

// days are the daily returns. A day without a bar of the member has none.
func days(f *timeseries.Frame) *rows {
	r := &rows{dates: f.Axis, perYear: float64(f.BarsPerYear)}
	for i := range f.Members {
		m := &f.Members[i]
		values := make([]float64, len(f.Axis))
		for t := range values {
			if values[t] = math.NaN(); m.First >= 0 && t > m.First && m.HasBar(t) {
				values[t] = m.Returns[t]
			}
		}
		r.columns = append(r.columns, analyze.Column{Name: m.Key, Values: values})
	}
	return r
}

// months compounds the daily returns from month end to month end. An incomplete first
// month has no return; the last one counts as it is. A month is dated by its last
// session.
func months(f *timeseries.Frame) *rows {
	r := &rows{perYear: 12}
	var last []int // session that ends each month
	for t, d := range f.Axis {
		if t > 0 && month(d) == month(f.Axis[t-1]) {
			last[len(last)-1] = t
		} else {
			last = append(last, t)
		}
	}
	for _, t := range last {
		r.dates = append(r.dates, f.Axis[t])
	}
	for i := range f.Members {
		m := &f.Members[i]
		values := make([]float64, len(last))
		before := -1
		for k, t := range last {
			values[k] = math.NaN()
			if m.First >= 0 && m.First <= before { // it has a bar before the month begins
				growth, traded := 1.0, false
				for s := before + 1; s <= t; s++ {
					growth *= 1 + m.Returns[s]
					traded = traded || m.HasBar(s)
				}
				if traded {
					values[k] = growth - 1
				}
			}
			before = t
		}
		r.columns = append(r.columns, analyze.Column{Name: m.Key, Values: values})
	}
	return r
}

// month numbers the months on the calendar.
func month(d timeseries.Date) int {
	y, m, _ := d.YMD()
	return 12*y + int(m) - 1
}

// column returns the returns of a member by a frequency.
func (w *window) column(key, frequency string) (analyze.Column, error) {
	i := slices.Index(w.keys, key)
	if i < 0 {
		return analyze.Column{}, w.unknown(key)
	}
	return w.rows(frequency).columns[i], nil
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
			if !slices.Contains(keys, c.Name) && slices.Contains(w.keys, c.Name) {
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
		m := &w.frame.Members[slices.Index(w.keys, key)]
		if m.First < 0 || m.Last == m.First {
			texts[k] = key + " has no returns"
			continue
		}
		texts[k] = fmt.Sprintf("%s from %s to %s", key, w.frame.Axis[m.First+1], w.frame.Axis[m.Last])
	}
	return strings.Join(texts, ", ")
}
