package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"ballast/catalog/series"
	"ballast/internal/nearest"
	"ballast/script/harness"
)

// series(name, n=None) is the last n values of a column of a series from outside that
// are known at the session.
func (c *scriptContext) series(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	i, from, to, err := c.known(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	return harness.NewVector(c.frame.Outside[i].Values[from:to:to]), nil
}

// seriesDates(name, n=None) is the dates of the values that series returns.
func (c *scriptContext) seriesDates(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	i, from, to, err := c.known(b, args, kwargs)
	if err != nil {
		return nil, err
	}
	if err := charge(thread, uint64(to-from)); err != nil {
		return nil, err
	}
	dates := make([]starlark.Value, to-from)
	for k, d := range c.frame.Outside[i].Dates[from:to] {
		dates[k] = starlark.String(d.String())
	}
	return starlark.NewList(dates), nil
}

// known returns the position of a column in the frame and the range of the last n
// values that are known at the session, and records that the script has seen them.
func (c *scriptContext) known(b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (column, from, to int, err error) {
	var name string
	var n starlark.Value
	if err := contextMethods[b.Name()].Unpack(args, kwargs, &name, &n); err != nil {
		return 0, 0, 0, err
	}
	length, err := count(b, n)
	if err != nil {
		return 0, 0, 0, err
	}
	if c.session == nil {
		return 0, 0, 0, errors.New(b.Name() + ": it can be called only within decide")
	}
	key := series.Fold(name)
	i, ok := c.outside[key]
	if !ok {
		return 0, 0, 0, c.noSeries(name)
	}
	dates, values := c.frame.Outside[i].Known(c.t)
	to = len(values)
	if length >= 0 && length < to {
		from = to - length
	}
	last := uint64(0)
	if to > 0 {
		last = uint64(uint32(dates[to-1]))
	}
	if !c.views.vector(c.t, len(c.keys)+i, key, values[from:], last) {
		return 0, 0, 0, c.views.wrong
	}
	return i, from, to, nil
}

// noSeries says that a column was not read for the run.
func (c *scriptContext) noSeries(name string) error {
	if _, _, ok := series.Reference(name); !ok {
		return errors.New(seriesProblem(name))
	}
	keys := make([]string, len(c.frame.Outside))
	for i := range c.frame.Outside {
		keys[i] = c.frame.Outside[i].Key
	}
	hint := ""
	if near := nearest.Match(name, keys); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return fmt.Errorf("%s is not among the series of this run%s: write it as a string in the call, or in an input with the format %q", name, hint, seriesFormat)
}
