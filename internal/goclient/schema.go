package goclient

import (
	"encoding/json"
	"slices"
	"strings"
)

// schema is what the generator reads of a JSON Schema.
type schema struct {
	Ref         string             `json:"$ref"`
	Type        types              `json:"type"`
	Format      string             `json:"format"`
	Description string             `json:"description"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	Items       *schema            `json:"items"`
	Additional  either             `json:"additionalProperties"`
	AnyOf       []*schema          `json:"anyOf"`
}

// types are the types of a schema: one name or a list of names.
type types []string

// UnmarshalJSON implements json.Unmarshaler.
func (t *types) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		*t = []string{""}
		return json.Unmarshal(text, &(*t)[0])
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// either is a schema, or a boolean, which says nothing about types.
type either struct{ *schema }

// UnmarshalJSON implements json.Unmarshaler.
func (e *either) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		return nil
	}
	return json.Unmarshal(text, &e.schema)
}

// typeOf returns the Go type of a schema.
func (w *writer) typeOf(s *schema) string {
	if s == nil {
		return "any"
	}
	if s.Ref != "" {
		return component(s.Ref[strings.LastIndex(s.Ref, "/")+1:])
	}
	if len(s.AnyOf) == 2 { // an object or null
		for i, other := range s.AnyOf {
			if slices.Equal(other.Type, types{"null"}) {
				if of := w.typeOf(s.AnyOf[1-i]); plain(of) {
					return "*" + of
				}
			}
		}
	}
	known := slices.DeleteFunc(slices.Clone(s.Type), func(t string) bool { return t == "null" })
	if len(known) != 1 {
		return "any"
	}
	of := w.plainType(known[0], s)
	if len(known) < len(s.Type) && plain(of) {
		return "*" + of
	}
	return of
}

func (w *writer) plainType(name string, s *schema) string {
	switch name {
	case "string":
		if s.Format == "date-time" {
			return "time.Time"
		}
		return "string"
	case "integer":
		return "int64"
	case "number":
		return "float64"
	case "boolean":
		return "bool"
	case "array":
		return "[]" + w.typeOf(s.Items)
	}
	switch {
	case len(s.Properties) > 0:
		inner := writer{document: w.document}
		inner.fields(s)
		return inner.String()
	case s.Additional.schema != nil:
		return "map[string]" + w.typeOf(s.Additional.schema)
	}
	return "map[string]any"
}

// initialisms are words that Go writes in capitals.
var initialisms = map[string]string{"id": "ID", "ids": "IDs", "url": "URL", "sql": "SQL", "bps": "BPS", "isin": "ISIN", "json": "JSON"}

// component names the type of a schema. Error is the client's own type.
func component(name string) string {
	if name == "Error" {
		return "ErrorBody"
	}
	return exported(name)
}

// exported turns the name of a field, a schema or an operation into a Go name.
func exported(name string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' || r == '$' }) {
		if whole, ok := initialisms[word]; ok {
			out.WriteString(whole)
			continue
		}
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

// local turns the name of a path parameter into a Go name.
func local(name string) string {
	out := exported(name)
	return strings.ToLower(out[:1]) + out[1:]
}
