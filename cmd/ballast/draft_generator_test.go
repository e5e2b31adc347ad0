package main

import (
	"net/http"
	"testing"
	"time"
)

// If the grammar does not understand a draft's prompt, a script is written for it
// during the test, and the prompt becomes the model's when the draft is applied.
func TestDraftForALanguageModel(t *testing.T) {
	t.Parallel()
	script := fixedWeights("Seasons", "", "KA", 0.25, "KB", 0.75)
	address, asked := languageServer(t, "```python\n"+script+"```\n")
	data := t.TempDir()
	_, url := serveProcess(t, data, "--generator", "openai", "--generator-model", "writer", "--generator-url", address, "--generator-key", "secret-of-the-operator")
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	c := caller(t, data, url)
	model := "/v1/models/" + create(t, c, fixedWeights("First", "FIRST", "KA", 1))
	await(t, c, "FIRST", "active")

	ask := func(method, path string, body, into any) {
		t.Helper()
		if err := c.do(t.Context(), method, path, body, into); err != nil {
			t.Fatal(err)
		}
	}
	var draft struct {
		Base string `json:"base_hash"`
	}
	ask(http.MethodGet, model+"/draft", nil, &draft)
	prompt := "Mostly KB and a bit of KA, as the seasons like it"
	ask(http.MethodPut, model+"/draft", map[string]any{"expected_version": 0, "base_hash": draft.Base, "prompt": prompt}, nil)
	var v struct {
		ID, Kind, Status, Script string
		Inputs                   struct{ Universe []string }
		Usage                    struct{ Tokens int }
		Apply                    struct{ Eligible bool }
	}
	for range 3 {
		ask(http.MethodPost, model+"/draft/test", map[string]string{"request_key": "seasons"}, &v)
	}
	if v.Kind != "prompt" {
		t.Errorf("%+v", v)
	}
	revision := model + "/revisions/" + v.ID
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		ask(http.MethodGet, revision, nil, &v) // at least once: the response to the test may have no script yet
		if v.Status == "completed" {
			break
		}
		if v.Status == "failed" || time.Now().After(deadline) {
			t.Fatalf("%+v", v)
		}
	}
	if v.Script != script || v.Usage.Tokens != 1200 || len(v.Inputs.Universe) != 2 || !v.Apply.Eligible || asked.Load() != 1 {
		t.Errorf("asked %d times: %+v", asked.Load(), v)
	}
	ask(http.MethodPost, revision+"/apply", nil, nil)
	var m struct{ Name, Symbol, Prompt string }
	ask(http.MethodGet, model, nil, &m)
	if m.Name != "Seasons" || m.Symbol != "FIRST" || m.Prompt != prompt {
		t.Errorf("%+v", m)
	}
	var after struct{ Dirty bool }
	if ask(http.MethodGet, model+"/draft", nil, &after); after.Dirty {
		t.Error("the draft that was applied differs from what is served")
	}
}
