package console

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"ballast/script"
	"ballast/script/harness"
)

// Call is how a program of a kind is made by calling one function of the harness.
type Call struct {
	Field     string   // what the REST interface calls the function: rule or kind
	Title     string   // the same in words
	Functions []string // their names, sorted
	Inputs    []script.Property
	// Source writes the script that calls a function. Its faults name what is wrong in the
	// fields arguments and inputs.
	Source func(ctx context.Context, function string, arguments, inputs map[string]any) (string, error)
}

// call is the form that makes a program by calling one function.
type call struct {
	*Call
	Function  string
	Arguments []callField
	Settings  []inputField // the inputs of every program of the kind
	Universe  string       // one member on each line
	// Follows tells that the universe follows from the arguments.
	Follows bool
}

// callField is an argument of the function.
type callField struct {
	Name, Value, Help string
	Required          bool
}

// callOf returns the form of a kind with the values of a posted form.
func (k *Kind) callOf(r *request) *call {
	f := &call{Call: k.Call, Function: k.Call.Functions[0], Follows: k.Call.Field == "kind"}
	if name := cmp.Or(r.PostForm.Get("function"), r.URL.Query().Get("function")); slices.Contains(k.Call.Functions, name) {
		f.Function = name
	}
	for _, p := range harness.SignatureIn(k.Name, f.Function).Parameters[1:] {
		field := callField{Name: p.Name, Value: strings.TrimSpace(r.text("argument." + p.Name)), Required: p.Default == nil}
		if p.Default != nil && p.Default.String() != "None" {
			field.Help = "by default " + p.Default.String()
		}
		f.Arguments = append(f.Arguments, field)
	}
	f.Universe = r.text("universe")
	for _, p := range k.Call.Inputs {
		own := property{Name: p.Name, Type: p.Type, Title: p.Title, Description: p.Description, Default: p.Default, Minimum: p.Minimum, Maximum: p.Maximum, Enum: p.Enum, Format: p.Format, Role: p.Role, Unit: p.Unit}
		field := own.field(p.Default)
		field.Value = cmp.Or(r.text("input."+p.Name), field.Value)
		f.Settings = append(f.Settings, field)
	}
	return f
}

// source returns the script that the form describes; "" before it is complete.
func (f *call) source(ctx context.Context) (string, error) {
	arguments, inputs := map[string]any{}, map[string]any{}
	for _, a := range f.Arguments {
		if a.Value != "" {
			arguments[a.Name] = literal(a.Value)
		}
	}
	if !f.Follows && strings.TrimSpace(f.Universe) != "" {
		universe := property{Name: script.UniverseInput, Type: "array"}
		inputs[script.UniverseInput] = universe.valueOf(f.Universe)
	}
	for i := range f.Settings {
		s := &f.Settings[i]
		if s.Value != "" && s.Value != textOf(s.Default) {
			inputs[s.Name] = s.valueOf(s.Value)
		}
	}
	return f.Source(ctx, f.Function, arguments, inputs)
}

// literal reads an argument: JSON, several texts separated by commas, or a text.
func literal(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) == nil {
		return v
	}
	if !strings.Contains(text, ",") {
		return text
	}
	list := []any{}
	for _, part := range labelsOf(text) {
		list = append(list, part)
	}
	return list
}
