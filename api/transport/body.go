package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"ballast/internal/fault"
)

// MaxBody is the largest size of a request body, in bytes.
const MaxBody = 1 << 20

// RefuseBody refuses the body of a request whose operation takes none.
func RefuseBody(r *http.Request) error {
	if n, _ := io.ReadFull(r.Body, make([]byte, 1)); n > 0 {
		return fault.New(fault.InvalidBody, "This operation takes no body. Send the request without one.").
			With(fault.Detail{Location: "body", Message: "is not accepted here"})
	}
	r.Body = http.NoBody
	return nil
}

// ReadBody reads a body within its limits of size and time. It does not read a body
// whose Content-Length is too large.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	tooLarge := &http.MaxBytesError{Limit: MaxBody}
	if r.ContentLength > MaxBody {
		return nil, errTooLarge(tooLarge)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	switch {
	case err == nil:
		bodyRead(w)
		return body, nil
	case errors.As(err, &tooLarge):
		return nil, errTooLarge(tooLarge)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fault.New(fault.MalformedRequest, "The body did not arrive within %v. Send it again, faster or in a smaller request.", bodyTime).Wrap(err)
	}
	return nil, fault.New(fault.MalformedRequest, "The body ended before Content-Length was reached. Send it again.").Wrap(err)
}

func errTooLarge(e *http.MaxBytesError) error {
	return fault.New(fault.PayloadTooLarge, "The body is larger than %d bytes. Send a smaller one.", e.Limit)
}

// CheckBody checks a body against its schema and returns it in the form that the
// operation decodes: integers as Go writes them, because 4.0 and 4e2 are integers in
// JSON Schema, and null for optional dates that are empty.
func CheckBody(schemas huma.Registry, contentType string, body []byte, schema *huma.Schema, required bool) ([]byte, error) {
	blank := len(bytes.TrimSpace(body)) == 0
	if blank && !required {
		if len(body) > 0 {
			return nil, fault.New(fault.MalformedRequest, "The body is blank. Leave it out, or send a JSON object.")
		}
		return nil, nil
	}
	if contentType != "" {
		if name, _, err := mime.ParseMediaType(contentType); err != nil || name != "application/json" {
			return nil, fault.New(fault.UnsupportedMedia, "The body must be sent as application/json.").
				With(fault.Detail{Location: "header.Content-Type", Message: fmt.Sprintf("%q is not accepted", contentType), Accepted: []string{"application/json"}})
		}
	}
	schema = Resolve(schemas, schema)
	if err := boundedJSON(body); err != nil {
		return nil, err
	}
	var value any
	if err := decode(body, &value); err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fault.New(fault.InvalidBody, "The body must be a JSON object.").
			With(fault.Detail{Location: "body", Message: "is not an object", Accepted: slices.Sorted(maps.Keys(schema.Properties))})
	}
	for name, property := range schema.Properties {
		if object[name] == "" && DayFormat(property) != "" && !slices.Contains(schema.Required, name) {
			object[name] = nil
		}
	}
	if details := checkObject(schemas, schema, object); len(details) > 0 {
		return nil, fault.New(fault.InvalidBody, "The body is not valid for this operation. Details name each problem.").With(details...)
	}
	return json.Marshal(object)
}

// decode parses JSON; its error says where the JSON is malformed.
func decode(body []byte, into any) error {
	if !utf8.Valid(body) {
		return fault.New(fault.MalformedRequest, "The body is not UTF-8 text.")
	}
	err := json.Unmarshal(body, into)
	if err == nil {
		return nil
	}
	detail := fault.Detail{Location: "body", Message: err.Error()}
	if len(bytes.TrimSpace(body)) == 0 {
		detail.Message = "is empty"
	}
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		detail.Line, detail.Column = position(body, syntax.Offset)
	}
	return fault.New(fault.MalformedRequest, "The body is not valid JSON.").With(detail)
}

// position converts the number of bytes read before an error to the line and column
// of the last of them, from 1.
func position(body []byte, read int64) (line, column int) {
	at := int(min(max(read-1, 0), int64(len(body))))
	before := body[:at]
	line = bytes.Count(before, []byte{'\n'}) + 1
	return line, utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
}

// checkObject validates an object and translates huma's findings.
func checkObject(schemas huma.Registry, schema *huma.Schema, object map[string]any) []fault.Detail {
	accepted := slices.Sorted(maps.Keys(schema.Properties))
	var details []fault.Detail
	said := map[string]bool{} // locations
	// huma accepts field names in any case; this interface does not.
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if len(details) == maxDetails {
			return details
		}
		property := schema.Properties[name]
		switch {
		case property == nil:
			details = append(details, unknown("body."+name, name, "field", accepted))
		case object[name] == nil && slices.Contains(schema.Required, name):
			said["body."+name] = true
			details = append(details, fault.Detail{Location: "body." + name, Message: "is null, and is required"})
		}
	}
	var found huma.ValidateResult
	path := huma.NewPathBuffer([]byte("body"), 4)
	huma.Validate(schemas, schema, path, huma.ModeWriteToServer, object, &found)
	for _, err := range found.Errors {
		if len(details) == maxDetails {
			break
		}
		problem := new(huma.ErrorDetail)
		if !errors.As(err, &problem) {
			details = append(details, fault.Detail{Location: "body", Message: err.Error()})
			continue
		}
		switch {
		case said[problem.Location]:
		case problem.Message != validation.MsgUnexpectedProperty:
			details = append(details, translate(schema, problem))
		case strings.ContainsAny(strings.TrimPrefix(problem.Location, "body."), ".["):
			details = append(details, unknownWithin(schemas, schema, problem.Location))
		} // unknown fields of the object itself are reported above
	}
	return details
}

// element matches the location of a field in an object in a list.
var element = regexp.MustCompile(`^body\.(\w+)\[\d+\]\.(.+)$`)

// unknownWithin describes an unknown field of an object inside the body.
func unknownWithin(schemas huma.Registry, schema *huma.Schema, location string) fault.Detail {
	m := element.FindStringSubmatch(location)
	if m == nil || schema.Properties[m[1]] == nil || schema.Properties[m[1]].Items == nil {
		return fault.Detail{Location: location, Message: "is not a field"}
	}
	return unknown(location, m[2], "field", slices.Sorted(maps.Keys(Resolve(schemas, schema.Properties[m[1]].Items).Properties)))
}

var missingProperty = regexp.MustCompile(`^expected required property (\S+) to be present$`)

// translate rewords a finding of huma for this interface.
func translate(schema *huma.Schema, problem *huma.ErrorDetail) fault.Detail {
	d := fault.Detail{Location: problem.Location, Message: problem.Message}
	if m := missingProperty.FindStringSubmatch(problem.Message); m != nil {
		return fault.Detail{Location: problem.Location + "." + m[1], Message: "is required"}
	}
	property := schema.Properties[strings.TrimPrefix(problem.Location, "body.")]
	switch {
	case property == nil:
	case DayFormat(property) == "date":
		d.Message = "is not a date written YYYY-MM-DD"
	case DayFormat(property) == "date-time":
		d.Message = "is not a time with its zone, as in 2026-01-31T15:04:05Z"
	case len(property.Enum) > 0:
		for _, e := range property.Enum {
			if e != nil { // null means the same as leaving the field out
				d.Accepted = append(d.Accepted, fmt.Sprint(e))
			}
		}
		d.Suggestion = nearest(fmt.Sprint(problem.Value), d.Accepted)
	}
	return d
}

// Resolve follows a reference to its schema.
func Resolve(schemas huma.Registry, schema *huma.Schema) *huma.Schema {
	if schema.Ref != "" {
		return schemas.SchemaFromRef(schema.Ref)
	}
	return schema
}
