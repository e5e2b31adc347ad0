package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ballast/api/agent"
)

// TestAgent lets a scripted agent go from words to an explained model, over HTTP and over
// standard input and output, in at most six calls.
func TestAgent(t *testing.T) {
	s := start(t)
	connect := map[string]func(t *testing.T, key string) mcp.Transport{
		"HTTP": func(_ *testing.T, key string) mcp.Transport {
			return &mcp.StreamableClientTransport{
				Endpoint: s.url + "/mcp", HTTPClient: &http.Client{Transport: agent.WithKey(http.DefaultTransport, key)}, DisableStandaloneSSE: true,
			}
		},
		"stdio": func(t *testing.T, key string) mcp.Transport {
			command := exec.CommandContext(t.Context(), s.binary, "mcp")
			command.Env = append(os.Environ(), "BALLAST_URL="+s.url, "BALLAST_KEY="+key)
			return &mcp.CommandTransport{Command: command}
		},
	}
	for name, transport := range connect {
		t.Run(name, func(t *testing.T) {
			if _, err := s.ballast(t.Context(), "account", "create", "agent-"+name, "--plan", "business"); err != nil {
				t.Fatal(err)
			}
			key, err := s.ballast(t.Context(), "keys", "create", "--account", "agent-"+name, "--daily-cap", "200")
			if err != nil {
				t.Fatal(err)
			}
			session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport(t, key), nil)
			if err != nil {
				t.Fatal(err)
			}
			a := &scriptedAgent{t: t, session: session}
			a.explain("60% AAA, 40% BBB, rebalanced quarterly")
			if a.calls > 6 {
				t.Errorf("%d calls from words to an explained model", a.calls)
			}
			a.work(s.url)
			if err := session.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// scriptedAgent calls tools.
type scriptedAgent struct {
	t       *testing.T
	session *mcp.ClientSession
	calls   int
	model   string
}

// call returns the answer of a tool, which must be short.
func (a *scriptedAgent) call(name string, arguments map[string]any) map[string]any {
	a.t.Helper()
	a.calls++
	r, err := a.session.CallTool(a.t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		a.t.Fatalf("%s: %v", name, err)
	}
	text := r.Content[0].(*mcp.TextContent).Text
	if r.IsError {
		a.t.Fatalf("%s: %s", name, text)
	}
	if len(text) > agent.AnswerBytes {
		a.t.Errorf("%s answers with %d bytes", name, len(text))
	}
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		a.t.Fatalf("%s: %v in %s", name, err, text)
	}
	return out
}

// explain goes from words to an explained model.
func (a *scriptedAgent) explain(words string) {
	a.t.Helper()
	if verdict := a.call("check_strategy", map[string]any{"prompt": words}); verdict["valid"] != true {
		a.t.Fatalf("%v", verdict)
	}
	made := a.call("create_model", map[string]any{"prompt": words, "request_key": a.t.Name()})
	if made["status"] != "active" || made["figures"].(map[string]any)["cagr"] == nil {
		a.t.Fatalf("%v", made)
	}
	a.model = made["id"].(string)
	performance := a.call("get_performance", map[string]any{"model": a.model, "benchmark": "AAA"})
	explained := a.call("explain_return", map[string]any{"model": a.model})
	parts := explained["contribution_to_total_return"].(map[string]any)
	sum := 0.0
	for key, v := range parts {
		if key != "TOTAL" {
			sum += v.(float64)
		}
	}
	total := performance["figures"].(map[string]any)["total_return"].(float64)
	if difference := sum - total; difference > 1e-5 || difference < -1e-5 {
		a.t.Errorf("the contributions %v add up to %g, and the total return is %g", parts, sum, total)
	}
}

// work tries the other tools.
func (a *scriptedAgent) work(url string) {
	a.t.Helper()
	again := a.call("create_model", map[string]any{"prompt": "60% AAA, 40% BBB, rebalanced quarterly", "request_key": a.t.Name()})
	if again["id"] != a.model {
		a.t.Errorf("the same request_key made %v beside %s", again["id"], a.model)
	}
	tried := a.call("run_what_if", map[string]any{"model": a.model, "inputs": map[string]any{"weights": []float64{0.2, 0.8}}})
	if tried["status"] != "complete" || tried["what_if"].(map[string]any)["cagr"] == tried["served"].(map[string]any)["cagr"] {
		a.t.Errorf("%v", tried)
	}
	if more := tried["more"].(string); !strings.HasPrefix(more, url+"/v1/runs/") {
		a.t.Errorf("more is %s", more)
	}
	live := a.call("get_allocation", map[string]any{"model": a.model})
	if compared := a.call("compare", map[string]any{"run_ids": []any{tried["id"], live["run_id"]}}); len(compared["compared"].([]any)) != 2 {
		a.t.Errorf("%v", compared)
	}
	if job := a.call("get_job", map[string]any{"id": tried["id"]}); job["done"] != true {
		a.t.Errorf("%v", job)
	}
	if daily := a.call("get_series", map[string]any{"model": a.model, "frequency": "daily"}); daily["shortened"] == nil || daily["more"] == nil {
		a.t.Errorf("a long series was not shortened: %v", daily)
	}
	a.call("get_series", map[string]any{"asset": "AAA", "values": "equity", "frequency": "yearly"})
	a.call("search_assets", map[string]any{"query": "A"})
	a.call("list_models", nil)
	a.call("save_draft", map[string]any{"model": a.model, "prompt": "50% AAA, 50% BBB, rebalanced yearly"})
	tested := a.call("test_draft", map[string]any{"model": a.model})
	if tested["status"] != "completed" {
		a.t.Fatalf("%v", tested)
	}
	if done := a.call("apply_revision", map[string]any{"model": a.model, "revision_id": tested["id"]}); done["run_id"] != tested["run_id"] {
		a.t.Errorf("%v, tested %v", done, tested)
	}
	if simulated := a.call("simulate", map[string]any{"prompt": "Retire with 1000000 in 60% AAA and 40% BBB, withdraw 4% a year for 30 years"}); simulated["scalars"] == nil {
		a.t.Errorf("%v", simulated)
	}
	if analyzed := a.call("analyze", map[string]any{"kind": "correlation", "arguments": map[string]any{"keys": []string{"AAA", "BBB"}}}); analyzed["scalars"] == nil {
		a.t.Errorf("%v", analyzed)
	}
	if shared := a.call("share", map[string]any{"run_id": tried["id"]}); !strings.HasPrefix(shared["url"].(string), url+"/") || shared["state"] != "open" {
		a.t.Errorf("%v", shared)
	}
	a.call("get_balance", nil)
}
