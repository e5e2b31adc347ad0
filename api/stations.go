package api

import (
	"bytes"
	"io"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"ballast/api/transport"
)

// The stations are middleware that a request passes before its operation. Each
// refuses the request or passes it on in the form that the next one, and finally
// huma, expects.

// negotiate chooses the format of the response.
func (s *Server) negotiate(offered []string) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		request, _ := humamux.Unwrap(ctx)
		if err := transport.Negotiate(request.Header, offered); err != nil {
			s.refuseTo(ctx, err)
			return
		}
		exchangeOf(ctx.Context()).media = request.Header.Get("Accept")
		next(ctx)
	}
}

// checkQuery checks the query against the operation's parameters.
func (s *Server) checkQuery(ctx huma.Context, next func(huma.Context)) {
	request, _ := humamux.Unwrap(ctx)
	query, err := transport.CheckQuery(request.URL.RawQuery, ctx.Operation().Parameters)
	if err != nil {
		s.refuseTo(ctx, err)
		return
	}
	request.URL.RawQuery = query
	next(ctx)
}

// checkBody reads the body and checks it against the operation's schema, so that huma
// only decodes bytes that fit.
func (s *Server) checkBody(ctx huma.Context, next func(huma.Context)) {
	declared := ctx.Operation().RequestBody
	request, writer := humamux.Unwrap(ctx)
	if declared == nil {
		if err := transport.RefuseBody(request); err != nil {
			s.refuseTo(ctx, err)
			return
		}
		next(ctx)
		return
	}
	body, err := transport.ReadBody(writer, request)
	if err == nil {
		err = s.limitText(exchangeOf(ctx.Context()), len(body))
	}
	if err == nil {
		schema := declared.Content[transport.MediaJSON].Schema
		body, err = transport.CheckBody(s.documentSchemas(), request.Header.Get("Content-Type"), body, schema, declared.Required)
	}
	if err != nil {
		s.refuseTo(ctx, err)
		return
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	next(ctx)
}

// documentSchemas returns the schemas of the OpenAPI document.
func (s *Server) documentSchemas() huma.Registry { return s.api.OpenAPI().Components.Schemas }
