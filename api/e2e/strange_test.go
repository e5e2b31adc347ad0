package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"
)

// everybodys are the path parameters that name no account's own things.
var everybodys = []string{"asset", "table"}

// cmdStrange tries every operation of the document that names a thing of an
// account on another's, and wants it not to be there. What a thing is called
// comes from NAME=VALUE for each path parameter, so that no operation is
// forgotten, and for query parameters, each of which is tried by itself, too.
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
			targets, unnamed := targetsOf(template, operation, values)
			if unnamed != "" {
				ts.Fatalf("%s %s is not tried: name its %s", method, template, unnamed)
			}
			for _, target := range targets {
				tried++
				s.tryAsStranger(ts, strings.ToUpper(method), target, s.smallest(operation))
			}
		}
	}
	ts.Logf("%d requests were tried", tried)
}

// tryAsStranger wants a request to find nothing.
func (s *state) tryAsStranger(ts *testscript.TestScript, method, target, body string) {
	headers := http.Header{"Authorization": {"Bearer " + ts.Getenv("KEY")}}
	if body != "" {
		headers.Set("Content-Type", "application/json")
	}
	status, head, err := s.send(method, target, body, headers)
	ts.Check(err)
	if status != http.StatusNotFound || gjson.Get(s.last, "error.type").String() != "not_found" {
		ts.Fatalf("%s %s answers %d: %s", method, target, status, s.last)
	}
	ts.Check(s.validate(method, target, status, head))
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// targetsOf fills in an operation's parameters, the required ones and then each
// of the others by itself; none where it has none that names a thing. unnamed is
// a path parameter without a value.
func targetsOf(template string, operation map[string]any, values map[string]string) (targets []string, unnamed string) {
	path, required, named := template, []string{}, false
	var others []string
	parameters, _ := operation["parameters"].([]any)
	for _, p := range parameters {
		p := p.(map[string]any)
		name, _ := p["name"].(string)
		value, known := values[name]
		must, _ := p["required"].(bool)
		switch {
		case p["in"] == "path" && known:
			path, named = strings.Replace(path, "{"+name+"}", value, 1), true
		case p["in"] == "path" && slices.Contains(everybodys, name):
			return nil, ""
		case p["in"] == "path":
			return nil, name
		case p["in"] == "query" && known && must:
			required, named = append(required, name+"="+value), true
		case p["in"] == "query" && known:
			others = append(others, name+"="+value)
		}
	}
	if named {
		targets = append(targets, path+"?"+strings.Join(required, "&"))
	}
	for _, other := range others {
		targets = append(targets, path+"?"+strings.Join(append(slices.Clone(required), other), "&"))
	}
	return targets, ""
}

// smallest returns the smallest body that an operation accepts, or "" if it takes none.
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
