package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/api/transport"
	"ballast/internal/fault"
)

//go:embed web/reference.html
var referenceTemplate string

//go:embed web/reference.css
var referenceStyle string

// reference is what the page shows.
type reference struct {
	Title, Version, Description string
	Service                     string // version of the service, "" where unknown
	Style                       template.CSS
	Sections                    []referenceSection
	Schemas                     []referenceSchema
	Errors                      []refusal
	Guides                      []guideGroup
}

type referenceSection struct {
	Name, Anchor, Description string
	Operations                []referenceOperation
}

type referenceOperation struct {
	ID, Method, Path, Summary, Description string
	Parameters                             []referenceField
	Body                                   []referenceField
	BodyRequired                           bool
	Answers                                []referenceAnswer
	Errors                                 []refusal
	Curl                                   string
	Sent, Got                              string // an example, "" without
}

type referenceAnswer struct {
	Status      string
	Description string
	Type        referenceType
}

type referenceSchema struct {
	Name   string
	Fields []referenceField
}

type referenceField struct {
	Name, In    string
	Type        referenceType
	Required    bool
	Default     string
	Values      []string
	Description string
}

// referenceType is a type in words; the part in the middle links to a schema.
type referenceType struct{ Before, Schema, After string }

// renderReference makes the reference page from the document.
func (s *Server) renderReference(examples map[string]example) ([]byte, error) {
	document := s.api.OpenAPI()
	page := reference{
		Title: document.Info.Title, Version: document.Info.Version, Description: document.Info.Description, Service: s.Version,
		Style: template.CSS(referenceStyle), Errors: refusals, Guides: guideGroups, //nolint:gosec // our own style sheet
	}
	for _, tag := range document.Tags {
		section := referenceSection{Name: tag.Name, Anchor: anchor(tag.Name), Description: tag.Description}
		for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
			for _, operation := range operationsOf(document.Paths[path]) {
				if slices.Contains(operation.Tags, tag.Name) {
					section.Operations = append(section.Operations, s.referenceOperation(operation, examples[operation.OperationID]))
				}
			}
		}
		page.Sections = append(page.Sections, section)
	}
	schemas := document.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		page.Schemas = append(page.Schemas, referenceSchema{name, fieldsOf(schemas[name])})
	}
	parsed, err := template.New("reference").Funcs(template.FuncMap{"paragraphs": paragraphs, "prose": prose}).Parse(referenceTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := parsed.Execute(&out, page); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func operationsOf(item *huma.PathItem) []*huma.Operation {
	var out []*huma.Operation
	for _, o := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
		if o != nil {
			out = append(out, o)
		}
	}
	return out
}

func (s *Server) referenceOperation(o *huma.Operation, e example) referenceOperation {
	r := referenceOperation{
		ID: o.OperationID, Method: o.Method, Path: o.Path, Summary: o.Summary, Description: o.Description, Curl: s.curl(o, e), Sent: indented(e.Body), Got: indented(e.Answer),
	}
	for _, p := range o.Parameters {
		f := fieldOf(p.Name, p.Schema)
		f.In, f.Required, f.Description = p.In, p.Required, p.Description
		r.Parameters = append(r.Parameters, f)
	}
	if o.RequestBody != nil {
		r.Body, r.BodyRequired = fieldsOf(transport.Resolve(s.documentSchemas(), o.RequestBody.Content["application/json"].Schema)), o.RequestBody.Required
	}
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		answer := o.Responses[status]
		if status >= "400" {
			continue
		}
		a := referenceAnswer{Status: status, Description: answer.Description}
		for _, media := range answer.Content {
			a.Type = typeOf(media.Schema)
		}
		r.Answers = append(r.Answers, a)
	}
	faults, _ := o.Metadata["faults"].([]fault.Type)
	for _, row := range refusals {
		if slices.Contains(faults, row.Type) {
			r.Errors = append(r.Errors, row)
		}
	}
	return r
}

func fieldsOf(schema *huma.Schema) []referenceField {
	var out []referenceField
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		f := fieldOf(name, schema.Properties[name])
		f.Required = slices.Contains(schema.Required, name)
		out = append(out, f)
	}
	return out
}

func fieldOf(name string, schema *huma.Schema) referenceField {
	f := referenceField{Name: name, Type: typeOf(schema), Description: schema.Description}
	values := schema.Enum
	if schema.Items != nil {
		values = schema.Items.Enum
	}
	for _, v := range values {
		if v != nil {
			f.Values = append(f.Values, fmt.Sprint(v))
		}
	}
	if schema.Default != nil {
		// As JSON: huma gives some defaults as pointers.
		text, err := json.Marshal(schema.Default)
		if err == nil {
			f.Default = strings.Trim(string(text), "[]\"")
		}
	}
	return f
}

// typeOf says a schema's type in words.
func typeOf(schema *huma.Schema) referenceType {
	switch {
	case schema == nil:
		return referenceType{}
	case schema.Ref != "":
		return referenceType{Schema: strings.TrimPrefix(schema.Ref, schemaPrefix)}
	case transport.DayFormat(schema) != "" && len(schema.AnyOf) > 0:
		return typeOf(schema.AnyOf[0])
	case len(schema.AnyOf) > 0:
		t := typeOf(schema.AnyOf[0])
		t.After += " or null"
		return t
	case schema.Type == huma.TypeArray:
		t := typeOf(schema.Items)
		t.Before = "list of " + t.Before
		return nullable(t, schema)
	}
	if values, ok := schema.AdditionalProperties.(*huma.Schema); ok {
		t := typeOf(values)
		t.Before = "map to " + t.Before
		return nullable(t, schema)
	}
	name := schema.Type
	switch {
	case schema.Type == "":
		name = "any JSON"
	case schema.Format == "date", schema.Format == "date-time":
		name = schema.Format
	}
	return nullable(referenceType{Before: name + transport.Bounds(schema)}, schema)
}

func nullable(t referenceType, schema *huma.Schema) referenceType {
	if schema.Nullable {
		t.After += " or null"
	}
	return t
}

// longestInline is the longest body that stands in a command line.
const longestInline = 160 // bytes

// curl is a line that works once the key and the names in it are the reader's.
func (s *Server) curl(o *huma.Operation, e example) string {
	target := e.Target
	if target == "" {
		target = strings.NewReplacer("{model}", "SIXTY40", "{run_id}", "run_…", "{asset}", "SPY").Replace(o.Path)
	}
	line := "curl"
	if o.Method != http.MethodGet {
		line += " -X " + o.Method
	}
	if len(o.Security) > 0 {
		line += ` -H "Authorization: Bearer $BALLAST_KEY"`
	}
	if e.Body != nil {
		var body bytes.Buffer
		if json.Compact(&body, e.Body) != nil || body.Len() > longestInline || bytes.ContainsRune(body.Bytes(), '\'') {
			body.Reset()
			body.WriteString("@body.json")
		}
		line += " \\\n  -H 'Content-Type: application/json' -d '" + body.String() + "'"
	}
	return line + " \\\n  '" + exampleOrigin + target + "'"
}

// indented lays JSON out, "" where there is none.
func indented(value json.RawMessage) string {
	var out bytes.Buffer
	if json.Indent(&out, value, "", "  ") != nil {
		return ""
	}
	return out.String()
}

func anchor(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

func paragraphs(text string) []string { return strings.Split(text, "\n\n") }

// prose turns `code` in a text into code elements.
func prose(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			b.WriteString("<code>" + template.HTMLEscapeString(part) + "</code>")
		} else {
			b.WriteString(template.HTMLEscapeString(part))
		}
	}
	return template.HTML(b.String()) //nolint:gosec // every part is escaped
}
