package script

import (
	"errors"
	"maps"
	"slices"

	"go.starlark.net/starlark"
)

// inputsValue is ctx.inputs. Its values are read by attribute or by key.
type inputsValue struct {
	values starlark.StringDict
	names  []string
}

var (
	_ starlark.HasAttrs = (*inputsValue)(nil)
	_ starlark.Mapping  = (*inputsValue)(nil)
)

func newInputsValue(in Inputs) *inputsValue {
	v := &inputsValue{values: make(starlark.StringDict, len(in.values)), names: slices.Sorted(maps.Keys(in.values))}
	for name, x := range in.values {
		v.values[name] = valueOf(x)
	}
	v.values.Freeze()
	return v
}

// InputsValue returns inputs as the value of ctx.inputs.
func InputsValue(in Inputs) starlark.Value { return newInputsValue(in) }

// valueOf converts a bound value into a value of the script.
func valueOf(x any) starlark.Value {
	switch x := x.(type) {
	case int64:
		return starlark.MakeInt64(x)
	case float64:
		return starlark.Float(x)
	case string:
		return starlark.String(x)
	case bool:
		return starlark.Bool(x)
	case []any:
		list := make([]starlark.Value, len(x))
		for i, e := range x {
			list[i] = valueOf(e)
		}
		return starlark.NewList(list)
	}
	return starlark.None
}

func (v *inputsValue) String() string        { return "ctx.inputs" }
func (v *inputsValue) Type() string          { return "inputs" }
func (v *inputsValue) Freeze()               {}
func (v *inputsValue) Truth() starlark.Bool  { return true }
func (v *inputsValue) Hash() (uint32, error) { return 0, errors.New("unhashable type: inputs") }
func (v *inputsValue) AttrNames() []string   { return v.names }

// Attr returns an input by name.
func (v *inputsValue) Attr(name string) (starlark.Value, error) { return v.values[name], nil }

// Get returns an input by key.
func (v *inputsValue) Get(key starlark.Value) (starlark.Value, bool, error) {
	name, _ := starlark.AsString(key)
	x, ok := v.values[name]
	return x, ok, nil
}
