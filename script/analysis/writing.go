package analysis

import (
	"fmt"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"ballast/internal/number"
	"ballast/script"
	"ballast/script/harness"
	"ballast/timeseries"
)

// table(name, columns) writes a table of the result. columns is a dictionary from names to
// lists or vectors of the same length, each of numbers, of dates or of other texts. None
// is a missing number.
func (x *analyst) table(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	a, err := x.arguments(b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	t := script.Table{Name: a.name("name")}
	d, ok := a.values["columns"].(*starlark.Dict)
	if !ok || d.Len() == 0 {
		a.wrong("columns", "is "+shown(a.values["columns"]), `a dictionary of columns by name, such as {"date": [...], "value": [...]}`)
	} else if d.Len() > script.MaxColumns {
		a.wrong("columns", fmt.Sprintf("has %d columns", d.Len()), fmt.Sprintf("up to %d columns", script.MaxColumns))
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	for _, item := range d.Items() {
		name, ok := starlark.AsString(item[0])
		if !ok || !namePattern.MatchString(name) {
			return nil, fmt.Errorf("table: %s cannot be the name of a column: write %s", item[0], nameRule)
		}
		c, err := columnOf(name, item[1])
		if err != nil {
			return nil, fmt.Errorf("table: column %s %w", name, err)
		}
		if len(t.Columns) > 0 && c.Len() != t.Rows() {
			return nil, fmt.Errorf("table: column %s has %d values, and column %s has %d: they must have the same number", name, c.Len(), t.Columns[0].Name, t.Rows())
		}
		t.Columns = append(t.Columns, c)
	}
	return starlark.None, x.sheet.table(t)
}

// columnOf reads a list or vector.
func columnOf(name string, v starlark.Value) (script.Column, error) {
	if vector, ok := v.(*harness.Vector); ok {
		return numbers(name, slices.Clone(vector.Values())), nil
	}
	list, ok := v.(starlark.Sequence)
	if _, text := starlark.AsString(v); !ok || text {
		return script.Column{}, fmt.Errorf("is %s; it must be a list or a vector", shown(v))
	}
	values := make([]starlark.Value, 0, list.Len())
	it := list.Iterate()
	defer it.Done()
	var e starlark.Value
	for it.Next(&e) {
		values = append(values, e)
	}
	if len(values) > 0 {
		if _, text := starlark.AsString(values[0]); text {
			return textsOrDates(name, values)
		}
	}
	c := numbers(name, make([]float64, len(values)))
	for i, e := range values {
		v, err := numberOf(e)
		if err != nil {
			return c, fmt.Errorf("has element %d, which %w", i, err)
		}
		c.Numbers[i] = v
	}
	return c, nil
}

// textsOrDates reads a column of texts, which is one of dates if all of them are.
func textsOrDates(name string, values []starlark.Value) (script.Column, error) {
	list, days := make([]string, len(values)), make([]timeseries.Date, len(values))
	dated := true
	for i, e := range values {
		s, ok := starlark.AsString(e)
		if !ok {
			return script.Column{}, fmt.Errorf("has element %d, which is %s, among strings", i, shown(e))
		}
		d, err := timeseries.ParseDate(s)
		list[i], days[i], dated = s, d, dated && err == nil
	}
	if dated {
		return datesColumn(name, days), nil
	}
	return texts(name, list), nil
}

// numberOf reads a finite number, True, False, or None as NaN.
func numberOf(v starlark.Value) (float64, error) {
	switch x := v.(type) {
	case starlark.NoneType:
		return math.NaN(), nil
	case starlark.Bool:
		if x {
			return 1, nil
		}
		return 0, nil
	}
	f, ok := starlark.AsFloat(v)
	if !ok || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, fmt.Errorf("is %s; it must be a finite number, True, False or None", shown(v))
	}
	return f, nil
}

// scalar(name, value, unit=None, title=None) writes a single number of the result.
func (x *analyst) scalar(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	a, err := x.arguments(b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	s := script.Scalar{Name: a.name("name"), Unit: a.label("unit"), Title: a.label("title")}
	v, err := numberOf(a.values["value"])
	if err != nil {
		a.wrong("value", "is "+shown(a.values["value"]), "a finite number", "True", "False", "None")
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	s.Value = number.Float(v)
	return starlark.None, x.sheet.scalar(s)
}

// figure(name, kind, table, x, y, title=None) draws columns of a table that the script has
// written.
func (x *analyst) figure(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	a, err := x.arguments(b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	f := script.Figure{Name: a.name("name"), Kind: a.choice("kind", script.FigureKinds...), Title: a.label("title")}
	var names []string
	for i := range x.sheet.tables {
		names = append(names, x.sheet.tables[i].Name)
	}
	if f.Table = a.choice("table", names...); f.Table != "" {
		var columns []string
		for _, c := range x.sheet.tables[slices.Index(names, f.Table)].Columns {
			columns = append(columns, c.Name)
		}
		f.X = a.choice("x", columns...)
		for _, y := range a.keys("y", 0) {
			if !slices.Contains(columns, y) {
				a.wrong("y", "names "+y+", which is no column of "+f.Table, columns...)
			}
			f.Y = append(f.Y, y)
		}
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(x.sheet.figures, func(g script.Figure) bool { return g.Name == f.Name }) {
		return nil, fmt.Errorf("figure: there is a figure %s already: give this one another name", f.Name)
	}
	if len(x.sheet.figures) == script.MaxFigures {
		return nil, fmt.Errorf("figure: %s would be figure %d; an analysis draws up to %d", f.Name, script.MaxFigures+1, script.MaxFigures)
	}
	x.sheet.figure(f)
	return starlark.None, nil
}

// name reads a name of a table, a scalar or a figure.
func (a *arguments) name(parameter string) string {
	s, ok := starlark.AsString(a.values[parameter])
	if !ok || !namePattern.MatchString(s) {
		a.wrong(parameter, "is "+shown(a.values[parameter]), nameRule)
	}
	return s
}

// label reads a short text, "" for None.
func (a *arguments) label(parameter string) string {
	v := a.values[parameter]
	if v == starlark.None {
		return ""
	}
	s, ok := starlark.AsString(v)
	if !ok || len(s) > script.MaxLabel {
		a.wrong(parameter, "is "+shown(v), fmt.Sprintf("a string of up to %d bytes", script.MaxLabel))
	}
	return s
}

// value returns a table as a dictionary of its columns: lists of numbers, of texts and of
// dates as texts, with None for a missing value.
func (s *sheet) value(name string) starlark.Value {
	i := slices.IndexFunc(s.tables, func(t script.Table) bool { return t.Name == name })
	if i < 0 {
		return starlark.None
	}
	d := starlark.NewDict(len(s.tables[i].Columns))
	for _, c := range s.tables[i].Columns {
		list := make([]starlark.Value, 0, c.Len())
		for _, v := range c.Numbers {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				list = append(list, starlark.None)
			} else {
				list = append(list, starlark.Float(v))
			}
		}
		for _, v := range c.Texts {
			list = append(list, starlark.String(v))
		}
		for _, v := range c.Dates {
			if v == timeseries.NoDate {
				list = append(list, starlark.None)
			} else {
				list = append(list, starlark.String(v.String()))
			}
		}
		// A string is hashable and the dictionary is not frozen, so SetKey cannot fail.
		_ = d.SetKey(starlark.String(c.Name), starlark.NewList(list))
	}
	return d
}

// returned checks what analyze returned: None, or anything that a function of the harness
// returned.
func (s *sheet) returned(v starlark.Value) error {
	switch v.(type) {
	case starlark.NoneType, *starlark.Dict:
		return nil
	}
	return &script.RunError{Type: script.ScriptError, Message: fmt.Sprintf("analyze returned %s; it returns None, or what a function of the harness returned: write results with ctx.table and ctx.scalar", shown(v))}
}
