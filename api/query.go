package api

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"ballast/api/transport"
	"ballast/api/web"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/query"
	"ballast/query/engine"
)

type queryInput struct {
	Body queryRequest
}

type queryRequest struct {
	SQL        string         `json:"sql" minLength:"1" maxLength:"100000" doc:"One SELECT over the tables and macros of docs/sql.md; also WITH, VALUES, FROM first, DESCRIBE and SUMMARIZE of a table" example:"SELECT symbol, cagr FROM metrics JOIN models USING (run_id) ORDER BY cagr DESC"`
	Parameters map[string]any `json:"parameters,omitempty" doc:"Values of the statement's parameters: of $name by name, of $1 or ? by number, as \"1\". Strings, numbers, booleans and null"`
	Limit      int64          `json:"limit,omitempty" minimum:"1" maximum:"10000000" doc:"Maximum number of rows; truncated says whether there were more. Without it, a result with more rows than the service allows is an error"`
	Runs       []string       `json:"runs,omitempty" maxItems:"100" doc:"Ids of complete runs of yours whose results the tables contain in addition to the live ones"`
}

// queryResponse documents the JSON of a result.
type queryResponse struct {
	Columns []struct {
		Name string `json:"name"`
		Type string `json:"type" doc:"SQL type"`
	} `json:"columns" doc:"The columns of the result, in order"`
	Rows      [][]any `json:"rows" doc:"One list per row, in the order of the columns"`
	RowCount  int64   `json:"row_count" doc:"Length of rows"`
	Truncated bool    `json:"truncated" doc:"Whether there were more rows than limit"`
}

// queryMedia are the media types of results, the default first.
var queryMedia = []string{transport.MediaJSON, transport.MediaArrow, transport.MediaParquet, transport.MediaCSV}

// queryWriters write the rows of a result, by media type.
var queryWriters = map[string]func(io.Writer, query.Rows) error{
	transport.MediaJSON: query.WriteJSON, transport.MediaArrow: query.WriteArrow,
	transport.MediaParquet: query.WriteParquet, transport.MediaCSV: query.WriteCSV,
}

func (s *Server) registerQuery() {
	r := route{method: http.MethodPost, path: "/v1/query", id: "query", tag: tagQuery, status: http.StatusOK}
	if s.streams == nil {
		s.streams = map[string]bool{}
	}
	s.streams[r.path] = true
	faults := slices.Concat(everywhere, withBody, []fault.Type{
		fault.NotFound, fault.InvalidQuery, fault.QueryMemory, fault.QueryTime, fault.QueryRows, fault.Forbidden, fault.InsufficientFunds,
	})
	scopes := s.needed(r.method, r.id)
	operation := huma.Operation{
		OperationID: r.id, Method: r.method, Path: r.path, Tags: []string{r.tag}, Summary: "Query with SQL",
		Description:   "Runs one SELECT over your models, runs, results and metrics, the bars and the catalog. Each statement runs in a separate process that has only your rows, within limits on memory, time and rows. It is stopped when the caller disconnects. In JSON, numbers that are not finite are null, decimals and integers of more than 64 bits are strings, dates are YYYY-MM-DD and timestamps RFC 3339.",
		DefaultStatus: r.status, Security: []map[string][]string{{bearerScheme: names(scopes)}, {cookieScheme: names(scopes)}},
		MaxBodyBytes: -1, BodyReadTimeout: -1,
		Middlewares: huma.Middlewares{s.authenticate, s.permit(scopes), s.negotiate(queryMedia), s.checkQuery, s.checkBody},
		Metadata:    map[string]any{web.FaultsKey: faults},
		Responses:   s.documentFaults(faults),
	}
	huma.Register(s.api, operation, func(ctx context.Context, in *queryInput) (*huma.StreamResponse, error) {
		answer, err := s.openQuery(spending(ctx), &in.Body)
		if err != nil {
			return nil, s.refuse(ctx, err)
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) { s.answerQuery(hc, answer) }}, nil
	})
	content := map[string]*huma.MediaType{
		transport.MediaJSON: {Schema: s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[queryResponse](), true, "QueryResponse")},
	}
	for _, media := range queryMedia[1:] {
		content[media] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	operation.Responses[strconv.Itoa(r.status)] = &huma.Response{
		Description: "The result. If an error occurs after the response has begun, the connection is cut, so a response that ends as its format requires is complete.",
		Headers:     map[string]*huma.Param{"X-Request-Id": textHeader("Id of the request")},
		Content:     content,
	}
}

// openQuery starts a statement.
func (s *Server) openQuery(ctx context.Context, in *queryRequest) (QueryAnswer, error) {
	if s.Queries == nil {
		return nil, fault.New(fault.Unavailable, "This server does not offer SQL.")
	}
	r := query.Request{SQL: in.SQL, Limit: in.Limit}
	for name, v := range in.Parameters {
		value, err := parameterOf(v)
		if err != nil {
			return nil, fault.New(fault.InvalidBody, "A parameter is a text, a number, a boolean or null.").
				With(fault.Detail{Field: "parameters." + name, Message: err.Error()})
		}
		r.Parameters = append(r.Parameters, engine.Parameter{Name: name, Value: value})
	}
	for _, ref := range in.Runs {
		runID, ok := id.Parse(id.Run, ref)
		if !ok {
			return nil, fault.Missing("complete run", ref)
		}
		r.RunIDs = append(r.RunIDs, runID)
	}
	return s.Queries.Query(ctx, accountOf(ctx), r)
}

// parameterOf converts a JSON value to the value of a statement's parameter.
func parameterOf(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, string:
		return v, nil
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
		return v.Float64()
	case float64:
		if n := int64(v); float64(n) == v && v < 1<<53 && v > -1<<53 {
			return n, nil
		}
		return v, nil
	}
	return nil, fmt.Errorf("is a list or an object")
}

// answerQuery writes a result. Once something was sent, it reports an error by cutting
// the connection, so that nobody takes a part for the whole.
func (s *Server) answerQuery(hc huma.Context, answer QueryAnswer) {
	defer answer.Close()
	r, w := humamux.Unwrap(hc)
	ctx := r.Context()
	media := r.Header.Get("Accept") // as negotiated
	write, ok := queryWriters[media]
	if !ok {
		media, write = transport.MediaJSON, query.WriteJSON
	}
	head := w.Header()
	head.Set("Content-Type", media)
	head.Set("Cache-Control", "private, no-store")
	head.Add("Vary", "Accept")
	sent := &sending{w: w}
	buffer := bufio.NewWriterSize(sent, heldBack)
	err := write(buffer, answer)
	if err == nil {
		err = buffer.Flush()
	}
	switch {
	case err == nil:
	case !sent.begun:
		head.Del("Cache-Control")
		s.writeRefusal(w, ctx, err)
	default:
		level := s.log.ErrorContext
		if ctx.Err() != nil || sent.failed || fault.TypeOf(err) != fault.Internal {
			level = s.log.InfoContext // the caller disconnected, or the statement was wrong
		}
		level(ctx, "response cut off", "request_id", exchangeOf(ctx).id, "error", err)
		panic(http.ErrAbortHandler)
	}
}
