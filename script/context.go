package script

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"ballast/backtest"
	"ballast/internal/nearest"
	"ballast/script/harness"
	"ballast/timeseries"
)

// scriptContext is the ctx of decide: the past up to a session. Each run has
// one; begin points it at the current session.
type scriptContext struct {
	runner  *Runner
	frame   *timeseries.Frame
	inputs  *inputsValue
	session *backtest.Session // nil outside decide
	t       int
	symbols []starlark.Value // of the members, in order
	keys    []string
	index   [][]float64 // total-return index of each member from its first bar, computed on first use
	methods map[string]starlark.Value
	custom  map[string]bool
	outside map[string]int // columns of series by name, in upper case
	views   views

	universe, weights starlark.Value // of the session, computed on first use
}

// contextNames are the attributes of ctx. A value has the function that
// computes it; a method has nil.
var contextNames = map[string]func(c *scriptContext) starlark.Value{
	"bars_per_year": func(c *scriptContext) starlark.Value { return starlark.MakeInt(c.frame.BarsPerYear) },
	"cash":          func(c *scriptContext) starlark.Value { return starlark.Float(c.session.Cash) },
	"date":          func(c *scriptContext) starlark.Value { return starlark.String(c.session.Date.String()) },
	"equity":        func(c *scriptContext) starlark.Value { return starlark.Float(c.session.Equity) },
	"inputs":        func(c *scriptContext) starlark.Value { return c.inputs },
	"last_decision": (*scriptContext).lastDecision,
	"universe":      (*scriptContext).tradable,
	"weights":       (*scriptContext).held,
	"log":           nil,
	"panel":         nil,
	"prices":        nil,
	"record":        nil,
	"returns":       nil,
	"series":        nil,
	"series_dates":  nil,
	"sessions":      nil,
}

var contextList = slices.Sorted(maps.Keys(contextNames))

func newContext(r *Runner, inputs Inputs, frame *timeseries.Frame) *scriptContext {
	c := &scriptContext{
		runner: r, frame: frame, inputs: newInputsValue(inputs),
		symbols: make([]starlark.Value, len(frame.Members)), keys: make([]string, len(frame.Members)),
		index: make([][]float64, len(frame.Members)), custom: make(map[string]bool),
		outside: make(map[string]int, len(frame.Outside)),
	}
	for i := range frame.Outside {
		c.outside[frame.Outside[i].Key] = i
	}
	for i := range frame.Members {
		c.keys[i] = frame.Members[i].Key
		c.symbols[i] = starlark.String(frame.Members[i].Key)
	}
	c.methods = map[string]starlark.Value{
		"log":      starlark.NewBuiltin("log", c.log),
		"panel":    starlark.NewBuiltin("panel", c.panel),
		"prices":   starlark.NewBuiltin("prices", c.prices),
		"record":   starlark.NewBuiltin("record", c.record),
		"returns":  starlark.NewBuiltin("returns", c.returns),
		"sessions": starlark.NewBuiltin("sessions", c.sessions),

		"series":       starlark.NewBuiltin("series", c.series),
		"series_dates": starlark.NewBuiltin("series_dates", c.seriesDates),
	}
	return c
}

// begin points the context at a session.
func (c *scriptContext) begin(s *backtest.Session) {
	c.session, c.t = s, s.T
	c.universe, c.weights = nil, nil
}

// day is the date of the current session, or "" outside decide.
func (c *scriptContext) day() string {
	if c.session == nil {
		return ""
	}
	return c.session.Date.String()
}

func (c *scriptContext) String() string        { return "ctx" }
func (c *scriptContext) Type() string          { return "context" }
func (c *scriptContext) Freeze()               {}
func (c *scriptContext) Truth() starlark.Bool  { return true }
func (c *scriptContext) Hash() (uint32, error) { return 0, errors.New("unhashable type: context") }
func (c *scriptContext) AttrNames() []string   { return contextList }

// Attr returns a value or a method.
func (c *scriptContext) Attr(name string) (starlark.Value, error) {
	if m, ok := c.methods[name]; ok {
		return m, nil
	}
	f, ok := contextNames[name]
	if !ok {
		return nil, nil
	}
	return f(c), nil
}

func (c *scriptContext) lastDecision() starlark.Value {
	if c.session.Last < 0 {
		return starlark.None
	}
	return starlark.String(c.frame.Axis[c.session.Last].String())
}

// tradable lists the members that can be held, in the order of the universe
// input.
func (c *scriptContext) tradable() starlark.Value {
	if c.universe == nil {
		list := make([]starlark.Value, 0, len(c.symbols))
		for i, s := range c.symbols {
			able := uint64(0)
			if c.session.Tradable[i] {
				list = append(list, s)
				able = 1
			}
			c.views.add(c.t, i, c.keys[i], float64(able), able)
		}
		c.universe = starlark.NewList(list)
	}
	return c.universe
}

// held returns the drifted weights that are not zero, in the order of the
// universe input.
func (c *scriptContext) held() starlark.Value {
	if c.weights == nil {
		d := starlark.NewDict(len(c.symbols))
		for i, w := range c.session.Weights {
			if w != 0 {
				// A string is hashable and the dictionary is not frozen, so SetKey cannot fail.
				_ = d.SetKey(c.symbols[i], starlark.Float(w))
			}
		}
		c.weights = d
	}
	return c.weights
}

// member returns the position of a symbol in the frame.
func (c *scriptContext) member(symbol string) (int, error) {
	if i, ok := c.runner.positions[symbol]; ok {
		return i, nil
	}
	if near := nearest.Match(symbol, c.keys); near != "" {
		return 0, fmt.Errorf("%s is not in the universe; did you mean %s?", symbol, near)
	}
	return 0, fmt.Errorf("%s is not in the universe", symbol)
}

// vector returns the last n values of member i up to the current session, of
// its index or of its returns; all of them if n is negative.
func (c *scriptContext) vector(i, n int, returns bool) *harness.Vector {
	m := &c.frame.Members[i]
	if m.First < 0 || m.First > c.t {
		return harness.NewVector(nil)
	}
	var values []float64
	if returns {
		values = m.Returns[m.First+1 : c.t+1]
	} else {
		if c.index[i] == nil {
			c.index[i] = timeseries.Index(nil, m.Returns[m.First:])
		}
		values = c.index[i][:c.t-m.First+1]
	}
	if n >= 0 && n < len(values) {
		values = values[len(values)-n:]
	}
	return harness.NewVector(values[:len(values):len(values)])
}
