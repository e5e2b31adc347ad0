package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
)

// While a language model is slow to answer, the only worker runs other models.
func TestALanguageModelKeepsNoWorkerBusy(t *testing.T) {
	t.Parallel()
	asked, release := make(chan struct{}, 2), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "1", "object": "chat.completion", "created": 1, "model": "writer",
			"choices": []any{map[string]any{
				"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": "```python\n" + fixedWeights("Seasons", "", "KA", 1) + "```"},
			}},
		})
	}))
	t.Cleanup(server.Close)
	data := t.TempDir()
	_, url := serveProcess(t, data, "--workers", "1", "--generator", "openai", "--generator-model", "writer", "--generator-url", server.URL+"/v1")
	must(t, "import", "bars", smallMarket(t), "--data-dir", data)
	c := caller(t, data, url)
	var slow struct{ ID string }
	if err := c.do(t.Context(), http.MethodPost, "/v1/models", map[string]string{"prompt": "Mostly KA, as the seasons like it"}, &slow); err != nil {
		t.Fatal(err)
	}
	<-asked
	create(t, c, fixedWeights("Quick", "QUICK", "KB", 1))
	await(t, c, "QUICK", "active")
	close(release)
	await(t, c, slow.ID, "active")
}
