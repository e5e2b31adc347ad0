package web

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"ballast/api/transport"
	"ballast/internal/fault"
)

//go:embed reference.html
var referenceTemplate string

//go:embed reference.css
var referenceStyle string

// referencePage is the data of the page's template.
type referencePage struct {
	Title, Version, Description string
	Service                     string // version of the service; "" if unknown
	Style                       template.CSS
	Sections                    []referenceSection
	Schemas                     []referenceSchema
	Errors                      []ErrorRow
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
	Errors                                 []ErrorRow
	Curl                                   string
	Sent, Got                              string // an example; "" if there is none
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

// referenceType describes a type; the part in the middle links to a schema.
type referenceType struct{ Before, Schema, After string }

// Reference is what the reference page is rendered from.
type Reference struct {
	Document *huma.OpenAPI      // each operation's metadata has its faults under FaultsKey
	Version  string             // version of the service; "" if unknown
	Errors   []ErrorRow         // the table of errors, in the page's order
	Examples map[string]Example // by operation id
}

// FaultsKey is the key of an operation's faults, a []fault.Type, in its metadata.
const FaultsKey = "faults"

// ErrorRow is a row of the table of errors.
type ErrorRow struct {
	Type    fault.Type
	Status  int
	Meaning string
}

// Example is a recorded call of an operation and the service's response.
type Example struct {
	Target string          `json:"target"` // path and query
	Body   json.RawMessage `json:"body"`
	Status int             `json:"status"`
	Answer json.RawMessage `json:"answer"`
}

// ShowReference says what the page at /docs is rendered from when it is first read.
func (s *Site) ShowReference(r Reference) {
	s.reference = sync.OnceValues(func() (addressed, error) {
		page, err := r.render()
		if err != nil {
			return nil, fmt.Errorf("render the reference page: %w", err)
		}
		return newAddressed(page), nil
	})
}

// render renders the reference page.
func (r Reference) render() ([]byte, error) {
	document := r.Document
	page := referencePage{
		Title: document.Info.Title, Version: document.Info.Version, Description: document.Info.Description, Service: r.Version,
		Style: template.CSS(referenceStyle), Errors: r.Errors, Guides: guideGroups, //nolint:gosec // our own style sheet
	}
	for _, tag := range document.Tags {
		section := referenceSection{Name: tag.Name, Anchor: anchor(tag.Name), Description: tag.Description}
		for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
			for _, operation := range transport.Operations(document.Paths[path]) {
				if slices.Contains(operation.Tags, tag.Name) {
					section.Operations = append(section.Operations, r.operation(operation))
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

func (r Reference) operation(o *huma.Operation) referenceOperation {
	e := r.Examples[o.OperationID]
	shown := referenceOperation{
		ID: o.OperationID, Method: o.Method, Path: o.Path, Summary: o.Summary, Description: o.Description, Curl: curl(o, e), Sent: indented(e.Body), Got: indented(e.Answer),
	}
	for _, p := range o.Parameters {
		f := fieldOf(p.Name, p.Schema)
		f.In, f.Required, f.Description = p.In, p.Required, p.Description
		shown.Parameters = append(shown.Parameters, f)
	}
	if o.RequestBody != nil {
		shown.Body, shown.BodyRequired = fieldsOf(transport.Resolve(r.Document.Components.Schemas, o.RequestBody.Content["application/json"].Schema)), o.RequestBody.Required
	}
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		answer := o.Responses[status]
		if status >= "400" {
			continue
		}
		a := referenceAnswer{Status: status, Description: answer.Description}
		if media := firstMedia(answer.Content); media != nil {
			a.Type = typeOf(media.Schema)
		}
		shown.Answers = append(shown.Answers, a)
	}
	faults, _ := o.Metadata[FaultsKey].([]fault.Type)
	for _, row := range r.Errors {
		if slices.Contains(faults, row.Type) {
			shown.Errors = append(shown.Errors, row)
		}
	}
	return shown
}

// firstMedia returns the JSON form of a response, or else the first of its other
// formats. It returns nil if the response has no body.
func firstMedia(content map[string]*huma.MediaType) *huma.MediaType {
	if media := content[transport.MediaJSON]; media != nil {
		return media
	}
	for _, name := range slices.Sorted(maps.Keys(content)) {
		return content[name]
	}
	return nil
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
		// Encoded as JSON, because huma gives some defaults as pointers.
		text, err := json.Marshal(schema.Default)
		if err == nil {
			f.Default = strings.Trim(string(text), "[]\"")
		}
	}
	return f
}

// typeOf describes a schema's type in words.
func typeOf(schema *huma.Schema) referenceType {
	switch {
	case schema == nil:
		return referenceType{}
	case schema.Ref != "":
		return referenceType{Schema: path.Base(schema.Ref)}
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

// longestInline is the longest body that is shown in a command line.
const longestInline = 160 // bytes

// curl returns a command that works with the reader's own key and names.
func curl(o *huma.Operation, e Example) string {
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

// indented formats JSON; it returns "" if there is none.
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
