package languagemodel

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"ballast/program/generate"
)

const (
	attempts    = 5               // attempts per question
	longestWait = time.Minute     // longest wait between two attempts; if a server asks for more, the job is tried again later
	patience    = 5 * time.Minute // longest time from the first attempt to the start of the last
	firstWait   = time.Second
)

// unavailable is an error that a later attempt may not have.
type unavailable struct {
	reason string
	wait   time.Duration // wait that the server asks for; negative if it does not
	err    error
}

func (e *unavailable) Error() string { return e.reason }
func (e *unavailable) Unwrap() error { return e.err }

// trouble interprets the error of a request: it is a *generate.Failure if only the
// operator or another prompt can fix it, otherwise an *unavailable. Neither quotes
// what was sent.
func (g *Generator) trouble(err error) error {
	var r *refusal
	var other *notJSON
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &r):
		return g.refused(r)
	case errors.As(err, &other):
		return operator("the server at the configured address does not speak the protocol", "generator-url")
	case errors.Is(err, errTooLong):
		return &generate.Failure{Message: fmt.Sprintf("The language model's response had more than %d MiB. Describe a simpler model.", maxAnswer>>20)}
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return &unavailable{reason: fmt.Sprintf("%s did not respond within %v", g.provider, g.config.Timeout), wait: -1, err: err}
	}
	// An address may contain secrets.
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return &unavailable{reason: fmt.Sprintf("%s cannot be asked: %v", g.provider, err), wait: -1, err: err}
}

func (g *Generator) refused(r *refusal) error {
	switch {
	case r.code == "insufficient_quota", r.status == http.StatusPaymentRequired:
		return operator("the provider's account has no credit left", "")
	case r.status == http.StatusUnauthorized, r.status == http.StatusForbidden:
		return operator(fmt.Sprintf("the provider refuses the service's key (status %d)", r.status), "generator-key")
	case r.status == http.StatusNotFound:
		return operator(fmt.Sprintf("the provider does not know the model %q at the configured address (status 404)", g.config.Model), "generator-model and generator-url")
	case r.status >= 300 && r.status < 400:
		return operator(fmt.Sprintf("the configured address leads elsewhere (status %d)", r.status), "generator-url")
	case r.status >= 500, r.status == http.StatusTooManyRequests, r.status == http.StatusRequestTimeout,
		r.status == http.StatusConflict, r.status == http.StatusTooEarly:
		return &unavailable{reason: fmt.Sprintf("%s responded with the status %d", g.provider, r.status), wait: r.wait, err: r}
	}
	return &generate.Failure{Message: fmt.Sprintf("The language model's provider refuses the request (status %d). Shorten the description; if that does not help, the operator finds the reason in the log.", r.status)}
}

// operator is a failure that the caller can only pass on to the operator.
func operator(what, setting string) *generate.Failure {
	todo := "Tell the operator"
	if setting != "" {
		todo = "The operator has to correct " + setting
	}
	return &generate.Failure{Message: fmt.Sprintf("The language model cannot be asked: %s. %s.", what, todo)}
}
