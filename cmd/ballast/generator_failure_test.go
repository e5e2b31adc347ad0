package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// A model whose build failed is rewritten from its prompt, the script that failed,
// and the error.
func TestFailedModelIsRebuiltFromItsFailure(t *testing.T) {
	t.Parallel()
	good := fixedWeights("Seasons", "", "KA", 0.25, "KB", 0.75)
	broken := strings.Replace(good, "return {", "x = 1 / (ctx.sessions(\"KA\") - ctx.sessions(\"KA\"))\n    return {", 1)
	answers := []string{broken, good}
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		answer := answers[min(len(asked), 1)]
		asked = append(asked, string(text))
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "1", "object": "chat.completion", "created": 1, "model": "writer",
			"choices": []any{map[string]any{
				"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": "```python\n" + answer + "```\n"},
			}},
		})
	}))
	t.Cleanup(server.Close)
	data := t.TempDir()
	_, url := serveProcess(t, data, "--generator", "openai", "--generator-model", "writer", "--generator-url", server.URL+"/v1", "--generator-key", "secret")
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	c := caller(t, data, url)
	var sheet killedSheet
	const prompt = "Mostly KB and a bit of KA, as the seasons like it"
	if err := c.do(t.Context(), http.MethodPost, "/v1/models", map[string]any{"prompt": prompt}, &sheet); err != nil {
		t.Fatal(err)
	}
	id := sheet.ID
	for sheet.Run != nil {
		time.Sleep(10 * time.Millisecond)
		sheet = killedSheet{}
		if err := c.do(t.Context(), http.MethodGet, "/v1/models/"+id, nil, &sheet); err != nil {
			t.Fatal(err)
		}
	}
	if sheet.Status != "failed" || !strings.Contains(sheet.Error.Message, "division by zero") {
		t.Fatalf("%s, %+v", sheet.Status, sheet.Error)
	}
	if err := c.do(t.Context(), http.MethodPost, "/v1/models/"+id+"/rebuild", nil, nil); err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		sheet = killedSheet{}
		if err := c.do(t.Context(), http.MethodGet, "/v1/models/"+id, nil, &sheet); err != nil {
			t.Fatal(err)
		}
		done = sheet.Run == nil
		time.Sleep(10 * time.Millisecond)
	}
	mu.Lock()
	defer mu.Unlock()
	if sheet.Status != "active" || len(asked) != 2 || strings.Contains(asked[0], "failed:") {
		t.Fatalf("%s, %+v, asked %d times", sheet.Status, sheet.Error, len(asked))
	}
	for _, part := range []string{prompt, `x = 1 / (ctx.sessions(\\\"KA\\\")`, "script_error", "division by zero"} {
		if !strings.Contains(strings.ReplaceAll(asked[1], `\"`, `\\\"`), part) {
			t.Errorf("the second request lacks %q:\n%s", part, asked[1])
		}
	}
}
