package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ballast/api/agent"
)

// agentCall measures a tool that reads a model's performance by the Model Context
// Protocol, and in turns with it the request of the interface that the tool makes.
func agentCall(e *Env) Row {
	return Row{
		Name: "MCP get_performance, 20 years", Key: "AgentCall",
		Bar: "p50 ≤ the request + 2 ms", Limits: []Limit{{Figure: "added", Most: 2}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
			session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
				Endpoint: s.client.url + "/mcp", DisableStandaloneSSE: true,
				HTTPClient: &http.Client{Transport: agent.WithKey(s.client.http.Transport, s.client.key)},
			}, nil)
			if err != nil {
				return Result{}, err
			}
			var tool, request samples
			_, err = repeat(ctx, e.count(500, 20), func() error {
				began := time.Now()
				if _, err := s.client.call(ctx, http.MethodGet, "/v1/models/BENCH/history?include=metrics", nil); err != nil {
					return err
				}
				between := time.Now()
				told, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "get_performance", Arguments: map[string]string{"model": "BENCH"}})
				if err != nil {
					return err
				}
				if told.IsError {
					return errors.New("the tool refused the call")
				}
				request, tool = append(request, between.Sub(began)), append(tool, time.Since(between))
				return nil
			})
			if err = errors.Join(err, session.Close()); err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{
					milliseconds("added", tool.median()-request.median()), milliseconds("p50", tool.median()), milliseconds("request", request.median()),
				},
				Note: fmt.Sprintf("one client, %d times in turns with GET history?include=metrics", len(tool)),
			}, nil
		},
	}
}
