package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"ballast/program"
	"ballast/script"
)

// property is an input as inputs_schema describes it.
type property struct {
	Name        string   `json:"-"`
	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Default     any      `json:"default"`
	Minimum     *float64 `json:"minimum"`
	Maximum     *float64 `json:"maximum"`
	Enum        []string `json:"enum"`
	Format      string   `json:"format"`
	Role        string   `json:"role"`
	Unit        string   `json:"unit"`
	Group       string   `json:"group"`
}

// propertiesOf reads the inputs of a schema, in its order.
func propertiesOf(schema json.RawMessage) ([]property, error) {
	if len(schema) == 0 {
		return nil, nil
	}
	var of struct {
		Properties json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(schema, &of); err != nil {
		return nil, fmt.Errorf("decode the schema of inputs: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(of.Properties))
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("decode the schema of inputs: %w", err)
	}
	var all []property
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("decode the schema of inputs: %w", err)
		}
		p := property{Name: fmt.Sprint(name)}
		if err := d.Decode(&p); err != nil {
			return nil, fmt.Errorf("decode the input %s: %w", p.Name, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// inputField is an input in a form.
type inputField struct {
	property
	Value   string // as the field shows it
	Checked bool   // of a switch
	Control string // number, text, date, choice, switch or lines
	Help    string // what is accepted
	Problem string
}

// Label is what a field is called.
func (p *property) Label() string {
	label := cmp.Or(p.Title, p.Name)
	if p.Unit != "" {
		label += ", " + p.Unit
	}
	return label
}

// field returns the control for an input with a value.
func (p *property) field(value any) inputField {
	f := inputField{property: *p, Value: textOf(value), Control: "text"}
	switch {
	case p.Type == "boolean":
		f.Control, f.Checked = "switch", value == true
	case p.Type == "array":
		f.Control = "lines"
	case len(p.Enum) > 0:
		f.Control = "choice"
	case p.Format == "date":
		f.Control = "date"
	case (p.Type == "number" || p.Type == "integer") && p.Format == "":
		f.Control = "number"
	}
	var help []string
	switch {
	case p.Minimum != nil && p.Maximum != nil:
		help = append(help, bound(*p.Minimum)+" to "+bound(*p.Maximum))
	case p.Minimum != nil:
		help = append(help, "at least "+bound(*p.Minimum))
	case p.Maximum != nil:
		help = append(help, "at most "+bound(*p.Maximum))
	}
	if text := textOf(p.Default); text != "" && f.Control != "lines" && f.Control != "switch" {
		help = append(help, "by default "+text)
	}
	f.Help = strings.Join(help, "; ")
	return f
}

// Step is the step of a field for numbers.
func (p *property) Step() string {
	if p.Type == "integer" {
		return "1"
	}
	return "any"
}

// Least and Most are the bounds of a field for numbers; "" for none.
func (p *property) Least() string { return boundOrNone(p.Minimum) }

// Most is the upper bound.
func (p *property) Most() string { return boundOrNone(p.Maximum) }

func boundOrNone(v *float64) string {
	if v == nil {
		return ""
	}
	return bound(*v)
}

func bound(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// textOf writes a value of an input as a form shows it, an array with a line for each
// element.
func textOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []any:
		lines := make([]string, len(v))
		for i, element := range v {
			lines[i] = textOf(element)
		}
		return strings.Join(lines, "\n")
	}
	return fmt.Sprint(value)
}

// valueOf reads an input from the text of its field. A number that cannot be read stays a
// text, which the service refuses in its own words.
func (p *property) valueOf(text string) any {
	text = strings.TrimSpace(text)
	switch p.Type {
	case "boolean":
		return text != ""
	case "number", "integer":
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			return v
		}
	case "array":
		elements := []any{}
		for line := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' || c == '\r' }) {
			if line = strings.TrimSpace(line); line != "" {
				elements = append(elements, p.element(line))
			}
		}
		return elements
	}
	return text
}

// element reads an element of an array. Members are texts, although some symbols are
// numbers.
func (p *property) element(line string) any {
	if v, err := strconv.ParseFloat(line, 64); err == nil && p.Name != script.UniverseInput {
		return v
	}
	return line
}

// inputText is an input of a run as text.
type inputText struct {
	Name, Label, Text string
	Default           bool // it has its default
}

// inputsOf returns the inputs of a run, in the order of its schema.
func inputsOf(run *program.Run) ([]inputText, error) {
	all, err := propertiesOf(run.InputsSchema)
	if err != nil {
		return nil, err
	}
	values, err := valuesOf(run)
	if err != nil {
		return nil, err
	}
	var out []inputText
	for _, p := range all {
		if v, has := values[p.Name]; has {
			out = append(out, inputText{p.Name, p.Label(), strings.ReplaceAll(textOf(v), "\n", ", "), reflect.DeepEqual(v, p.Default)})
		}
	}
	return out, nil
}

// valuesOf returns the inputs of a run by name.
func valuesOf(run *program.Run) (map[string]any, error) {
	values := map[string]any{}
	if len(run.Inputs) == 0 {
		return values, nil
	}
	if err := json.Unmarshal(run.Inputs, &values); err != nil {
		return nil, fmt.Errorf("decode the inputs of the run %s: %w", run.ID, err)
	}
	return values, nil
}

// fieldsOfInputs returns the fields of a form that starts with values, those for everybody
// before those that few people need.
func fieldsOfInputs(all []property, values map[string]any) []inputField {
	fields := make([]inputField, len(all))
	for i := range all {
		value, has := values[all[i].Name]
		if !has {
			value = all[i].Default
		}
		fields[i] = all[i].field(value)
	}
	slices.SortStableFunc(fields, func(a, b inputField) int { return cmp.Compare(rank(a.Role), rank(b.Role)) })
	return fields
}

func rank(role string) int { return slices.Index([]string{"primary", "", "advanced"}, role) }
