package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Config holds what New needs.
type Config struct {
	Transport http.RoundTripper // carries requests to the interface
	// URL returns the origin of the interface, without a trailing slash, as who calls a
	// tool reaches it.
	URL     func(context.Context) string
	Version string // of the service
	// Wait is how long a tool waits for work that it has started; 0: 50 seconds.
	Wait time.Duration
}

const instructions = `Ballast builds, backtests and serves asset-allocation models.
From words to an explained model: check_strategy with the words, create_model, get_performance, explain_return.
Figures are fractions (0.05 is 5 %) and dates are YYYY-MM-DD. Models are named by symbol, id or exact name.
Work that takes longer than a call is followed with get_job. Results are backtests, not advice or promises.
An answer with "shortened" was cut; "more" is the REST address of the whole.`

// New returns a server with all tools and resources. It keeps nothing between calls, so
// any replica answers any call.
func New(c Config) *mcp.Server {
	if c.Wait == 0 {
		c.Wait = 50 * time.Second
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "ballast", Title: "Ballast", Version: c.Version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}, SchemaCache: mcp.NewSchemaCache(),
	})
	addFinding(s, c)
	addModels(s, c)
	addReading(s, c)
	addDrafts(s, c)
	addStudies(s, c)
	addAccount(s, c)
	addResources(s)
	return s
}

// Handler serves MCP over HTTP. It keeps no sessions.
func Handler(s *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: 2 << 20,
		// Requests carry a key, not a cookie, so a page that rebinds a name gains nothing.
		DisableLocalhostProtection: true,
	})
}

// The effects of tools.
var (
	no      = false
	reads   = &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no}
	adds    = &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}
	changes = &mcp.ToolAnnotations{IdempotentHint: true, OpenWorldHint: &no}
)

// add adds a tool whose answer is the object that do returns.
func add[In any](s *mcp.Server, c Config, name, title, description string, effect *mcp.ToolAnnotations, do func(context.Context, *caller, In) (map[string]any, error)) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Title: title, Description: description, Annotations: effect},
		func(ctx context.Context, r *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
			out, err := do(ctx, c.caller(ctx, r), in)
			if err != nil {
				return refused(err), nil, nil
			}
			most := AnswerBytes
			if sized, ok := any(in).(interface{ bytes() int }); ok {
				most = sized.bytes()
			}
			text, err := fit(out, most)
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, nil, nil
		})
}

// addShort adds a tool with a short answer of a fixed form, which its schema describes.
func addShort[In, Out any](s *mcp.Server, c Config, name, title, description string, effect *mcp.ToolAnnotations, do func(context.Context, *caller, In) (Out, error)) {
	mcp.AddTool(s, &mcp.Tool{Name: name, Title: title, Description: description, Annotations: effect},
		func(ctx context.Context, r *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
			out, err := do(ctx, c.caller(ctx, r), in)
			if err != nil {
				return refused(err), out, nil
			}
			return nil, out, nil
		})
}

// refused tells of an error, in the interface's words if it refused something.
func refused(err error) *mcp.CallToolResult {
	told := map[string]any{"error": map[string]any{"type": "failed", "message": err.Error()}}
	var r *refusal
	if errors.As(err, &r) {
		if json.Unmarshal(r.Body, &told) != nil { // not of the interface, but of a proxy
			told = map[string]any{"error": map[string]any{"type": "failed", "message": fmt.Sprintf("The service answered with status %d.", r.Status)}}
		}
		told["status"] = r.Status
		if r.RetryAfter > 0 {
			told["retry_after_seconds"] = r.RetryAfter
		}
	}
	text, err := fit(told, AnswerBytes)
	if err != nil {
		text = []byte(err.Error())
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}
}
