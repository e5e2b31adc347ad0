package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ballast/internal/testenv"
)

// shownCall is a call and its answer as the document shows them.
type shownCall struct {
	Target string          `json:"target"` // path and query
	Body   json.RawMessage `json:"body,omitempty"`
	Status int             `json:"status"`
	Answer json.RawMessage `json:"answer"`
}

// examples makes the document's examples: each operation that answers with JSON is
// called once. With -update they are recorded again; without, the document has to
// have one of each.
func (s *sharedService) examples(t *testing.T) {
	t.Helper()
	calls := map[string]shownCall{}
	t.Run("examples", func(t *testing.T) { // and waits for them
		s.run(t, filepath.Join("testdata", "examples"), map[string]func(*testscript.TestScript, bool, []string){
			"example": func(ts *testscript.TestScript, _ bool, args []string) { cmdExample(ts, args, calls) },
		})
	})
	if len(calls) == 0 { // other scripts were asked for
		return
	}
	for path, item := range s.paths {
		for method, operation := range item.(map[string]any) {
			if o, ok := operation.(map[string]any); ok && strings.HasPrefix(path, "/v1/") && o["operationId"] != "get-openapi" { // which would show itself
				s.checkExample(t, path, method, o, calls)
			}
		}
	}
	if *update && !t.Failed() {
		writeExamples(t, calls)
	}
}

// checkExample looks whether the script calls an operation, and whether the
// document shows how it answers as it has to answer.
func (s *sharedService) checkExample(t *testing.T, path, method string, operation map[string]any, calls map[string]shownCall) {
	t.Helper()
	shown, answers := false, false
	for status, answer := range operation["responses"].(map[string]any) {
		content, _ := answer.(map[string]any)["content"].(map[string]any)
		media, ok := content["application/json"].(map[string]any)
		if !ok || status >= "300" {
			continue
		}
		answers = true
		if media["example"] == nil || *update { // those shown are about to be replaced
			continue
		}
		shown = true
		schema, err := s.schema("paths", path, method, "responses", status, "content", "application/json", "schema")
		check(t, err)
		if err := schema.Validate(media["example"]); err != nil {
			t.Errorf("the example of %s: %v", operation["operationId"], err)
		}
	}
	id := operation["operationId"].(string)
	if _, called := calls[id]; answers && !called {
		t.Errorf("the script does not call %s", id)
	}
	if answers && !shown && !*update {
		t.Errorf("the document has no example of %s: go test ./api/e2e -run TestScripts/examples -update", id)
	}
}

func writeExamples(t *testing.T, calls map[string]shownCall) {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("{\n")
	for i, id := range slices.Sorted(maps.Keys(calls)) {
		text, err := json.MarshalIndent(calls[id], "  ", "  ")
		check(t, err)
		if i > 0 {
			out.WriteString(",\n")
		}
		fmt.Fprintf(&out, "  %q: %s", id, oneLine(string(text)))
	}
	out.WriteString("\n}\n")
	check(t, os.WriteFile(filepath.Join(testenv.Root(t), "api", "examples.json"), out.Bytes(), 0o644)) //nolint:gosec // a source file
}

// cmdExample makes a call that succeeds, as call does, and notes it.
func cmdExample(ts *testscript.TestScript, args []string, calls map[string]shownCall) {
	if len(args) < 2 {
		ts.Fatalf("usage: example METHOD PATH [@FILE] [FIELD@FILE]... [FIELD=VALUE]...")
	}
	s := stateOf(ts)
	body, headers := request(ts, args[2:])
	status, head, err := s.send(args[0], args[1], body, headers)
	ts.Check(err)
	if status >= http.StatusMultipleChoices {
		ts.Fatalf("status %d: %s", status, s.last)
	}
	ts.Check(s.validate(args[0], args[1], status, head))
	path, _, _ := strings.Cut(args[1], "?")
	operation := s.paths[s.template(path)].(map[string]any)[strings.ToLower(args[0])].(map[string]any)
	call := shownCall{Target: s.stable(args[1]), Status: status, Answer: json.RawMessage(s.stable(s.last))}
	if body != "" {
		call.Body = json.RawMessage(s.stable(body))
	}
	calls[operation["operationId"].(string)] = call
}

var (
	anyID     = regexp.MustCompile(`\b([a-z]+)_[0-9a-f]{32}\b`)
	anySecret = regexp.MustCompile(`\b(bk_|whsec_)[A-Za-z0-9_+/=-]{8,}`)
)

// stable replaces what differs from one run of the tests to another by values of
// the same form.
func (s *state) stable(text string) string {
	text = anyID.ReplaceAllStringFunc(text, func(id string) string {
		if s.names[id] == "" {
			kind, digits, _ := strings.Cut(id, "_")
			s.names[id] = fmt.Sprintf("%s_0192f3a4b5c67d8e9f0a1b2c3d4e%04d", kind, len(s.names))
			s.names[digits[len(digits)-10:]] = s.names[id][len(s.names[id])-10:]
		}
		return s.names[id]
	})
	text = slugs.ReplaceAllStringFunc(text, func(end string) string {
		if name := s.names[end[1:]]; name != "" {
			return "-" + name
		}
		return end
	})
	text = anySecret.ReplaceAllStringFunc(text, func(secret string) string {
		kind, rest, _ := strings.Cut(secret, "_")
		return kind + "_" + strings.Repeat("0123456789", 8)[:len(rest)]
	})
	text = moments.ReplaceAllString(text, `"2026-01-02T15:04:05Z"`)
	return addresses.ReplaceAllString(text, "https://ballast.example")
}
