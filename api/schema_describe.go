package api

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// property is what the document says about a field in addition to its type.
type property struct {
	text   string
	format string
	enum   []any
}

// describeProperties adds descriptions to the fields of schemas. It fails if a
// described field or type is not in the document, so that nobody can rename a field
// and lose its description unnoticed.
func describeProperties(r huma.Registry, described map[reflect.Type]map[string]property) error {
	used := map[reflect.Type]bool{}
	for name, schema := range r.Map() {
		if err := describeFields(schema, r.TypeFromRef(schemaPrefix+name), described, used); err != nil {
			return err
		}
	}
	for t := range described {
		if !used[t] {
			return fmt.Errorf("the document has no schema of %s, which api/schema_properties.go describes", t)
		}
	}
	return nil
}

func describeFields(schema *huma.Schema, t reflect.Type, described map[reflect.Type]map[string]property, used map[reflect.Type]bool) error {
	for i := range t.NumField() {
		field := t.Field(i)
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); !field.Anonymous || name != "" {
			continue
		}
		embedded := field.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		if err := describeFields(schema, embedded, described, used); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(described[t])) {
		field := schema.Properties[name]
		if field == nil {
			return fmt.Errorf("the schema of %s has no property %s, which api/schema_properties.go describes", t, name)
		}
		described[t][name].describe(field)
	}
	used[t] = true
	return nil
}

func (p property) describe(schema *huma.Schema) {
	if p.text != "" {
		schema.Description = p.text
	}
	if p.format != "" {
		schema.Format = p.format
	}
	if p.enum != nil {
		schema.Enum = slices.Clone(p.enum) // null may be appended
	}
}
