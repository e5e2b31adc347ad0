package bench

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"ballast/script/sandbox"
)

// warmPool starts a pool with one sandbox. The caller closes it.
func (e *Env) warmPool(ctx context.Context) (*sandbox.Pool, error) {
	binary, err := filepath.Abs(e.Binary) // a sandbox starts in another folder
	if err != nil {
		return nil, err
	}
	return sandbox.NewPool(ctx, sandbox.Config{
		Command: []string{binary, "sandbox"}, Size: 1,
		Defaults: sandbox.Limits{Deadline: time.Minute, Memory: 1 << 30},
		Logger:   slog.New(slog.NewTextHandler(io.Discard, nil)), Registerer: prometheus.NewRegistry(),
	})
}
