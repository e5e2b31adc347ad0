package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// languageServer speaks OpenAI's protocol and answers with the texts in order,
// repeating the last one.
func languageServer(t *testing.T, answers ...string) (url string, asked *atomic.Int32) {
	t.Helper()
	asked = &atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := int(asked.Add(1))
		var request struct {
			Model    string
			Messages []json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil || request.Model != "writer" || r.URL.Path != "/v1/chat/completions" ||
			r.Header.Get("Authorization") != "Bearer secret-of-the-operator" {
			http.Error(w, `{"error": {"message": "bad request"}}`, http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": fmt.Sprint(n), "object": "chat.completion", "created": 1, "model": "writer",
			"choices": []any{map[string]any{
				"index": 0, "finish_reason": "stop",
				"message": map[string]any{"role": "assistant", "content": answers[min(n, len(answers))-1]},
			}},
			"usage": map[string]any{"prompt_tokens": 1000, "completion_tokens": 200, "total_tokens": 1200},
		})
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", asked
}

// A prompt that the grammar does not understand is written by the language model in
// the background: its mistakes are fed back, its script is built, and its tokens are
// counted.
func TestPromptForALanguageModel(t *testing.T) {
	t.Parallel()
	good := fixedWeights("Seasons", "", "KA", 0.25, "KB", 0.75)
	address, asked := languageServer(t,
		"Here it is:\n```python\n"+strings.ReplaceAll(good, `"KB"`, `"KBB"`)+"```\n",
		"```python\n"+good+"```\n",
		"CANNOT: there are no horoscopes in the bars",
	)
	data := t.TempDir()
	_, url := serveProcess(t, data, "--generator", "openai", "--generator-model", "writer", "--generator-url", address, "--generator-key", "secret-of-the-operator")
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	c := caller(t, data, url)

	type sheet struct {
		ID, Name, Symbol, Prompt, Status, Warning string
		BuildID                                   string `json:"build_id"`
		Run                                       *struct{ Kind string }
		Usage                                     struct{ Tokens, Units int }
		Universe                                  []string
	}
	post := func(path string, body map[string]string) (m sheet) {
		t.Helper()
		if err := c.do(t.Context(), http.MethodPost, path, body, &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	prompt := "Mostly KB and a bit of KA, as the seasons like it"
	m := post("/v1/models", map[string]string{"prompt": prompt})
	if m.Status != "building" || m.Name != prompt || m.Run == nil {
		t.Errorf("%+v", m)
	}
	await(t, c, m.ID, "active")
	if err := c.do(t.Context(), http.MethodGet, "/v1/models/"+m.ID, nil, &m); err != nil {
		t.Fatal(err)
	}
	if m.Name != "Seasons" || m.Symbol != "SEASONS" || m.Prompt != prompt || m.Usage.Tokens != 2400 || strings.Join(m.Universe, " ") != "KA KB" {
		t.Errorf("%+v", m)
	}
	var build struct{ Generator, Script, Status string }
	if err := c.do(t.Context(), http.MethodGet, "/v1/builds/"+m.BuildID, nil, &build); err != nil {
		t.Fatal(err)
	}
	if build.Generator != "openai/writer" || strings.TrimSpace(build.Script) != strings.TrimSpace(good) || build.Status != "complete" {
		t.Errorf("%+v", build)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("asked %d times, want 2", n)
	}

	// What the grammar understands costs no tokens.
	await(t, c, post("/v1/models", map[string]string{"prompt": "60% KA, 40% KB"}).ID, "active")
	if n := asked.Load(); n != 2 {
		t.Errorf("asked %d times, want 2", n)
	}

	// A rebuild for which no script can be written leaves what is served, with a
	// warning.
	post("/v1/models/"+m.ID+"/rebuild", map[string]string{"prompt": "Mostly KB, as the horoscope likes it"})
	await(t, c, m.ID, "active")
	if err := c.do(t.Context(), http.MethodGet, "/v1/models/"+m.ID, nil, &m); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(m.Warning, "horoscopes") || m.Prompt != prompt || m.Name != "Seasons" {
		t.Errorf("%+v", m)
	}
	var builds struct {
		Data []struct {
			Status string
			Error  struct{ Type, Message string }
			Usage  struct{ Tokens int }
		}
	}
	if err := c.do(t.Context(), http.MethodGet, "/v1/models/"+m.ID+"/builds", nil, &builds); err != nil {
		t.Fatal(err)
	}
	if b := builds.Data[0]; b.Status != "failed" || b.Error.Type != "generation_failed" || b.Usage.Tokens != 1200 {
		t.Errorf("%+v", b)
	}
}
