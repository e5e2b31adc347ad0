package api

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/api/transport"
	"ballast/api/web"
	"ballast/internal/fault"
)

// route describes one operation.
type route struct {
	method, path string
	id           string // operation id
	tag          string
	summary      string
	description  string
	status       int            // status of success
	also         map[int]string // other statuses of success, with the same body
	faults       []fault.Type   // in addition to those of every operation
	idempotent   bool           // takes an Idempotency-Key
	open         bool           // needs no credentials
	reads        bool           // changes nothing, although it is not a GET
	format       string         // media type of the response; "" is JSON
	others       []string       // further media types of a tabular body
	parameters   []*huma.Param  // parameters that the input type does not declare
}

// offers returns the media types of the response, the preferred one first.
func (r route) offers() []string {
	first := r.format
	if first == "" {
		first = transport.MediaJSON
	}
	return append([]string{first}, r.others...)
}

// everywhere are the faults that every operation can return.
var everywhere = []fault.Type{
	fault.MalformedRequest, fault.Unauthenticated, fault.NotAcceptable, fault.HeadTooLarge,
	fault.InvalidParameter, fault.InvalidBody, fault.RateLimited, fault.Internal, fault.Unavailable,
}

// withBody are the further faults of operations that take a body.
var withBody = []fault.Type{fault.PayloadTooLarge, fault.UnsupportedMedia}

// register adds an operation: its route, its checks and its place in the document.
func register[I, O any](s *Server, r route, handler func(context.Context, *I) (*O, error)) {
	scopes := s.needed(r.method, r.id)
	operation := huma.Operation{
		OperationID: r.id, Method: r.method, Path: r.path, Tags: []string{r.tag},
		Summary: r.summary, Description: r.description, DefaultStatus: r.status,
		Security: []map[string][]string{{bearerScheme: names(scopes)}, {cookieScheme: names(scopes)}},
		// checkBody has already read the body within its limit. A read deadline set
		// by huma would cut off callers that wait for a run.
		MaxBodyBytes: -1, BodyReadTimeout: -1,
		Middlewares: huma.Middlewares{s.authenticate, s.permit(scopes), s.negotiate(r.offers()), s.checkQuery, s.checkBody},
	}
	if r.open {
		operation.Security = []map[string][]string{}
		operation.Middlewares = append(huma.Middlewares{s.guardOrigin}, operation.Middlewares[2:]...)
	}
	if r.idempotent && s.Idempotency != nil {
		operation.Parameters = append(operation.Parameters, idempotencyParameter())
	}
	operation.Parameters = append(operation.Parameters, r.parameters...)
	if r.idempotent {
		operation.Middlewares = append(operation.Middlewares, s.idempotent)
	}
	faults := slices.Concat(everywhere, r.faults)
	if !r.open || r.method != http.MethodGet { // a key without the scope, or a session used from a page of another origin
		faults = append(faults, fault.Forbidden)
	}
	if r.idempotent {
		faults = append(faults, fault.IdempotencyMismatch, fault.IdempotencyProgress)
	}
	if r.method == http.MethodPost || r.method == http.MethodPut || r.method == http.MethodPatch {
		faults = append(faults, withBody...)
		if !r.open && !r.reads {
			faults = append(faults, fault.PlanRequired) // a quota is used up
		}
	}
	operation.Metadata = map[string]any{web.FaultsKey: faults}
	operation.Responses = s.documentFaults(faults)
	huma.Register(s.api, operation, func(ctx context.Context, in *I) (*O, error) {
		ctx, note := s.beginNote(ctx, r)
		out, err := handler(spending(ctx), in)
		s.endNote(ctx, note, err)
		if err != nil {
			return nil, s.refuse(ctx, err)
		}
		return out, nil
	})
	s.documentSuccess(r, operation.Responses)
}

// documentFaults returns one response per status, naming its fault types.
func (s *Server) documentFaults(faults []fault.Type) map[string]*huma.Response {
	types := map[int][]string{}
	for _, f := range refusals { // in the table's order
		if slices.Contains(faults, f.Type) {
			types[f.Status] = append(types[f.Status], string(f.Type))
		}
	}
	responses := map[string]*huma.Response{}
	for status, names := range types {
		r := &huma.Response{
			Description: strings.Join(names, ", "),
			Headers:     map[string]*huma.Param{"X-Request-Id": textHeader("Id of the request")},
			Content:     map[string]*huma.MediaType{"application/json": {Schema: s.errorSchema()}},
		}
		switch status {
		case http.StatusUnauthorized:
			r.Headers["WWW-Authenticate"] = textHeader("Bearer")
		case http.StatusRequestHeaderFieldsTooLarge: // above its own limit, net/http answers in plain text
			r.Content["text/plain"] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
		case http.StatusTooManyRequests, http.StatusServiceUnavailable, statusOf(fault.IdempotencyProgress):
			r.Headers["Retry-After"] = &huma.Param{Description: "Seconds to wait, if waiting helps", Schema: &huma.Schema{Type: huma.TypeInteger}}
		}
		responses[strconv.Itoa(status)] = r
	}
	return responses
}

// documentSuccess completes what huma has documented of the successful response.
func (s *Server) documentSuccess(r route, responses map[string]*huma.Response) {
	main := responses[strconv.Itoa(r.status)]
	if main.Headers == nil {
		main.Headers = map[string]*huma.Param{}
	}
	if r.format != "" {
		main.Content = map[string]*huma.MediaType{r.format: {Schema: &huma.Schema{Type: huma.TypeString}}}
	}
	for _, media := range r.others {
		main.Content[media] = transport.TableSchema(media)
	}
	main.Headers["X-Request-Id"] = textHeader("Id of the request")
	if r.method == http.MethodGet {
		main.Headers["ETag"] = textHeader("Strong validator of the body, for If-None-Match")
		responses["304"] = &huma.Response{Description: "The caller already has this version (If-None-Match)", Headers: main.Headers}
	}
	for status, description := range r.also {
		responses[strconv.Itoa(status)] = &huma.Response{Description: description, Headers: main.Headers, Content: main.Content}
	}
}

func textHeader(description string) *huma.Param {
	return &huma.Param{Description: description, Schema: &huma.Schema{Type: huma.TypeString}}
}

// refuseTo writes an error from a station before the operation.
func (s *Server) refuseTo(ctx huma.Context, err error) {
	r := s.refuse(ctx.Context(), err)
	for name, values := range r.headers {
		ctx.SetHeader(name, values[0])
	}
	ctx.SetHeader("Content-Type", "application/json")
	ctx.SetStatus(r.status)
	_ = transport.WriteJSON(ctx.BodyWriter(), r.body) // the buffered response accepts every byte
}
