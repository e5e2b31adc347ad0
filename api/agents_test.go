package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ballast/account"
	"ballast/api/agent"
)

// agentOf connects an agent to servers, which take turns at its requests.
func agentOf(t *testing.T, servers ...http.Handler) *mcp.ClientSession {
	t.Helper()
	var turn atomic.Int64
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		servers[turn.Add(1)%int64(len(servers))].ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: front.URL + "/mcp", HTTPClient: &http.Client{Transport: agent.WithKey(http.DefaultTransport, aliceKey)}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// toolAnswer calls a tool.
func toolAnswer(t *testing.T, session *mcp.ClientSession, name string, arguments map[string]any) (text string, refused bool) {
	t.Helper()
	r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

func TestAgentsTools(t *testing.T) {
	t.Parallel()
	session := agentOf(t, newHarness(t).Server)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d tools in %d bytes", len(list.Tools), len(encoded))
	if len(encoded) > 24<<10 || list.NextCursor != "" {
		t.Errorf("the list of tools has %d bytes", len(encoded))
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Annotations == nil || tool.Description == "" || tool.Title == "" {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
		for _, forbidden := range []string{"delete", "purge", "key"} {
			if strings.Contains(tool.Name, forbidden) {
				t.Errorf("there is a tool %s", tool.Name)
			}
		}
	}
	for _, name := range strings.Fields("search_assets check_strategy create_model run_what_if compare get_performance get_allocation explain_return get_series save_draft test_draft apply_revision simulate analyze share get_balance get_job") {
		if !slices.Contains(names, name) {
			t.Errorf("there is no tool %s", name)
		}
	}
	resources, err := session.ListResources(t.Context(), nil)
	if err != nil || len(resources.Resources) != 3 {
		t.Fatalf("%v, %v", resources, err)
	}
	for _, r := range resources.Resources {
		page, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil || !strings.HasPrefix(page.Contents[0].Text, "# ") {
			t.Errorf("%s: %v", r.URI, err)
		}
	}
}

// Calls of one session reach two servers in turn.
func TestAgentsCallAnyReplica(t *testing.T) {
	t.Parallel()
	one, two := newHarness(t), newHarness(t)
	session := agentOf(t, one.Server, two.Server)
	for range 4 {
		if text, refused := toolAnswer(t, session, "get_balance", nil); refused || !strings.Contains(text, "remaining_cents") {
			t.Errorf("%s", text)
		}
	}
	for _, h := range []*harness{one, two} {
		if !strings.Contains(h.logs.String(), "/v1/account/billing") {
			t.Error("a server got no call")
		}
	}
}

func TestAgentsAreRefusedAsOthers(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	session := agentOf(t, h.Server)
	text, refused := toolAnswer(t, session, "get_performance", map[string]any{"model": "NOPE"})
	if !refused || !strings.Contains(text, `"type":"not_found"`) || !strings.Contains(text, `"status":404`) || !strings.Contains(text, "request_id") {
		t.Errorf("%s", text)
	}
	h.accounts.scopes = []account.Scope{account.ScopeRead}
	text, refused = toolAnswer(t, session, "create_model", map[string]any{"prompt": "60% SPY, 40% AGG"})
	if !refused || !strings.Contains(text, "lacks the scopes run and write") {
		t.Errorf("%s", text)
	}
	text, refused = toolAnswer(t, session, "get_job", map[string]any{"id": "x"})
	if !refused || !strings.Contains(text, "takes the id") {
		t.Errorf("%s", text)
	}
	if a := h.send(t, "POST", "/mcp", `{}`, "Authorization: "); a.Code != http.StatusUnauthorized {
		t.Errorf("without a key: %d %s", a.Code, a.body)
	}
}
