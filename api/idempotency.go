package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"ballast/account"
	"ballast/api/transport"
	"ballast/internal/fault"
)

// Idempotency keeps the responses to requests with a key for a day.
type Idempotency interface {
	// Claim takes the key for the request with this hash. It returns nil, nil if the
	// caller may continue, and the saved response if the same request was answered
	// before. The error is fault.IdempotencyMismatch if the key belongs to another
	// request, and fault.IdempotencyProgress while the same request is in progress. A
	// claim that is neither kept nor dropped within a few minutes expires.
	Claim(ctx context.Context, accountID, key string, request [32]byte) (*account.SavedResponse, error)
	// Keep saves the response for a claimed key.
	Keep(ctx context.Context, accountID, key string, a account.SavedResponse) error
	// Drop releases a claimed key: the request was refused for now and started
	// nothing.
	Drop(ctx context.Context, accountID, key string) error
}

const (
	idempotencyHeader = "Idempotency-Key"
	maxIdempotencyKey = 255
	// firstTime is how long a repeated request waits for the response to the first
	// one, and firstLook is how often it checks.
	firstTime = 10 * time.Second
	firstLook = 100 * time.Millisecond
)

// passing are the refusals that go away with time, credit or another plan: a request
// that was refused this way may be sent again under the same key. Any other 4xx
// response is kept, as a success is.
var passing = []fault.Type{
	fault.RunConflict, fault.RebuildConflict, fault.ModelBusy, fault.RunInFlight, fault.RunIncomplete, fault.NotReady,
	fault.DailyRunLimit, fault.RateLimited, fault.PlanRequired, fault.InsufficientFunds,
}

func idempotencyParameter() *huma.Param {
	longest := maxIdempotencyKey
	return &huma.Param{
		Name: idempotencyHeader, In: "header",
		Description: "Repeating a request with the same key within 24 hours returns the first response and starts nothing; a different request with the key is refused. " +
			"A repeat that arrives while the first request is in progress waits for its response, for at most 10 seconds. The parameter wait is not part of the comparison.",
		Schema: &huma.Schema{Type: huma.TypeString, MaxLength: &longest},
	}
}

// idempotent returns the first response to a repeated request.
func (s *Server) idempotent(ctx huma.Context, next func(huma.Context)) {
	key := ctx.Header(idempotencyHeader)
	if key == "" {
		next(ctx)
		return
	}
	if s.Idempotency == nil {
		s.refuseTo(ctx, fault.New(fault.InvalidParameter, "This server does not support idempotency keys. Send the request without one.").
			With(fault.Detail{Location: "header." + idempotencyHeader, Message: "is not supported here"}))
		return
	}
	if len(key) > maxIdempotencyKey || strings.ContainsFunc(key, func(c rune) bool { return c < ' ' || c > '~' }) {
		s.refuseTo(ctx, fault.New(fault.InvalidParameter, "The idempotency key must be printable ASCII, at most %d characters long.", maxIdempotencyKey).
			With(fault.Detail{Location: "header." + idempotencyHeader, Message: "is too long or not printable"}))
		return
	}
	request, writer := humamux.Unwrap(ctx)
	hash, err := hashRequest(request)
	if err != nil {
		s.refuseTo(ctx, err)
		return
	}
	accountID := accountOf(ctx.Context())
	answer, err := s.claim(ctx.Context(), accountID, key, hash)
	var f *fault.Error
	if errors.As(err, &f) && f.Type == fault.IdempotencyMismatch {
		err = f.With(fault.Detail{Location: "header." + idempotencyHeader, Message: "belongs to another request"})
	}
	switch {
	case err != nil:
		s.refuseTo(ctx, err)
		return
	case answer != nil:
		ctx.SetHeader("Content-Type", answer.ContentType)
		ctx.SetHeader("Idempotency-Replayed", "true")
		ctx.SetStatus(answer.Status)
		_, _ = ctx.BodyWriter().Write(answer.Body)
		return
	}
	s.settle(ctx, writer.(*transport.Held), accountID, key, next)
}

// claim takes a key, or waits for the response to the first request that used it.
func (s *Server) claim(ctx context.Context, accountID, key string, hash [32]byte) (*account.SavedResponse, error) {
	patience, look := time.NewTimer(firstTime), time.NewTicker(firstLook)
	defer patience.Stop()
	defer look.Stop()
	for {
		answer, err := s.Idempotency.Claim(ctx, accountID, key, hash)
		if fault.TypeOf(err) != fault.IdempotencyProgress {
			return answer, err
		}
		select {
		case <-look.C:
		case <-patience.C:
			return nil, err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// final reports whether a response is saved for repeats of the request.
func final(status int, refused fault.Type) bool {
	if status < http.StatusBadRequest {
		return status >= http.StatusOK
	}
	return status < http.StatusInternalServerError && !slices.Contains(passing, refused)
}

// settle runs a claimed request and keeps or drops its key, even if the handler
// panics or the caller is gone.
func (s *Server) settle(ctx huma.Context, answer *transport.Held, accountID, key string, next func(huma.Context)) {
	defer func() {
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx.Context()), 5*time.Second)
		defer cancel()
		var err error
		status, body := answer.Written()
		if final(status, exchangeOf(after).refused) {
			err = s.Idempotency.Keep(after, accountID, key, account.SavedResponse{
				Status: status, ContentType: answer.Header().Get("Content-Type"), Body: bytes.Clone(body),
			})
		} else {
			err = s.Idempotency.Drop(after, accountID, key)
		}
		if err != nil {
			s.log.ErrorContext(after, "idempotency key not settled", "request_id", exchangeOf(after).id, "error", err)
		}
	}()
	next(ctx)
}

// hashRequest identifies a request by method, path, query and body. The wait
// parameter is left out, because it does not change what the request does.
func hashRequest(r *http.Request) ([32]byte, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return [32]byte{}, err
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	query := r.URL.Query()
	query.Del("wait")
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.EscapedPath(), query.Encode(), string(body)} {
		size := len(part)
		h.Write([]byte{byte(size >> 24), byte(size >> 16), byte(size >> 8), byte(size)})
		h.Write([]byte(part))
	}
	return [32]byte(h.Sum(nil)), nil
}
