package api

import (
	"context"
	"errors"
	"io"
	"net/http"

	"ballast/account"
	"ballast/api/console"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/script/analysis"
	"ballast/script/simulation"
)

// consoleHost implements console.Host.
type consoleHost struct{ pageHost }

// newConsole creates the console, which calls the same services as the operations.
func (s *Server) newConsole() (*console.Console, error) {
	return console.New(console.Config{
		Host: consoleHost{pageHost{s}}, Models: s.Models, Sheets: s.Models, Builder: s.Builder, Builders: s.creators(), Drafts: s.Drafts, Revisions: s.Revisions, Trash: s.Trash, Histories: s.Histories, Catalog: s.Catalog, Runs: s.Runs, RunChanges: s.RunChanges, Now: s.now,
	})
}

// creators are the builders of all kinds of programs.
func (s *Server) creators() map[string]console.Creator {
	return map[string]console.Creator{program.KindModel: s.Builder, simulation.Kind.Name: s.Simulations.Builder, analysis.Kind.Name: s.Analyses.Builder}
}

// Admit implements console.Host.
func (h consoleHost) Admit(r *http.Request) (*account.Identity, error) {
	identity, err := h.Visitor(r)
	if err != nil || identity == nil {
		return nil, err
	}
	x := exchangeOf(r.Context())
	x.identity = identity
	return identity, h.enter(x)
}

// maxConsoleForm is the most bytes that a form of the console may have: percent-encoding
// triples at most the bytes of a script, which are bounded by its checks.
const maxConsoleForm = 3 << 20

// Form implements console.Host.
func (h consoleHost) Form(w http.ResponseWriter, r *http.Request) error {
	if err := h.checkOrigin(r); err != nil {
		return err
	}
	body := &counted{ReadCloser: http.MaxBytesReader(w, r.Body, maxConsoleForm)}
	r.Body = body
	if err := parseForm(r); err != nil {
		return err
	}
	return h.limitText(exchangeOf(r.Context()), body.bytes)
}

// counted counts the bytes of a body, whose length a request that is sent in chunks does
// not say.
type counted struct {
	io.ReadCloser
	bytes int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.bytes += n
	return n, err
}

// Change implements console.Host.
func (h consoleHost) Change(r *http.Request, operation string, change func(ctx context.Context) error) error {
	ctx, note := h.beginNote(r.Context(), route{method: r.Method, id: operation})
	err := change(ctx)
	h.endNote(ctx, note, err)
	return err
}

// Recurring implements console.Host.
func (h consoleHost) Recurring(ctx context.Context, asked *bool) (*bool, error) {
	return h.recurring(ctx, asked)
}

// parseForm reads a posted form.
func parseForm(r *http.Request) error {
	err := r.ParseForm()
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return fault.New(fault.PayloadTooLarge, "The form is larger than %d bytes. Send less text.", tooLarge.Limit).Wrap(err)
	case err != nil:
		return fault.New(fault.MalformedRequest, "The form cannot be read. Send it as application/x-www-form-urlencoded.").Wrap(err)
	}
	return nil
}
