package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

// cascade measures how fast a layer of models that hold the same member follow it.
func cascade(e *Env) Row {
	return Row{
		Name: "cascade, models refreshed", Key: "Cascade",
		Bar: "≥ 200 models/s", Limits: []Limit{{Figure: "throughput", Least: 200}},
		Measure: func(ctx context.Context) (Result, error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			if s.wide == nil {
				if s.wide, err = s.startCascade(ctx, "WIDE"); err != nil {
					return Result{}, err
				}
			}
			n := e.count(400, 10)
			if err := s.wide.widen(ctx, n); err != nil {
				return Result{}, err
			}
			// The first cascade is not measured: until then the database has no statistics to plan by.
			if _, err := s.wide.run(ctx); err != nil {
				return Result{}, err
			}
			before, err := processorTime(s.pid())
			if err != nil && !errors.Is(err, errNoProc) {
				return Result{}, err
			}
			var took samples
			for range e.count(3, 1) {
				d, err := s.wide.run(ctx)
				if err != nil {
					return Result{}, err
				}
				took = append(took, d)
			}
			figures := []Figure{
				{Name: "throughput", Value: float64(n) / took.median().Seconds(), Unit: "models/s"},
				milliseconds("whole", took.median()),
			}
			if after, err := processorTime(s.pid()); err == nil {
				figures = append(figures, after.minus(before).figures(n*len(took))...)
			}
			return Result{
				Figures: figures,
				Note:    fmt.Sprintf("%d models that hold one, 20 years each, with files synced and rows committed; from the member's run to the last", n),
			}, nil
		},
	}
}

// layer is a set of models that hold the same member.
type layer struct {
	client *client
	bottom string // symbol of the member
	models int
}

// startCascade builds the member of a layer.
func (s *service) startCascade(ctx context.Context, symbol string) (*layer, error) {
	_, err := s.client.build(ctx, "models", holderScript(symbol, symbol, "BENCH-00"))
	return &layer{client: s.client, bottom: symbol}, err
}

// widen builds models until the layer has n.
func (l *layer) widen(ctx context.Context, n int) error {
	g, creating := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for ; l.models < n; l.models++ {
		symbol := fmt.Sprintf("%s-%d", l.bottom, l.models)
		g.Go(func() error {
			_, err := l.client.call(creating, http.MethodPost, "/v1/models", map[string]string{"script": holderScript(symbol, symbol, l.bottom)})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if err := l.waitUntilNone(ctx, "building"); err != nil {
		return err
	}
	failed, err := l.client.count(ctx, "failed")
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d models were not built", failed)
	}
	return err
}

// run starts another run of the member and waits until the models that hold it have
// followed.
func (l *layer) run(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	if err := l.client.run(ctx, "models/"+l.bottom, map[string]any{}); err != nil {
		return 0, err
	}
	if err := l.waitUntilNone(ctx, "updating"); err != nil {
		return 0, err
	}
	return time.Since(began), nil
}

func holderScript(name, symbol, member string) string {
	return fmt.Sprintf(`NAME = "%s"
SYMBOL = "%s"
SCHEDULE = "monthly"
INPUTS = {"universe": {"type": "array", "default": ["%s", "BENCH-01"]}}


def decide(ctx):
    return {"%s": 0.6, "BENCH-01": 0.4}
`, name, symbol, member, member)
}

// How often a layer is polled: often enough to measure seconds, and seldom enough that
// polling, which counts the models, does not slow it.
const (
	lookInterval = 50 * time.Millisecond
	lookPerModel = 20 * time.Microsecond
)

// waitUntilNone waits until no model has the status.
func (l *layer) waitUntilNone(ctx context.Context, status string) error {
	for {
		n, err := l.client.count(ctx, status)
		if n == 0 || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(max(lookInterval, time.Duration(l.models)*lookPerModel)):
		}
	}
}

// count counts the models with a status.
func (c *client) count(ctx context.Context, status string) (int, error) {
	var list struct{ Total int }
	err := c.read(ctx, http.MethodGet, "/v1/models?limit=1&status="+status, nil, &list)
	return list.Total, err
}
