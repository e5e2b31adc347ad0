package api

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/internal/number"
	"ballast/timeseries"
)

// schemaPrefix begins references to schemas in the document.
const schemaPrefix = "#/components/schemas/"

// newRegistry creates the document's schemas, with the wire form of numbers and
// dates, which their Go types do not show.
func newRegistry() huma.Registry {
	r := huma.NewMapRegistry(schemaPrefix, schemaName)
	r.RegisterTypeAlias(reflect.TypeFor[number.Float](), reflect.TypeFor[nullableNumber]())
	r.RegisterTypeAlias(reflect.TypeFor[number.Floats](), reflect.TypeFor[[]nullableNumber]())
	r.RegisterTypeAlias(reflect.TypeFor[timeseries.Date](), reflect.TypeFor[dateText]())
	return r
}

// nullableNumber stands for number.Float in schemas.
type nullableNumber struct{}

// Schema implements huma.SchemaProvider.
func (nullableNumber) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Format: "double", Nullable: true}
}

// dateText stands for timeseries.Date in schemas.
type dateText struct{}

// Schema implements huma.SchemaProvider.
func (dateText) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date"}
}

// schemaName names a type in the document: without Body, pages as what they list
// followed by Page, and the parts of the metrics block and of optimizers with the
// prefixes Metrics and Optimizer.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := strings.ReplaceAll(huma.DefaultSchemaNamer(t, hint), "Body", "")
	if listed, ok := strings.CutPrefix(name, "Page"); ok && listed != "" {
		return listed + "Page"
	}
	switch t.PkgPath() {
	case "ballast/metrics":
		return "Metrics" + strings.TrimPrefix(name, "Block")
	case "ballast/optimize/optimizer":
		return "Optimizer" + name
	}
	return name
}

// tellNulls corrects huma's handling of null: a pointer that is always present may be
// null, and a slice is never null unless its field says so.
func tellNulls(r huma.Registry) {
	for name, schema := range r.Map() {
		tellFieldNulls(schema, r.TypeFromRef(schemaPrefix+name))
	}
}

func tellFieldNulls(schema *huma.Schema, t reflect.Type) {
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		if field.Anonymous && name == "" {
			tellFieldNulls(schema, field.Type)
			continue
		}
		if property := schema.Properties[name]; property != nil {
			optional := strings.Contains(tag, "omitempty")
			tellNull(property, field.Type, optional, field.Tag.Get("nullable") == "true")
		}
	}
}

func tellNull(schema *huma.Schema, t reflect.Type, optional, nullable bool) {
	switch t.Kind() {
	case reflect.Pointer:
		if !optional {
			allowNull(schema)
		}
	case reflect.Slice, reflect.Array:
		if schema.Type != huma.TypeArray {
			return
		}
		schema.Nullable = nullable
		tellNull(schema.Items, t.Elem(), true, false) // elements are always present
	case reflect.Map:
		if values, ok := schema.AdditionalProperties.(*huma.Schema); ok {
			tellNull(values, t.Elem(), true, false)
		}
	}
	if schema.Nullable {
		allowNull(schema)
	}
}

// allowNull lets a schema accept null. One without a type accepts it anyway.
func allowNull(schema *huma.Schema) {
	switch {
	case schema.Ref != "":
		schema.AnyOf = []*huma.Schema{{Ref: schema.Ref}, {Type: "null"}}
		schema.Ref = ""
	case schema.Type != "":
		schema.Nullable = true
	}
	if len(schema.Enum) > 0 && schema.Enum[len(schema.Enum)-1] != nil {
		schema.Enum = append(schema.Enum, nil)
	}
}
