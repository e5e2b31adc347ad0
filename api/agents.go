package api

import (
	"context"
	"net/http"
	"net/netip"

	"github.com/danielgtaylor/huma/v2"

	"ballast/api/agent"
	"ballast/internal/fault"
)

// agentsPath is where AI agents call tools.
const agentsPath = "/mcp"

// registerAgents adds the Model Context Protocol. Its tools call the operations of this
// server, with the key and the address of the caller.
func (s *Server) registerAgents() {
	within := agent.Within(s, func(r *http.Request) {
		if x := exchangeOf(r.Context()); x.address.IsValid() {
			r.RemoteAddr = netip.AddrPortFrom(x.address, 0).String()
		}
	})
	tools := agent.Handler(agent.New(agent.Config{
		Transport: within, Version: s.Version,
		URL: func(ctx context.Context) string { return exchangeOf(ctx).origin },
	}))
	s.router.Path(agentsPath).Methods(http.MethodPost).HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if bearer(r.Header) == "" { // whether the key is valid, each operation says
			pageHost{s}.Refuse(w, r, errUnauthenticated())
			return
		}
		tools.ServeHTTP(w, r)
	})
	message := map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}}}
	responses := s.documentFaults([]fault.Type{fault.Unauthenticated, fault.HeadTooLarge, fault.RateLimited})
	responses["200"] = &huma.Response{Description: "A JSON-RPC response", Content: message}
	responses["202"] = &huma.Response{Description: "A notification was accepted"}
	s.api.OpenAPI().AddOperation(&huma.Operation{
		OperationID: "call-tools", Method: http.MethodPost, Path: agentsPath, Tags: []string{tagService},
		Summary: "Model Context Protocol", Description: "Tools for AI agents, over streamable HTTP without sessions. The guide at /docs/agents describes them.",
		Security:    []map[string][]string{{bearerScheme: {}}},
		RequestBody: &huma.RequestBody{Required: true, Content: message}, Responses: responses,
	})
}
