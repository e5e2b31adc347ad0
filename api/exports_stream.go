package api

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"ballast/export"
)

// exportMedia are what exports answer with, the default first.
var exportMedia = []string{mediaParquet, mediaArrow}

const (
	// heldBack is how much of an export is kept until anything is sent: what goes
	// wrong before is told as an error.
	heldBack = 64 << 10
	// writePatience is how long a caller may take to read heldBack bytes.
	writePatience = time.Minute
)

// registerStream adds an operation whose answer is streamed: it is not held, has
// no ETag, and may be as long as it likes.
func registerStream[I any](s *Server, r route, name string, open func(context.Context, *I) (*export.Rows, error)) {
	if s.streams == nil {
		s.streams = map[string]bool{}
	}
	s.streams[r.path] = true
	faults := slices.Concat(everywhere, r.faults)
	operation := huma.Operation{
		OperationID: r.id, Method: r.method, Path: r.path, Tags: []string{r.tag},
		Summary: r.summary, Description: r.description, DefaultStatus: r.status,
		Security:     []map[string][]string{{bearerScheme: {}}},
		MaxBodyBytes: -1, BodyReadTimeout: -1,
		Middlewares: huma.Middlewares{s.authenticate, s.negotiate(exportMedia), s.checkQuery, s.checkBody},
		Metadata:    map[string]any{"faults": faults},
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
		Description: "The table. It is whole where its format ends as it should: Parquet with the footer, an Arrow stream with the end-of-stream mark.",
		Headers: map[string]*huma.Param{
			"X-Request-Id": textHeader("Id of the request"), "Content-Disposition": textHeader("A file name"),
		},
		Content: content,
	}
}

// stream writes the table. Once anything was sent an error can only be shown by
// cutting the connection, so that nobody takes a part for the whole.
func (s *Server) stream(hc huma.Context, rows *export.Rows, name string) {
	defer rows.Close()
	r, w := humamux.Unwrap(hc)
	ctx := r.Context()
	media, format := mediaParquet, export.Parquet
	if r.Header.Get("Accept") == mediaArrow { // as negotiated
		media, format = mediaArrow, export.Arrow
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
	sent := &sending{w: w, control: http.NewResponseController(w)}
	buffer := bufio.NewWriterSize(sent, heldBack)
	err := export.Write(ctx, buffer, rows, format)
	if err == nil {
		err = buffer.Flush()
	}
	switch {
	case err == nil:
		_ = sent.control.SetWriteDeadline(time.Time{}) // the connection may go on
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

// sending notes whether anything of an answer went out, and gives up on callers
// that do not read.
type sending struct {
	w             http.ResponseWriter
	control       *http.ResponseController
	begun, failed bool
}

// Write implements io.Writer. It sends in pieces, each with the patience of its
// own: what counts is that the caller reads, not how fast.
func (s *sending) Write(b []byte) (n int, err error) {
	s.begun = true
	for piece := range slices.Chunk(b, heldBack) {
		_ = s.control.SetWriteDeadline(time.Now().Add(writePatience)) // not every writer has deadlines
		sent, err := s.w.Write(piece)
		n += sent
		if err != nil {
			s.failed = true
			return n, err
		}
	}
	return n, nil
}
