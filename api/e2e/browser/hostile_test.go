package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// call calls an operation and decodes its answer.
func (s *service) call(t testing.TB, method, path string, body, to any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.key)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	} else {
		r.Body = http.NoBody
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusMultipleChoices {
		t.Fatalf("%s %s: %s, %v: %s", method, path, response.Status, err, answer)
	}
	if to != nil {
		if err := json.Unmarshal(answer, to); err != nil {
			t.Fatalf("%s %s: %v: %s", method, path, err, answer)
		}
	}
}

// hostileNames are names that break pages which do not expect them.
var hostileNames = []string{
	`<img src=x onerror="window.broken=1"><script>window.broken=2</script>`,
	`{{.}} ${window.broken=3} "><svg onload=window.broken=4> '`,
	"שלום עולם, مرحبا بالعالم, from right to left",
	"🧨🚀🌈 emoji",
	strings.Repeat("WWWWWWWWWW", 10),
}

// TestHostileNamesStayText gives models, labels, drafts, runs and shares such names, and
// looks at every page that shows them.
func TestHostileNamesStayText(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := s.open(t)
	b.signIn()
	for i, name := range hostileNames {
		var made struct{ ID, Slug, LiveRunID string }
		script := fmt.Sprintf("\"\"\"%s\"\"\"\n\nNAME = \"Hostile %d\"\nSYMBOL = \"HOSTILE%d\"\nSCHEDULE = \"monthly\"\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": [\"SYN-WORLD\"], \"title\": \"</script>\"}}\n\n\ndef decide(ctx):\n    return {\"SYN-WORLD\": 1}\n",
			strings.NewReplacer(`\`, `\\`, `"`, `'`).Replace(name), i, i)
		s.call(t, http.MethodPost, "/v1/models", map[string]any{"script": script, "name": name, "labels": []string{strings.ReplaceAll(name, ",", " ")[:min(len(name), 20)]}}, &made)
		var sheet struct {
			Slug      string
			LiveRunID string `json:"live_run_id"`
			Status    string
		}
		for sheet.Status != "active" {
			s.call(t, http.MethodGet, "/v1/models/"+made.ID, nil, &sheet)
			if sheet.Status == "failed" {
				t.Fatalf("the build of %q failed", name)
			}
		}
		s.call(t, http.MethodPatch, "/v1/runs/"+sheet.LiveRunID, map[string]any{"label": name, "shared": true}, nil)
		var share struct{ URL string }
		s.call(t, http.MethodPost, "/v1/shares", map[string]any{"model": made.ID, "name": name, "show_script": true}, &share)
		at := strings.TrimPrefix(share.URL, s.url)
		for _, path := range []string{
			"/model/" + sheet.Slug, "/run/" + sheet.LiveRunID, at, at + "/embed", at + "/chart.svg", "/console", "/console/models/" + made.ID, "/console/models/" + made.ID + "/edit",
			"/console/models/" + made.ID + "/runs", "/console/models/" + made.ID + "/revisions",
		} {
			b.visit(path)
			b.until(`window.broken === undefined && document.querySelectorAll("img, iframe, object, embed").length === 0`)
			if path == "/model/"+sheet.Slug {
				b.until(fmt.Sprintf("document.querySelector('h1').textContent.trim() === %s.trim()", quoted(name)))
				b.until(`document.documentElement.scrollWidth <= document.documentElement.clientWidth`)
			}
		}
	}
}

// quoted is a text as a literal of JavaScript.
func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}
