package analysis

import (
	"errors"
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"ballast/script"
	"ballast/script/harness"
	"ballast/script/internal/signature"
	"ballast/script/sandbox"
)

// analyst is the ctx of analyze.
type analyst struct {
	caller  *script.Caller
	inputs  starlark.Value
	window  *window
	sheet   *sheet
	methods map[string]starlark.Value
	data    bool // the error that ended the script is about the data
}

var (
	_ starlark.HasAttrs = (*analyst)(nil)
	_ harness.Analyst   = (*analyst)(nil)
)

// methods are the methods of ctx with their signatures.
var methods = map[string]*signature.Signature{
	"contributions": signature.New("contributions", "key"),
	"dates":         signature.New("dates", `keys, frequency="daily"`),
	"factors":       signature.New("factors", "name"),
	"figure":        signature.New("figure", `name, kind, table, x, y, title=None`),
	"ledger":        signature.New("ledger", "key"),
	"log":           signature.New("log", "text"),
	"panel":         signature.New("panel", `keys, frequency="daily"`),
	"scalar":        signature.New("scalar", "name, value, unit=None, title=None"),
	"series":        signature.New("series", `key, frequency="daily"`),
	"table":         signature.New("table", "name, columns"),
	"weights":       signature.New("weights", "key"),
}

const inputsAttribute = "inputs"

var contextList = slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(methods)), inputsAttribute)))

func newContext(c sandbox.Call, w *window) *analyst {
	x := &analyst{caller: c.Caller, inputs: script.InputsValue(c.Inputs), window: w, sheet: &sheet{}}
	x.methods = map[string]starlark.Value{
		"contributions": starlark.NewBuiltin("contributions", x.held),
		"dates":         starlark.NewBuiltin("dates", x.dates),
		"factors":       starlark.NewBuiltin("factors", x.factors),
		"figure":        starlark.NewBuiltin("figure", x.figure),
		"ledger":        starlark.NewBuiltin("ledger", x.ledger),
		"log":           starlark.NewBuiltin("log", x.log),
		"panel":         starlark.NewBuiltin("panel", x.panel),
		"scalar":        starlark.NewBuiltin("scalar", x.scalar),
		"series":        starlark.NewBuiltin("series", x.series),
		"table":         starlark.NewBuiltin("table", x.table),
		"weights":       starlark.NewBuiltin("weights", x.held),
	}
	return x
}

func (x *analyst) String() string        { return "ctx" }
func (x *analyst) Type() string          { return "context" }
func (x *analyst) Freeze()               {}
func (x *analyst) Truth() starlark.Bool  { return true }
func (x *analyst) Hash() (uint32, error) { return 0, errors.New("unhashable type: context") }
func (x *analyst) AttrNames() []string   { return contextList }

// Attr returns the inputs or a method.
func (x *analyst) Attr(name string) (starlark.Value, error) {
	if name == inputsAttribute {
		return x.inputs, nil
	}
	return x.methods[name], nil // nil if there is none
}

// Analyze carries out a function of the harness and returns its main table.
func (x *analyst) Analyze(name string, values []starlark.Value) (starlark.Value, error) {
	a := argumentsOf(name, values)
	op := operations[name](a)
	if err := a.err(); err != nil {
		return nil, err
	}
	table, err := op.run(x.window, x.sheet)
	if err != nil {
		return nil, x.noted(name, err)
	}
	return x.sheet.value(table), nil
}

// noted remembers whether an error is about the data, and adds the function's name.
func (x *analyst) noted(name string, err error) error {
	x.data = isAboutData(err)
	var run *script.RunError
	if errors.As(err, &run) {
		err = errors.New(run.Message)
	}
	return &namedError{name, err}
}

// namedError is an error of a function.
type namedError struct {
	function string
	err      error
}

func (e *namedError) Error() string { return e.function + ": " + e.err.Error() }
func (e *namedError) Unwrap() error { return e.err }

// explained gives an error of the script its type.
func (x *analyst) explained(err error) error {
	var run *script.RunError
	if x.data && errors.As(err, &run) && run.Type == script.ScriptError {
		run.Type = script.DataError
	}
	return err
}
