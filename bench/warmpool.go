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

// warmPool starts one sandbox, which the caller closes.
func (e *Env) warmPool(ctx context.Context) (*sandbox.Pool, error) {
	binary, err := filepath.Abs(e.Binary) // a sandbox does not start in this folder
	if err != nil {
		return nil, err
	}
	return sandbox.NewPool(ctx, sandbox.Config{
		Command: []string{binary, "sandbox"}, Size: 1,
		Defaults: sandbox.Limits{Deadline: time.Minute, Memory: 1 << 30},
		Logger:   slog.New(slog.NewTextHandler(io.Discard, nil)), Registerer: prometheus.NewRegistry(),
	})
}
