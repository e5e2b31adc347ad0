package analysis

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"go.starlark.net/starlark"

	"ballast/internal/fault"
	"ballast/internal/nearest"
	"ballast/script"
	"ballast/script/harness"
)

// SourceOf writes the script that calls one function of the harness with arguments. Its
// universe are the members that the arguments name, less columns of series, which
// isSeries tells: they become the input series. inputs are values of the other inputs of
// an analysis. Details name what is wrong, in the fields kind, arguments and inputs.
func SourceOf(function string, arguments, inputs map[string]any, isSeries func(key string) bool) (string, []fault.Detail) {
	if !harness.OfKind(Kind.Name, function) {
		return "", []fault.Detail{{Field: "kind", Message: fmt.Sprintf("%q is not a kind of analysis", function), Accepted: Functions(), Suggestion: nearest.Match(function, Functions())}}
	}
	parameters := harness.SignatureIn(Kind.Name, function).Parameters[1:]
	values := make([]starlark.Value, len(parameters))
	complete := true
	for i, p := range parameters {
		v, given := arguments[p.Name]
		if values[i] = p.Default; given {
			values[i] = valueOf(v)
		}
		complete = complete && values[i] != nil
	}
	inputs = maps.Clone(inputs)
	if inputs == nil {
		inputs = map[string]any{}
	}
	var details []fault.Detail
	if _, given := inputs[script.UniverseInput]; given {
		details = append(details, fault.Detail{Field: "inputs." + script.UniverseInput, Message: "follows from the arguments: leave it out"})
	}
	if _, given := inputs[seriesInput]; given {
		details = append(details, fault.Detail{Field: "inputs." + seriesInput, Message: "follows from the arguments: leave it out"})
	}
	inputs[script.UniverseInput] = []any{}
	if complete {
		a := argumentsOf(function, values)
		op := operations[function](a)
		for _, p := range a.problems {
			p.Field = "arguments." + p.Field
			details = append(details, p)
		}
		members, columns := []any{}, []any{}
		for _, key := range op.members() {
			if isSeries(key) {
				columns = append(columns, key)
			} else {
				members = append(members, key)
			}
		}
		if len(members) == 0 && len(details) == 0 {
			details = append(details, fault.Detail{Field: "arguments", Message: "name columns of series alone", Accepted: []string{"at least one asset or model among the members"}})
		}
		inputs[script.UniverseInput] = members
		if len(columns) > 0 {
			inputs[seriesInput] = columns
		}
	}
	source, wrong := Kind.CallSource(function, arguments, inputs)
	if details = append(details, wrong...); len(details) > 0 {
		return "", details
	}
	return source, nil
}

// valueOf converts a value of JSON to one of a script.
func valueOf(v any) starlark.Value {
	switch v := v.(type) {
	case bool:
		return starlark.Bool(v)
	case string:
		return starlark.String(v)
	case float64:
		return starlark.Float(v)
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return starlark.None
		}
		return starlark.Float(f)
	case []any:
		list := make([]starlark.Value, len(v))
		for i, x := range v {
			list[i] = valueOf(x)
		}
		return starlark.NewList(list)
	case map[string]any:
		d := starlark.NewDict(len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			// A string is hashable and the dictionary is not frozen, so SetKey cannot fail.
			_ = d.SetKey(starlark.String(key), valueOf(v[key]))
		}
		return d
	}
	return starlark.None
}
