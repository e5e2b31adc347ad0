package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"ballast/internal/fault"
	"ballast/optimize/optimizer"
	"ballast/program/optimizers"
)

// optimizerFields are the fields of the form of an optimizer, as texts. What has no field
// of its own is in More, as the JSON of the REST interface.
type optimizerFields struct {
	Name, Objective, Target string
	Least, Most, Turnover   string // weights of every member without bounds of its own; all that is traded
	Fallback, Script, More  string
}

var errTrailing = errors.New("there is text behind the object")

// Objectives and Fallbacks are what can be chosen, for the template.
func (optimizerFields) Objectives() []string { return optimizer.Objectives }

// Fallbacks are what a script may get when no weights satisfy the limits.
func (optimizerFields) Fallbacks() []string { return optimizer.Fallbacks }

func newOptimizerFields() optimizerFields {
	return optimizerFields{Objective: optimizer.MinVariance, Least: "0", Most: "1", Fallback: optimizer.FallbackError}
}

// everyMember is the key of the bounds of members without bounds of their own.
const everyMember = "default"

// optimizerFieldsOf writes an optimizer into the form.
func optimizerFieldsOf(o *optimizers.Optimizer) (optimizerFields, error) {
	d := o.Definition
	f := optimizerFields{Name: o.Name, Objective: d.Objective, Fallback: d.Fallback, Script: d.Script}
	if d.Target != nil {
		f.Target = number(*d.Target)
	}
	if bounds, has := d.Bounds[everyMember]; has {
		f.Least, f.Most = number(bounds[0]), number(bounds[1])
	}
	if d.Turnover != nil {
		f.Turnover = number(d.Turnover.Max)
	}
	d.Bounds = maps.Clone(d.Bounds)
	delete(d.Bounds, everyMember)
	text, err := json.Marshal(d)
	if err != nil {
		return f, fmt.Errorf("encode the optimizer %s: %w", o.ID, err)
	}
	more := map[string]any{}
	if err := json.Unmarshal(text, &more); err != nil {
		return f, fmt.Errorf("decode the optimizer %s: %w", o.ID, err)
	}
	for _, name := range []string{"objective", "target", "turnover", "fallback", "script"} {
		delete(more, name)
	}
	maps.DeleteFunc(more, func(_ string, v any) bool {
		object, isObject := v.(map[string]any)
		list, isList := v.([]any)
		return v == nil || isObject && len(object) == 0 || isList && len(list) == 0
	})
	if len(more) == 0 {
		return f, nil
	}
	text, err = json.MarshalIndent(more, "", "  ")
	f.More = string(text)
	return f, err
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// postedOptimizer reads the form.
func postedOptimizer(r *request) optimizerFields {
	field := func(name string) string { return strings.TrimSpace(r.text(name)) }
	return optimizerFields{
		Name: field("name"), Objective: field("objective"), Target: field("target"), Least: field("least"), Most: field("most"), Turnover: field("turnover"),
		Fallback: field("fallback"), Script: strings.TrimLeft(r.text("script"), "\n"), More: field("more"),
	}
}

// definition returns what the fields say.
func (f *optimizerFields) definition() (optimizer.Definition, error) {
	var d optimizer.Definition
	var details []fault.Detail
	if f.More != "" {
		if err := decodeStrictly(f.More, &d); err != nil {
			details = append(details, fault.Detail{Field: "more", Message: "is not the JSON of an optimizer: " + err.Error()})
		}
	}
	d.Objective, d.Fallback, d.Script = f.Objective, f.Fallback, ""
	if d.Objective == optimizer.Scripted {
		d.Script = f.Script
	}
	read := func(name, text string, otherwise float64) float64 {
		if text == "" {
			return otherwise
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			details = append(details, fault.Detail{Field: name, Message: fmt.Sprintf("%q is not a number", text)})
		}
		return v
	}
	if f.Target != "" {
		target := read("target", f.Target, 0)
		d.Target = &target
	}
	if f.Least != "" || f.Most != "" {
		if d.Bounds == nil {
			d.Bounds = map[string]optimizer.Bounds{}
		}
		d.Bounds[everyMember] = optimizer.Bounds{read("bounds.default", f.Least, 0), read("bounds.default", f.Most, 1)}
	}
	if f.Turnover != "" {
		d.Turnover = &optimizer.Turnover{Max: read("turnover", f.Turnover, 0)}
	}
	if len(details) > 0 {
		return d, fault.New(fault.InvalidBody, "This is not a usable optimizer; details name each problem. Nothing was stored.").With(details...)
	}
	return d, nil
}
