package jobs

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
)

// calm drops the queue's complaints about canceled work once it has been told to
// stop, because the stop itself causes them. It passes on all other records.
type calm struct {
	slog.Handler
	stopping *atomic.Bool
}

// Handle implements slog.Handler.
func (h calm) Handle(ctx context.Context, r slog.Record) error {
	if h.stopping.Load() && r.Level > slog.LevelInfo && canceled(r) {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

// canceled reports whether a record mentions a canceled context. The queue logs
// errors as text.
func canceled(r slog.Record) bool {
	found := false
	r.Attrs(func(a slog.Attr) bool {
		found = strings.Contains(a.Value.String(), context.Canceled.Error())
		return !found
	})
	return found
}

// WithAttrs implements slog.Handler.
func (h calm) WithAttrs(attrs []slog.Attr) slog.Handler {
	return calm{Handler: h.Handler.WithAttrs(attrs), stopping: h.stopping}
}

// WithGroup implements slog.Handler.
func (h calm) WithGroup(name string) slog.Handler {
	return calm{Handler: h.Handler.WithGroup(name), stopping: h.stopping}
}
