package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"
)

// cmdStrange tries every operation of the document that names a thing of an
// account on another's, and wants it not to be there. What a thing is called
// comes from NAME=VALUE for each path or query parameter; an operation whose
// parameters have no value is not tried.
func cmdStrange(ts *testscript.TestScript, _ bool, args []string) {
	s := stateOf(ts)
	values := map[string]string{}
	for _, a := range args {
		name, value, ok := strings.Cut(a, "=")
		if !ok {
			ts.Fatalf("usage: strange NAME=VALUE...")
		}
		values[name] = value
	}
	tried := 0
	for _, template := range sortedNames(s.paths) {
		item := s.paths[template].(map[string]any)
		for _, method := range sortedNames(item) {
			operation, ok := item[method].(map[string]any)
			if !ok || !strings.HasPrefix(template, "/v1/") {
				continue
			}
			target, named := targetOf(template, operation, values)
			if !named {
				continue
			}
			tried++
			headers := http.Header{"Authorization": {"Bearer " + ts.Getenv("KEY")}}
			body := s.smallest(operation)
			if body != "" {
				headers.Set("Content-Type", "application/json")
			}
			status, head, err := s.send(strings.ToUpper(method), target, body, headers)
			ts.Check(err)
			if status != http.StatusNotFound || gjson.Get(s.last, "error.type").String() != "not_found" {
				ts.Fatalf("%s %s answers %d: %s", strings.ToUpper(method), target, status, s.last)
			}
			ts.Check(s.validate(strings.ToUpper(method), target, status, head))
		}
	}
	if tried < 10 {
		ts.Fatalf("only %d operations were tried", tried)
	}
	ts.Logf("%d operations were tried", tried)
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// targetOf fills in an operation's parameters; it reports whether any was named.
func targetOf(template string, operation map[string]any, values map[string]string) (string, bool) {
	target, query, named := template, []string{}, false
	parameters, _ := operation["parameters"].([]any)
	for _, p := range parameters {
		p := p.(map[string]any)
		name, _ := p["name"].(string)
		value, known := values[name]
		switch required, _ := p["required"].(bool); {
		case p["in"] == "path" && known:
			target, named = strings.Replace(target, "{"+name+"}", value, 1), true
		case p["in"] == "path":
			return "", false
		case p["in"] == "query" && required && known:
			query, named = append(query, name+"="+value), true
		case p["in"] == "query" && required:
			return "", false
		}
	}
	if len(query) > 0 {
		target += "?" + strings.Join(query, "&")
	}
	return target, named
}

// smallest is the least body that an operation takes, "" where it takes none.
func (s *state) smallest(operation map[string]any) string {
	requestBody, _ := operation["requestBody"].(map[string]any)
	if requestBody == nil {
		return ""
	}
	schema := requestBody["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
	if ref, ok := schema["$ref"].(string); ok {
		schema = s.schemas[ref[strings.LastIndexByte(ref, '/')+1:]].(map[string]any)
	}
	fields := map[string]any{}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		property, _ := schema["properties"].(map[string]any)[name.(string)].(map[string]any)
		switch property["type"] {
		case "integer", "number":
			fields[name.(string)] = 1
		case "boolean":
			fields[name.(string)] = false
		case "array":
			fields[name.(string)] = []any{}
		case "object":
			fields[name.(string)] = map[string]any{}
		default:
			fields[name.(string)] = "x"
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return "{}"
	}
	return string(text)
}
