package analysis

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"ballast/script/harness"
	"ballast/script/internal/text"
)

// series(key, frequency="daily") is the returns of a member, oldest first.
func (x *analyst) series(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	a, err := x.arguments(b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	key, frequency := a.key("key"), a.frequency()
	if err := a.err(); err != nil {
		return nil, err
	}
	p, err := x.rowsOf([]string{key}, frequency)
	if err != nil {
		return nil, x.noted(b.Name(), err)
	}
	return p.values[0], nil
}

// panel(keys, frequency="daily") is a dictionary from members to their returns, over the
// days or months in which all of them have one.
func (x *analyst) panel(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	p, keys, err := x.readPanel(b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	return p.dict(keys), nil
}

// dates(keys, frequency="daily") is the dates of the rows of panel(keys, frequency).
func (x *analyst) dates(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	p, _, err := x.readPanel(b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	return starlark.NewList(p.dates), nil
}

// factors(name) is a dictionary from the columns of a series that the analysis reads to
// their returns, over the days or months in which all of them have one.
func (x *analyst) factors(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	a, err := x.arguments(b.Name(), args, kwargs)
	if err != nil {
		return nil, err
	}
	name := a.key("name")
	if err := a.err(); err != nil {
		return nil, err
	}
	var keys []string
	frequency := daily
	for i := range x.window.sources {
		s := &x.window.sources[i]
		if of, _, _ := strings.Cut(s.key, "."); s.outside && strings.EqualFold(of, name) {
			keys = append(keys, s.key)
			if s.monthly {
				frequency = monthly
			}
		}
	}
	if keys == nil {
		return nil, fmt.Errorf("factors: the analysis reads no column of a series %s: name its columns in the input series, such as %s.SMB", name, name)
	}
	p, err := x.rowsOf(keys, frequency)
	if err != nil {
		return nil, x.noted(b.Name(), err)
	}
	return p.dict(keys), nil
}

// dict is the panel as a dictionary.
func (p *panel) dict(keys []string) *starlark.Dict {
	d := starlark.NewDict(len(keys))
	for i, key := range keys {
		// A string is hashable and the dictionary is not frozen, so SetKey cannot fail.
		_ = d.SetKey(starlark.String(key), p.values[i])
	}
	return d
}

// panel is what members have in common.
type panel struct {
	dates  []starlark.Value
	values []*harness.Vector
}

func (x *analyst) readPanel(method string, args starlark.Tuple, kwargs []starlark.Tuple) (*panel, []string, error) {
	a, err := x.arguments(method, args, kwargs)
	if err != nil {
		return nil, nil, err
	}
	keys, frequency := a.keys("keys", 1), a.frequency()
	if err := a.err(); err != nil {
		return nil, nil, err
	}
	p, err := x.rowsOf(keys, frequency)
	if err != nil {
		return nil, nil, x.noted(method, err)
	}
	return p, keys, nil
}

// arguments reads the arguments of a method.
func (x *analyst) arguments(method string, args starlark.Tuple, kwargs []starlark.Tuple) (*arguments, error) {
	s := methods[method]
	values, targets := make([]starlark.Value, len(s.Parameters)), make([]any, len(s.Parameters))
	for i := range values {
		targets[i] = &values[i]
	}
	if err := s.Unpack(args, kwargs, targets...); err != nil {
		return nil, err
	}
	a := &arguments{function: method, values: map[string]starlark.Value{}}
	for i, p := range s.Parameters {
		a.values[p.Name] = values[i]
	}
	return a, nil
}

func (x *analyst) rowsOf(keys []string, frequency string) (*panel, error) {
	columns, err := x.window.columnsOf(keys, frequency)
	if err != nil {
		return nil, err
	}
	rows, err := x.window.common(columns, frequency)
	if err != nil {
		return nil, err
	}
	p := &panel{}
	for _, t := range rows {
		p.dates = append(p.dates, starlark.String(x.window.rows(frequency).dates[t].String()))
	}
	for _, c := range columns {
		values := make([]float64, len(rows))
		for k, t := range rows {
			values[k] = c.Values[t]
		}
		p.values = append(p.values, harness.NewVector(values))
	}
	return p, nil
}

// log(text) writes a line to the run's log.
func (x *analyst) log(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var value starlark.Value
	if err := methods[b.Name()].Unpack(args, kwargs, &value); err != nil {
		return nil, err
	}
	x.caller.Print(text.Str(value))
	return starlark.None, nil
}
