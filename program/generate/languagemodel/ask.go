package languagemodel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"
)

// ask puts one question, and repeats it if the service is at fault. It fails with a
// *generate.Failure, the context's error, or an error that may be temporary.
func (g *Generator) ask(ctx context.Context, round int, turns []turn) (*reply, error) {
	begun := g.config.Now()
	for attempt := 1; ; attempt++ {
		r, err := g.requestOnce(ctx, round, attempt, turns)
		if err == nil {
			return r, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("ask %s: %w", g.provider, ctx.Err())
		}
		var u *unavailable
		if !errors.As(err, &u) {
			return nil, err
		}
		wait := backoff(attempt, u.wait)
		if attempt == attempts || wait > longestWait || g.config.Now().Add(wait).Sub(begun) > patience {
			return nil, fmt.Errorf("after %d attempts: %w", attempt, err)
		}
		if err := g.config.Sleep(ctx, wait); err != nil {
			return nil, fmt.Errorf("wait for %s: %w", g.provider, err)
		}
	}
}

// backoff is the wait after an attempt: what the server asks for, or else 1, 2, 4, 8
// seconds, shortened by up to a quarter so that workers do not all come back at once.
func backoff(attempt int, asked time.Duration) time.Duration {
	if asked >= 0 {
		return asked
	}
	wait := firstWait << (attempt - 1)
	return wait - rand.N(wait/4)
}

// requestOnce makes one request and logs it.
func (g *Generator) requestOnce(ctx context.Context, round, attempt int, turns []turn) (*reply, error) {
	begun := g.config.Now()
	limited, cancel := context.WithTimeout(ctx, g.config.Timeout)
	defer cancel()
	r, err := g.model.complete(limited, g.system, turns)
	attributes := []slog.Attr{
		slog.String("provider", g.provider), slog.String("model", g.config.Model),
		slog.Int("round", round), slog.Int("attempt", attempt),
		slog.Int64("duration_ms", g.config.Now().Sub(begun).Milliseconds()),
	}
	if err == nil {
		attributes = append(attributes, slog.Int("status", 200), slog.Int("tokens", r.tokens), slog.String("ending", string(r.ending)))
		g.config.Logger.LogAttrs(ctx, slog.LevelInfo, "language model answered", attributes...)
		return r, nil
	}
	told := g.trouble(err)
	var status *refusal
	if errors.As(err, &status) {
		attributes = append(attributes, slog.Int("status", status.status), slog.String("code", status.code), slog.String("detail", status.detail))
	}
	g.config.Logger.LogAttrs(ctx, slog.LevelWarn, "language model did not answer", append(attributes, slog.String("error", told.Error()))...)
	return nil, told
}
