package api

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"ballast/api/transport"
	"ballast/api/web"
	"ballast/export"
	"ballast/internal/fault"
)

// exportMedia are the media types of exports; the first is the default.
var exportMedia = []string{transport.MediaParquet, transport.MediaArrow}

// heldBack is how many bytes of an export are held back before anything is sent, so
// that an early failure can still be reported as an error.
const heldBack = 64 << 10

// registerStream adds an operation whose response is streamed: it is not buffered,
// has no ETag, and has no size limit.
func registerStream[I any](s *Server, r route, name string, open func(context.Context, *I) (*export.Rows, error)) {
	if s.streams == nil {
		s.streams = map[string]bool{}
	}
	s.streams[r.path] = true
	faults := append(slices.Concat(everywhere, r.faults), fault.Forbidden)
	scopes := s.needed(r.method, r.id)
	operation := huma.Operation{
		OperationID: r.id, Method: r.method, Path: r.path, Tags: []string{r.tag},
		Summary: r.summary, Description: r.description, DefaultStatus: r.status,
		Security:     []map[string][]string{{bearerScheme: names(scopes)}},
		MaxBodyBytes: -1, BodyReadTimeout: -1,
		Middlewares: huma.Middlewares{s.authenticate, s.permit(scopes), s.negotiate(exportMedia), s.checkQuery, s.checkBody},
		Metadata:    map[string]any{web.FaultsKey: faults},
		Responses:   s.documentFaults(faults),
	}
	huma.Register(s.api, operation, func(ctx context.Context, in *I) (*huma.StreamResponse, error) {
		rows, err := open(ctx, in)
		if err != nil {
			return nil, s.refuse(ctx, err)
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) { s.stream(hc, rows, name) }}, nil
	})
	content := map[string]*huma.MediaType{}
	for _, media := range exportMedia {
		content[media] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	operation.Responses[strconv.Itoa(r.status)] = &huma.Response{
		Description: "The table. It is complete if its format ends properly: Parquet with the footer, an Arrow stream with the end-of-stream marker.",
		Headers: map[string]*huma.Param{
			"X-Request-Id": textHeader("Id of the request"), "Content-Disposition": textHeader("A file name"),
		},
		Content: content,
	}
}

// stream writes the table. Once bytes have been sent, only a cut connection can
// signal an error, so that nobody mistakes a part for the whole.
func (s *Server) stream(hc huma.Context, rows *export.Rows, name string) {
	defer rows.Close()
	r, w := humamux.Unwrap(hc)
	ctx := r.Context()
	media, format := transport.MediaParquet, export.Parquet
	if r.Header.Get("Accept") == transport.MediaArrow { // as negotiated
		media, format = transport.MediaArrow, export.Arrow
	}
	head := w.Header()
	head.Set("Content-Type", media)
	head.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name+format.Extension()))
	head.Set("Cache-Control", "private, no-store")
	head.Add("Vary", "Accept")
	if exchangeOf(ctx).head {
		w.WriteHeader(http.StatusOK)
		return
	}
	sent := &sending{w: w}
	defer rows.OnStall(exchangeOf(ctx).answer.Interrupt)()
	buffer := bufio.NewWriterSize(rows.Watch(sent), heldBack)
	err := export.Write(ctx, buffer, rows, format)
	if err == nil {
		err = buffer.Flush()
	}
	switch {
	case err == nil:
	case !sent.begun:
		head.Del("Content-Disposition")
		head.Del("Cache-Control")
		s.writeRefusal(w, ctx, err)
	default:
		level := s.log.ErrorContext
		if ctx.Err() != nil || sent.failed {
			level = s.log.InfoContext // the caller went away
		}
		level(ctx, "export cut off", "request_id", exchangeOf(ctx).id, "table", name, "error", err)
		panic(http.ErrAbortHandler)
	}
}

// sending records whether any bytes of a response were sent.
type sending struct {
	w             http.ResponseWriter
	begun, failed bool
}

// Write implements io.Writer.
func (s *sending) Write(b []byte) (n int, err error) {
	s.begun = true
	n, err = s.w.Write(b)
	s.failed = err != nil
	return n, err
}
