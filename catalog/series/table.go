package series

import (
	"math"
	"slices"
	"strings"

	"ballast/timeseries"
)

// Table is the values of a series: ascending dates, and one column per key. NaN is a
// missing value.
type Table struct {
	Dates   []timeseries.Date
	Keys    []string
	Columns [][]float64
}

// Column returns the position of a key, in any case, or -1.
func (t *Table) Column(key string) int {
	if i := slices.Index(t.Keys, key); i >= 0 {
		return i
	}
	return slices.IndexFunc(t.Keys, func(k string) bool { return strings.EqualFold(k, key) })
}

// describe returns what is known of each column.
func (t *Table) describe() []Column {
	columns := make([]Column, len(t.Keys))
	for i, key := range t.Keys {
		c := Column{Key: key, First: timeseries.NoDate, Last: timeseries.NoDate}
		first, last := -1, -1
		for r, v := range t.Columns[i] {
			if math.IsNaN(v) {
				continue
			}
			if first < 0 {
				first = r
			}
			last = r
			c.Values++
		}
		if first >= 0 {
			c.First, c.Last, c.Missing = t.Dates[first], t.Dates[last], last-first+1-c.Values
		}
		columns[i] = c
	}
	return columns
}

// values returns a column without its missing values.
func (t *Table) values(i int) ([]timeseries.Date, []float64) {
	column := t.Columns[i]
	if !slices.ContainsFunc(column, math.IsNaN) {
		return t.Dates, column
	}
	dates, values := make([]timeseries.Date, 0, len(column)), make([]float64, 0, len(column))
	for r, v := range column {
		if !math.IsNaN(v) {
			dates, values = append(dates, t.Dates[r]), append(values, v)
		}
	}
	return dates, values
}

// Cut returns the rows from start to end, inclusive, of the columns at these positions;
// nil is all columns. NoDate does not limit. It shares memory with t.
func (t *Table) Cut(start, end timeseries.Date, columns []int) *Table {
	from, to := 0, len(t.Dates)
	if start != timeseries.NoDate {
		from, _ = slices.BinarySearch(t.Dates, start)
	}
	if end != timeseries.NoDate {
		to, _ = slices.BinarySearch(t.Dates, end+1)
	}
	to = max(from, to)
	cut := &Table{Dates: t.Dates[from:to]}
	if columns == nil {
		for i := range t.Keys {
			columns = append(columns, i)
		}
	}
	for _, i := range columns {
		cut.Keys, cut.Columns = append(cut.Keys, t.Keys[i]), append(cut.Columns, t.Columns[i][from:to])
	}
	return cut
}

// merge returns stored with the values of news in it, and how many of them are added
// and how many restate another value. Keys match in any case. A missing value of news
// leaves what is stored.
func merge(stored, news *Table) (merged *Table, added, restated int) {
	merged = &Table{Keys: slices.Clone(stored.Keys)}
	to := make([]int, len(news.Keys))
	for i, key := range news.Keys {
		if to[i] = stored.Column(key); to[i] < 0 {
			to[i] = len(merged.Keys)
			merged.Keys = append(merged.Keys, key)
		}
	}
	merged.Dates = slices.Concat(stored.Dates, news.Dates)
	slices.Sort(merged.Dates)
	merged.Dates = slices.Compact(merged.Dates)
	rowOf := make(map[timeseries.Date]int, len(merged.Dates))
	for r, d := range merged.Dates {
		rowOf[d] = r
	}
	merged.Columns = make([][]float64, len(merged.Keys))
	for i := range merged.Columns {
		column := make([]float64, len(merged.Dates))
		for r := range column {
			column[r] = math.NaN()
		}
		if i < len(stored.Columns) {
			for r, v := range stored.Columns[i] {
				column[rowOf[stored.Dates[r]]] = v
			}
		}
		merged.Columns[i] = column
	}
	for i, column := range news.Columns {
		for r, v := range column {
			if math.IsNaN(v) {
				continue
			}
			at := &merged.Columns[to[i]][rowOf[news.Dates[r]]]
			switch {
			case math.IsNaN(*at):
				added++
			case *at != v:
				restated++
			}
			*at = v
		}
	}
	return merged, added, restated
}

// monthEnd returns the last day of d's month.
func monthEnd(d timeseries.Date) timeseries.Date {
	year, month, _ := d.YMD()
	return timeseries.NewDate(year, month+1, 0)
}
