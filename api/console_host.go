package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"time"

	"ballast/account"
	"ballast/api/console"
	"ballast/internal/fault"
	"ballast/program"
	"ballast/script/analysis"
	"ballast/script/simulation"
)

// consoleHost implements console.Host and console.Changer.
type consoleHost struct{ pageHost }

// newConsole creates the console, which calls the same services as the operations.
func (s *Server) newConsole() (*console.Console, error) {
	host := consoleHost{pageHost{s}}
	return console.New(console.Config{
		Host: host, Changer: host, Kinds: s.consoleKinds(), Reader: s.Builder, Drafts: s.Drafts, Revisions: s.Revisions, Histories: s.Histories, Catalog: s.Catalog, Estimate: s.estimate,
		Accounts: s.Accounts, Billing: s.Billing, Metered: s.Policy.Metered, BuildCents: s.Policy.Prices.BuildHold(0), Optimizers: s.Optimizers, Solver: s.OptimizerAnswers, Keys: consoleKeys{s.Keys, s}, Webhooks: s.Webhooks, Deliveries: s.Deliveries, Changes: s.Audit, Shares: s.Shares, Origin: s.origin, Now: s.now,
	})
}

// consoleKinds are the kinds of programs that the service keeps, models first.
func (s *Server) consoleKinds() []*console.Kind {
	kinds := []*console.Kind{{Name: program.KindModel, Title: "Models", Path: "models", Programs: s.Models, Builder: s.Builder, Runs: s.Runs, Changes: s.RunChanges, Trash: s.Trash}}
	add := func(of Family, name, title, path string, call *console.Call) {
		if of.Programs != nil {
			kinds = append(kinds, &console.Kind{Name: name, Title: title, Path: path, Programs: of.Programs, Builder: of.Builder, Runs: of.Runs, Changes: of.Changes, Trash: of.Trash, Call: call})
		}
	}
	add(s.Simulations, simulation.Kind.Name, "Simulations", "simulations",
		&console.Call{Field: "rule", Title: "What is withdrawn", Functions: simulation.Rules(), Inputs: simulation.Kind.Inputs, Source: simulationSource})
	add(s.Analyses, analysis.Kind.Name, "Analyses", "analyses",
		&console.Call{Field: "kind", Title: "What is analyzed", Functions: analysis.Functions(), Inputs: analysis.Kind.Inputs, Source: s.analysisSource})
	return kinds
}

// consoleKeys implements console.Keys.
type consoleKeys struct {
	accountKeys
	s *Server
}

// accountKeys has another name than its method Keys.
type accountKeys interface{ Keys }

// NewKey implements console.Keys.
func (k consoleKeys) NewKey(ctx context.Context, made *account.Key) (secret string, err error) {
	return k.s.newKey(ctx, made)
}

// Admit implements console.Host.
func (h consoleHost) Admit(r *http.Request) (*account.Identity, error) {
	identity, err := h.Visitor(r)
	if err != nil || identity == nil {
		return nil, err
	}
	x := exchangeOf(r.Context())
	x.identity = identity
	if err := mayDo(identity, toRead); err != nil {
		return identity, err
	}
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

// Change implements console.Changer.
func (h consoleHost) Change(r *http.Request, operation string, change func(ctx context.Context) error) error {
	ctx, note := h.beginNote(r.Context(), route{method: r.Method, id: operation})
	err := mayDo(exchangeOf(ctx).identity, h.needed(r.Method, operation))
	if err == nil {
		err = change(spending(ctx))
	}
	h.endNote(ctx, note, err)
	return err
}

// Once implements console.Changer. It keeps where the first form went on beside the responses
// to requests with an Idempotency-Key, under a key that also names what the form says.
func (h consoleHost) Once(r *http.Request, operation, key string, change func(ctx context.Context) (string, error)) (next string, err error) {
	do := func() error {
		return h.Change(r, operation, func(ctx context.Context) error {
			next, err = change(ctx)
			return err
		})
	}
	if h.Idempotency == nil {
		err = do()
		return next, err
	}
	ctx, accountID := r.Context(), accountOf(r.Context())
	said := sha256.Sum256([]byte(r.URL.EscapedPath() + "\x00" + r.PostForm.Encode()))
	key = "console " + key + " " + hex.EncodeToString(said[:16])
	former, err := h.claim(ctx, accountID, key, said)
	if err != nil {
		return "", err
	}
	if former != nil {
		return string(former.Body), nil
	}
	made := false
	defer func() {
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		var settled error
		if made {
			settled = h.Idempotency.Keep(after, accountID, key, account.SavedResponse{Status: http.StatusSeeOther, ContentType: "text/plain; charset=utf-8", Body: []byte(next)})
		} else {
			settled = h.Idempotency.Drop(after, accountID, key)
		}
		if settled != nil {
			h.log.ErrorContext(after, "idempotency key not settled", "request_id", exchangeOf(after).id, "error", settled)
		}
	}()
	err = do()
	made = err == nil
	return next, err
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
