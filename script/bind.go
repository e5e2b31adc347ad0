package script

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"ballast/internal/fault"
	"ballast/script/dialect"
	"ballast/timeseries"
)

// Inputs are the input values of a run: one for each input of the schema.
type Inputs struct {
	values    map[string]any
	universe  []string
	isDefault bool
}

// WithoutBlanks returns values without the entries that a form sends for a
// blank field: null for an input that requires a value. An empty string for a
// date counts as null.
func (p *Script) WithoutBlanks(values map[string]any) map[string]any {
	given := make(map[string]any, len(values))
	for key, value := range values {
		property, known := p.Inputs.Property(key)
		if known && property.Format == "date" && value == "" {
			value = nil
		}
		if !known || value != nil || property.Default == nil {
			given[key] = value
		}
	}
	return given
}

// Bind gives every input its value: the one in values, or its default if values
// has none or a blank. It returns one detail for each key that is not an input
// and for each value that is not accepted, with what is accepted.
func (p *Script) Bind(values map[string]any) (Inputs, []fault.Detail) {
	values = p.WithoutBlanks(values)
	var details []fault.Detail
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if len(details) == dialect.MaxProblems {
			return Inputs{}, details
		}
		if _, ok := p.Inputs.Property(key); !ok {
			details = append(details, fault.Detail{
				Field: inputField(key), Message: "is not an input of this " + p.Kind.Name,
				Accepted: p.Inputs.Names(), Suggestion: near(key, p.Inputs.Names()),
			})
		}
	}
	in := Inputs{values: make(map[string]any, p.Inputs.Len()), universe: p.Universe, isDefault: true}
	for i := range p.Inputs.Properties {
		property := &p.Inputs.Properties[i]
		given, set := values[property.Name]
		if !set {
			in.values[property.Name] = property.Default
			continue
		}
		v, bad := property.accept(given)
		if bad == nil && property.Name == UniverseInput {
			var wrong []fault.Detail
			if in.universe, wrong = bindUniverse(v.([]any)); len(wrong) > 0 {
				details = append(details, wrong...)
				continue
			}
		}
		if bad != nil {
			details = append(details, fault.Detail{
				Field: inputField(property.Name), Message: bad.message, Accepted: bad.accepted, Suggestion: bad.suggestion,
			})
			continue
		}
		in.values[property.Name] = v
		in.isDefault = in.isDefault && reflect.DeepEqual(v, property.Default)
	}
	if len(details) == 0 && p.Kind.Refuse != nil {
		details = p.Kind.Refuse(in)
	}
	if len(details) > 0 {
		return Inputs{}, details
	}
	return in, nil
}

func inputField(key string) string { return "inputs." + key }

func bindUniverse(list []any) ([]string, []fault.Detail) {
	if len(list) == 0 {
		return nil, []fault.Detail{{Field: inputField(UniverseInput), Message: "is empty", Accepted: []string{"an array of 1 or more symbols"}}}
	}
	symbols := make([]string, len(list))
	var details []fault.Detail
	seen := make(map[string]bool, len(list))
	for i, v := range list {
		at := fmt.Sprintf("%s[%d]", inputField(UniverseInput), i)
		s, ok := v.(string)
		if !ok {
			details = append(details, fault.Detail{Field: at, Message: "is " + jsonKind(v), Accepted: []string{"a symbol"}})
			continue
		}
		if message := symbolProblem(s, seen); message != "" {
			details = append(details, fault.Detail{Field: at, Message: message})
		}
		seen[s] = true
		symbols[i] = s
	}
	return symbols, details
}

// IsDefault reports whether every value equals its default, whether or not it
// was given.
func (in Inputs) IsDefault() bool { return in.isDefault }

// Universe returns the members in order; the caller may keep and change it.
func (in Inputs) Universe() []string { return slices.Clone(in.universe) }

// StartDate returns the date before which nothing is traded, or NoDate if there
// is none.
func (in Inputs) StartDate() timeseries.Date {
	if s, ok := in.values[startDateInput].(string); ok {
		if d, err := timeseries.ParseDate(s); err == nil {
			return d
		}
	}
	return timeseries.NoDate
}

// InitialCash returns the cash that the model starts with, in units of
// currency.
func (in Inputs) InitialCash() float64 {
	v, _ := in.values[initialCashInput].(float64)
	return v
}

// Number returns the value of a numeric input.
func (in Inputs) Number(name string) float64 {
	v, _ := number(in.values[name])
	return v
}

// Text returns the value of an input of the type string, or "".
func (in Inputs) Text(name string) string {
	s, _ := in.values[name].(string)
	return s
}

// Numbers returns the value of an input that is an array of numbers; nil if it is
// null. It returns false if an element is not a number.
func (in Inputs) Numbers(name string) ([]float64, bool) {
	list, ok := in.values[name].([]any)
	if !ok {
		return nil, in.values[name] == nil
	}
	out := make([]float64, len(list))
	for i, v := range list {
		if out[i], ok = number(v); !ok {
			return nil, false
		}
	}
	return out, true
}

// Map returns every input with its value: int64, float64, string, bool, nil, or
// an []any of strings, numbers or booleans. The caller may change the map.
func (in Inputs) Map() map[string]any { return maps.Clone(in.values) }

// JSON returns every input with its value as an object with sorted keys, so
// that equal inputs give equal bytes.
func (in Inputs) JSON() json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(in.values); err != nil {
		panic(fmt.Sprintf("script: bound inputs do not encode: %v", err)) // accept returns only values that encode
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
