package api

import (
	"bufio"
	"context"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"ballast/export"
	"ballast/internal/fault"
)

// exportFormats are what exports answer with, the default first.
var exportFormats = []struct {
	mediaType string
	format    export.Format
	extension string
}{
	{"application/vnd.apache.parquet", export.Parquet, ".parquet"},
	{"application/vnd.apache.arrow.stream", export.Arrow, ".arrows"},
}

const (
	// heldBack is how much of an export is kept until anything is sent: what goes
	// wrong before is told as an error.
	heldBack = 64 << 10
	// writePatience is how long a caller may take to read what is sent at a time.
	writePatience = time.Minute
)

// exportFormatKey carries the negotiated position in exportFormats.
type exportFormatKey struct{}

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
		Middlewares: huma.Middlewares{s.authenticate, s.negotiateExport, s.checkQuery, s.checkBody},
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
	for _, f := range exportFormats {
		content[f.mediaType] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	operation.Responses[strconv.Itoa(r.status)] = &huma.Response{
		Description: "The table. It is whole where its format ends as it should: Parquet with the footer, an Arrow stream with the end-of-stream mark.",
		Headers: map[string]*huma.Param{
			"X-Request-Id": textHeader("Id of the request"), "Content-Disposition": textHeader("A file name"),
		},
		Content: content,
	}
}

// negotiateExport chooses the format that the caller likes best.
func (s *Server) negotiateExport(ctx huma.Context, next func(huma.Context)) {
	best, liked := -1, 0.0
	for i, f := range exportFormats {
		if q := preference(ctx.Header("Accept"), f.mediaType); q > liked {
			best, liked = i, q
		}
	}
	if best < 0 {
		var offered []string
		for _, f := range exportFormats {
			offered = append(offered, f.mediaType)
		}
		s.refuseTo(ctx, fault.New(fault.NotAcceptable, "Exports answer %s, which the Accept header leaves out.", strings.Join(offered, " or ")).
			With(fault.Detail{Location: "header.Accept", Message: "accepts no available format", Accepted: offered}))
		return
	}
	next(huma.WithValue(ctx, exportFormatKey{}, best))
}

// preference is the quality that an Accept header gives a media type, 0 where it
// leaves it out: the most specific range that fits decides (RFC 9110 section
// 12.5.1).
func preference(header, mediaType string) float64 {
	if strings.TrimSpace(header) == "" {
		return 1
	}
	family, _, _ := strings.Cut(mediaType, "/")
	best, quality := -1, 0.0
	for part := range strings.SplitSeq(header, ",") {
		name, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		specific := slices.Index([]string{"*/*", family + "/*", mediaType}, name)
		if specific <= best {
			continue
		}
		best, quality = specific, 1
		if q, err := strconv.ParseFloat(params["q"], 64); err == nil {
			quality = q
		}
	}
	return quality
}

// stream writes the table. Once anything was sent an error can only be shown by
// cutting the connection, so that nobody takes a part for the whole.
func (s *Server) stream(hc huma.Context, rows *export.Rows, name string) {
	defer rows.Close()
	r, w := humamux.Unwrap(hc)
	ctx := r.Context()
	at, _ := ctx.Value(exportFormatKey{}).(int)
	f := exportFormats[at]
	head := w.Header()
	head.Set("Content-Type", f.mediaType)
	head.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name+f.extension))
	head.Set("Cache-Control", "private, no-store")
	if exchangeOf(ctx).head {
		w.WriteHeader(http.StatusOK)
		return
	}
	sent := &sending{w: w, control: http.NewResponseController(w)}
	buffer := bufio.NewWriterSize(sent, heldBack)
	err := export.Write(ctx, buffer, rows, f.format)
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

// Write implements io.Writer.
func (s *sending) Write(b []byte) (int, error) {
	s.begun = true
	_ = s.control.SetWriteDeadline(time.Now().Add(writePatience)) // not every writer has deadlines
	n, err := s.w.Write(b)
	s.failed = s.failed || err != nil
	return n, err
}
