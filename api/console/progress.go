package console

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"ballast/internal/fault"
)

// How progress is sent. A stream ends after a while so that it holds up no stop of the
// service; the browser opens the next one by itself, also after a restart.
const (
	streamLength = 20 * time.Second
	streamStep   = 500 * time.Millisecond
	streamRetry  = time.Second
	// refreshSeconds is how often browsers without scripts read the page again.
	refreshSeconds = 3
)

// streamProgress sends, as server-sent events, how far the work on a model has come. The
// event done says that there is none left.
func (c *Console) streamProgress(w http.ResponseWriter, plain *http.Request, kind *Kind) {
	who, err := c.Host.Admit(plain)
	r := &request{Request: plain, who: who, kind: kind}
	if err == nil && who == nil {
		err = fault.New(fault.Unauthenticated, "The session has ended. Sign in again.")
	}
	if err == nil {
		_, err = c.work(plain.Context(), r)
	}
	if err != nil {
		e := c.Host.Explain(plain, err)
		http.Error(w, e.Message, e.Status)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // proxies would hold events back
	out := http.NewResponseController(w)
	_, _ = fmt.Fprintf(w, "retry: %d\n\n", streamRetry.Milliseconds())
	tick, end := time.NewTicker(streamStep), time.NewTimer(streamLength)
	defer tick.Stop()
	defer end.Stop()
	last := ""
	for {
		p, err := c.work(plain.Context(), r)
		if err != nil { // it was deleted, or the reader left
			_, _ = fmt.Fprint(w, "event: done\ndata: {}\n\n")
			_ = out.Flush()
			return
		}
		text := "null"
		if p != nil {
			encoded, err := json.Marshal(p)
			if err != nil {
				return
			}
			text = string(encoded)
		}
		if text != last {
			last = text
			event := "progress"
			if p == nil {
				event = "done"
			}
			_, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, text)
			if err != nil || out.Flush() != nil || p == nil {
				return
			}
		}
		select {
		case <-plain.Context().Done():
			return
		case <-end.C:
			return
		case <-tick.C:
		}
	}
}

// work returns how far the work has come that the address names: a test of a draft, a run,
// or what is in progress on a program; nil if there is none left.
func (c *Console) work(ctx context.Context, r *request) (*progress, error) {
	query := r.URL.Query()
	switch {
	case query.Has("revision"):
		v, _, err := c.Revisions.Revision(ctx, r.account(), r.model(), query.Get("revision"))
		if err != nil || v.Status.Ended() {
			return nil, err
		}
		return &progress{Step: v.Progress.Step, Done: v.Progress.Done, Total: v.Progress.Total}, nil
	case query.Has("run"):
		run, err := c.ownRun(ctx, r, query.Get("run"))
		if err != nil || run.Status.Ended() {
			return nil, err
		}
		return progressOf(run), nil
	}
	m, err := c.own(ctx, r)
	if err != nil {
		return nil, err
	}
	return progressOf(m.InFlight), nil
}
