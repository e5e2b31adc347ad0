package script

import (
	"errors"
	"fmt"
	"math"
	"regexp"

	"go.starlark.net/starlark"

	"ballast/script/internal/signature"
	"ballast/script/internal/text"
)

// contextMethods are the methods of ctx with their signatures.
var contextMethods = map[string]*signature.Signature{
	"log":      signature.New("log", "text"),
	"panel":    signature.New("panel", "symbols, n=None"),
	"prices":   signature.New("prices", "symbol, n=None"),
	"record":   signature.New("record", "name, value"),
	"returns":  signature.New("returns", "symbol, n=None"),
	"sessions": signature.New("sessions", "symbol"),

	"series":       signature.New("series", "name, n=None"),
	"series_dates": signature.New("series_dates", "name, n=None"),
}

// sessions(s) is the number of sessions of s so far, including its first bar.
func (c *scriptContext) sessions(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var symbol string
	if err := contextMethods[b.Name()].Unpack(args, kwargs, &symbol); err != nil {
		return nil, err
	}
	i, err := c.member(symbol)
	if err != nil {
		return nil, err
	}
	n := 0
	if first := c.frame.Members[i].First; first >= 0 && first <= c.t {
		n = c.t - first + 1
	}
	if !c.views.add(c.t, i, symbol, float64(n), uint64(n)) {
		return nil, c.views.wrong
	}
	return starlark.MakeInt(n), nil
}

// prices(s, n=None) is the last n values of the total-return index of s.
func (c *scriptContext) prices(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return c.history(b, args, kwargs, false)
}

// returns(s, n=None) is the last n daily returns of s.
func (c *scriptContext) returns(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return c.history(b, args, kwargs, true)
}

func (c *scriptContext) history(b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple, returns bool) (starlark.Value, error) {
	var symbol string
	var n starlark.Value
	if err := contextMethods[b.Name()].Unpack(args, kwargs, &symbol, &n); err != nil {
		return nil, err
	}
	length, err := count(b, n)
	if err != nil {
		return nil, err
	}
	i, err := c.member(symbol)
	if err != nil {
		return nil, err
	}
	return c.show(i, length, returns)
}

// show returns a vector to the script and records that the script has seen it.
func (c *scriptContext) show(i, n int, returns bool) (starlark.Value, error) {
	v := c.vector(i, n, returns)
	if !c.views.vector(c.t, i, c.keys[i], v.Values()) {
		return nil, c.views.wrong
	}
	return v, nil
}

// count reads a number of values, −1 for all.
func count(b *starlark.Builtin, n starlark.Value) (int, error) {
	if n == starlark.None {
		return -1, nil
	}
	length, err := starlark.AsInt32(n)
	if err != nil || length < 0 {
		return 0, fmt.Errorf("%s: n is %s; it must be an integer of at least 0", b.Name(), n)
	}
	return length, nil
}

// panel(symbols, n=None) is a dictionary from symbols to their last daily
// returns, the same number for each: n, or as many as the youngest member has.
func (c *scriptContext) panel(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var symbols starlark.Iterable
	var n starlark.Value
	if err := contextMethods[b.Name()].Unpack(args, kwargs, &symbols, &n); err != nil {
		return nil, err
	}
	length, err := count(b, n)
	if err != nil {
		return nil, err
	}
	var members []int
	it := symbols.Iterate()
	defer it.Done()
	var v starlark.Value
	for it.Next(&v) {
		symbol, ok := starlark.AsString(v)
		if !ok {
			return nil, fmt.Errorf("panel: symbols contains a %s; it must contain only symbols", v.Type())
		}
		i, err := c.member(symbol)
		if err != nil {
			return nil, err
		}
		members = append(members, i)
		if have := c.vector(i, -1, true).Len(); length < 0 || have < length {
			length = have
		}
	}
	d := starlark.NewDict(len(members))
	for _, i := range members {
		v, err := c.show(i, length, true)
		if err != nil {
			return nil, err
		}
		if err := d.SetKey(c.symbols[i], v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

const maxCustom = 64 // recorded series in one run

var customPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

// record(name, value) stores a number for this session under a name. None and
// NaN store nothing.
func (c *scriptContext) record(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var key string
	var value starlark.Value
	if err := contextMethods[b.Name()].Unpack(args, kwargs, &key, &value); err != nil {
		return nil, err
	}
	if c.session == nil {
		return nil, errors.New("record: it can be called only within decide")
	}
	if !customPattern.MatchString(key) {
		return nil, fmt.Errorf("record: %q cannot be the name of a series: write a letter, then up to 63 letters, digits, _, . and -", key)
	}
	if !c.custom[key] {
		if len(c.custom) == maxCustom {
			return nil, fmt.Errorf("record: %s would be series %d; a run stores at most %d", key, maxCustom+1, maxCustom)
		}
		c.custom[key] = true
	}
	v := math.NaN()
	switch x := value.(type) {
	case starlark.NoneType:
	case starlark.Bool:
		v = 0
		if x {
			v = 1
		}
	default:
		f, ok := starlark.AsFloat(value)
		if !ok {
			return nil, fmt.Errorf("record: the value of %s is a %s; it must be a number, True, False or None", key, value.Type())
		}
		v = f
	}
	c.session.Record(key, v)
	return starlark.None, nil
}

// log(text) writes a line to the run's log.
func (c *scriptContext) log(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var value starlark.Value
	if err := contextMethods[b.Name()].Unpack(args, kwargs, &value); err != nil {
		return nil, err
	}
	c.runner.print(text.Str(value))
	return starlark.None, nil
}
