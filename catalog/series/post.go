package series

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ballast/internal/fault"
	"ballast/timeseries"
)

// Post is what a caller sends: values to add to a series or to restate, or a new
// series. Frequency, Unit, Kind and Lag may be left out for a series that exists, and
// then stay as they are; a unit that is left out is a fraction.
type Post struct {
	Name      string
	Frequency Frequency // "": as stored; daily for a new series
	Unit      Unit
	Kind      Kind // "": as stored; returns for a new series
	Lag       *int // nil: as stored; 0 for a new series
	Dates     []timeseries.Date
	Keys      []string
	Columns   [][]float64 // as given, one number per date and key; NaN is a missing value
}

// prepared checks a post and returns its values as fractions, sorted by date.
// fault.InvalidBody.
func (p *Post) prepared(frequency Frequency, kind Kind) (*Table, error) {
	if err := p.checkShape(); err != nil {
		return nil, err
	}
	if kind == Index && p.Unit == Percent {
		return nil, refused("unit", "An index has levels, which have no unit. Leave unit out, or send the changes as kind return.")
	}
	t := &Table{Dates: slices.Clone(p.Dates), Keys: p.Keys, Columns: make([][]float64, len(p.Columns))}
	for i, d := range t.Dates {
		if d < Earliest || d > Latest {
			return nil, refused(fmt.Sprintf("columns.date[%d]", i), "%s is outside %s to %s.", dateText(d), Earliest, Latest)
		}
		if frequency == Monthly {
			t.Dates[i] = monthEnd(d)
		}
	}
	for c, given := range p.Columns {
		column := slices.Clone(given)
		for r := range column {
			if p.Unit == Percent {
				column[r] = hundredth(column[r])
			}
			if problem := implausible(kind, column[r]); problem != "" {
				return nil, refused(fmt.Sprintf("columns.%s[%d]", p.Keys[c], r), "%s on %s is %v: %s", p.Keys[c], p.Dates[r], given[r], problem)
			}
		}
		t.Columns[c] = column
	}
	return t.sorted(p)
}

// hundredth returns the number whose shortest decimal is that of v with the point moved
// by two places. A division would turn -13.39 % into -0.13390000000000002.
func hundredth(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	moved, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', -1, 64)+"e-2", 64)
	if err != nil {
		return v / 100
	}
	return moved
}

// checkShape checks names, keys, lengths and limits.
func (p *Post) checkShape() error {
	switch {
	case !nameForm.MatchString(p.Name):
		return refused("name", "%q cannot be the name of a series, which is %s.", p.Name, nameRule)
	case p.Lag != nil && (*p.Lag < 0 || *p.Lag > MostLag):
		return refused("lag", "A lag is from 0 to %d sessions; %d is given.", MostLag, *p.Lag)
	case len(p.Keys) == 0:
		return refused("columns", "The columns have dates but no values: add at least one column beside date.")
	case len(p.Keys) > MostKeys:
		return refused("columns", "A series has at most %d columns; %d are given. Divide it into several series.", MostKeys, len(p.Keys))
	case len(p.Dates) == 0:
		return refused("columns.date", "There are no dates.")
	case len(p.Dates) > MostRows:
		return tooManyRows(len(p.Dates))
	}
	seen := map[string]bool{}
	for i, key := range p.Keys {
		field := "columns." + key
		if !ValidKey(key) {
			return refused(field, "%q cannot be the key of a column, which is %s, and not date.", key, keyRule)
		}
		if seen[strings.ToUpper(key)] {
			return refused(field, "The column %s is given twice. Upper and lower case do not tell keys apart.", key)
		}
		seen[strings.ToUpper(key)] = true
		if len(p.Columns[i]) != len(p.Dates) {
			return refused(field, "The column %s has %d values, but there are %d dates. Send one value, or null, for each date.", key, len(p.Columns[i]), len(p.Dates))
		}
	}
	return nil
}

func tooManyRows(n int) error {
	return refused("columns.date", "A series has at most %d dates; this one would have %d.", MostRows, n)
}

// sorted sorts the rows and refuses dates that are given twice.
func (t *Table) sorted(p *Post) (*Table, error) {
	order := make([]int, len(t.Dates))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.Dates[a], t.Dates[b]) })
	for i := 1; i < len(order); i++ {
		if a, b := order[i-1], order[i]; t.Dates[a] == t.Dates[b] {
			message := fmt.Sprintf("%s is given twice", p.Dates[b])
			if p.Dates[a] != p.Dates[b] {
				message = fmt.Sprintf("%s and %s are in the same month, and a monthly series has one row per month", p.Dates[a], p.Dates[b])
			}
			return nil, refused(fmt.Sprintf("columns.date[%d]", b), "%s.", message)
		}
	}
	out := &Table{Dates: make([]timeseries.Date, len(order)), Keys: t.Keys, Columns: make([][]float64, len(t.Columns))}
	for i, r := range order {
		out.Dates[i] = t.Dates[r]
	}
	for c, column := range t.Columns {
		out.Columns[c] = make([]float64, len(order))
		for i, r := range order {
			out.Columns[c][i] = column[r]
		}
	}
	return out, nil
}

// implausible says why a value, as a fraction, cannot be one of a kind; "" if it can.
func implausible(kind Kind, v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.IsInf(v, 0):
		return "it is not a finite number."
	case kind == Index && v <= 0:
		return "the level of an index is above 0. Send null for a missing value."
	case kind == Return && v < -1:
		return "a return is at least -1, which is -100 %. If the values are per cent, say unit percent; send null for a missing value."
	case kind == Return && v > 10:
		return "a return is at most 10, which is 1,000 %. If the values are per cent, say unit percent; if they are levels, say kind index."
	case kind == Rate && math.Abs(v) > 1:
		return "an annual rate is from -1 to 1, which is 100 %. If the values are per cent, say unit percent; send null for a missing value."
	}
	return ""
}

func dateText(d timeseries.Date) string {
	if d == timeseries.NoDate {
		return "An empty date"
	}
	return d.String()
}

func refused(field, format string, args ...any) error {
	message := fmt.Sprintf(format, args...)
	return fault.New(fault.InvalidBody, "%s", message).With(fault.Detail{Field: field, Message: message})
}

// next returns the version that follows before when a post is added to it, with its
// whole table; before and stored are nil for a new series. changed is false if the post
// says nothing new.
func (p *Post) next(before *Series, stored *Table) (after *Series, table *Table, changed bool, err error) {
	s := Series{Name: p.Name, Frequency: cmp.Or(p.Frequency, Daily), Kind: cmp.Or(p.Kind, Return)}
	if before != nil {
		s = *before
		switch {
		case p.Frequency != "" && p.Frequency != s.Frequency:
			return nil, nil, false, refused("frequency", "The series %s is %s, which cannot change. Delete it first, or use another name.", s.Name, s.Frequency)
		case p.Kind != "" && p.Kind != s.Kind:
			return nil, nil, false, refused("kind", "The series %s is of kind %s, which cannot change. Delete it first, or use another name.", s.Name, s.Kind)
		}
	} else {
		stored = &Table{}
	}
	if p.Lag != nil {
		s.Lag = *p.Lag
	}
	news, err := p.prepared(s.Frequency, s.Kind)
	if err != nil {
		return nil, nil, false, err
	}
	table, s.Added, s.Restated = merge(stored, news)
	switch rows, keys := len(table.Dates), len(table.Keys); {
	case rows > MostRows:
		return nil, nil, false, tooManyRows(rows)
	case keys > MostKeys:
		return nil, nil, false, refused("columns", "A series has at most %d columns; this one would have %d.", MostKeys, keys)
	case rows*keys > MostCells:
		return nil, nil, false, refused("columns", "A series has at most %d values; this one would have %d dates of %d columns. Divide it into several series.", MostCells, rows, keys)
	}
	s.Version++
	s.Columns, s.Rows = table.describe(), len(table.Dates)
	s.First, s.Last = table.Dates[0], table.Dates[len(table.Dates)-1]
	for _, c := range s.Columns {
		if c.Values == 0 {
			return nil, nil, false, refused("columns."+c.Key, "The column %s has no value. Leave it out.", c.Key)
		}
	}
	changed = before == nil || s.Added+s.Restated > 0 || s.Lag != before.Lag
	return &s, table, changed, nil
}
