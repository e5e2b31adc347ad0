package script

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The types of inputs.
const (
	typeNumber  = "number"
	typeInteger = "integer"
	typeString  = "string"
	typeBoolean = "boolean"
	typeArray   = "array"
)

// Schema describes a script's inputs: the declared ones in the script's order,
// then start_date and initial_cash, which every model has.
type Schema struct {
	Properties []Property
	broken     bool // INPUTS has problems, so inputs may be missing
}

// Property is one input.
type Property struct {
	Name        string
	Type        string // number, integer, string, boolean or array
	Title       string
	Description string
	Default     any // as Inputs.Map holds it
	Minimum     *float64
	Maximum     *float64
	Enum        []string // accepted strings, or nil
	Format      string   // "date", "series" or ""; a number with the format "series" may be a column instead
	Role        string   // primary, advanced or ""
	Unit        string
	Group       string
	Order       *int64
	Service     bool // added by the service rather than declared by the script
}

// The inputs that the service adds to every model.
const (
	startDateInput   = "start_date"
	initialCashInput = "initial_cash"
)

// UniverseInput is the input that names the members of a model.
const UniverseInput = "universe"

func serviceInputs() []Property {
	least := 1000.0
	return []Property{
		{
			Service: true, Name: startDateInput, Type: typeString, Format: "date", Title: "Start date", Role: "advanced",
			Description: "Nothing is traded before it; earlier prices still feed lookbacks. Empty means the full history. A run with a start date is a snapshot.",
		},
		{
			Service: true, Name: initialCashInput, Type: typeNumber, Default: 10000.0, Minimum: &least, Title: "Initial cash", Role: "advanced", Unit: "usd",
			Description: "The money that the model starts with.",
		},
	}
}

// Len returns the number of inputs, including those that the service adds.
func (s Schema) Len() int { return len(s.Properties) }

// Names returns the names of the inputs, in order.
func (s Schema) Names() []string {
	names := make([]string, len(s.Properties))
	for i := range s.Properties {
		names[i] = s.Properties[i].Name
	}
	return names
}

// Property returns the input called name.
func (s Schema) Property(name string) (*Property, bool) {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return &s.Properties[i], true
		}
	}
	return nil, false
}

// MarshalJSON encodes inputs_schema, with the properties in order.
func (s Schema) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	for i := range s.Properties {
		p := &s.Properties[i]
		text, err := json.Marshal(p)
		if err != nil {
			return nil, fmt.Errorf("encode input %s: %w", p.Name, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", p.Name, text)
	}
	b.WriteString(`},"additionalProperties":false}`)
	return b.Bytes(), nil
}

// MarshalJSON leaves out the keys that the property does not have. A default of
// null is included.
func (p *Property) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type        string   `json:"type"`
		Title       string   `json:"title,omitempty"`
		Description string   `json:"description,omitempty"`
		Default     any      `json:"default"`
		Minimum     *float64 `json:"minimum,omitempty"`
		Maximum     *float64 `json:"maximum,omitempty"`
		Enum        []string `json:"enum,omitempty"`
		Format      string   `json:"format,omitempty"`
		Role        string   `json:"role,omitempty"`
		Unit        string   `json:"unit,omitempty"`
		Group       string   `json:"group,omitempty"`
		Order       *int64   `json:"order,omitempty"`
	}{p.Type, p.Title, p.Description, p.Default, p.Minimum, p.Maximum, p.Enum, p.Format, p.Role, p.Unit, p.Group, p.Order})
}
