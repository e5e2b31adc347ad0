package webhook

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"ballast/internal/fault"
	"ballast/internal/nearest"
)

// Webhook is an endpoint of an account.
type Webhook struct {
	ID          string // webhook_…
	AccountID   string
	URL         string
	Description string
	Events      []Kind
	Enabled     bool
	Disabled    string // why the service has switched it off, or ""
	Secret      string // whsec_ and base64
	Former      string // the former secret, or ""
	FormerUntil *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
	// Overlap is how long events are signed with a replaced secret as well as the new one.
	Overlap = 24 * time.Hour
	// AMinute is how many test events and repeated deliveries an account may ask for
	// in a minute.
	AMinute = 30

	longestURL         = 2048
	longestDescription = 200
)

// NewSecret creates a random signing secret.
func NewSecret() string {
	key := make([]byte, secretBytes)
	_, _ = rand.Read(key) // never fails: crypto/rand ends the program instead
	return secretPrefix + base64.StdEncoding.EncodeToString(key)
}

// Secrets returns the secrets that sign events at a moment, the current one first.
func (w *Webhook) Secrets(at time.Time) []string {
	if w.Former != "" && w.FormerUntil != nil && at.Before(*w.FormerUntil) {
		return []string{w.Secret, w.Former}
	}
	return []string{w.Secret}
}

// Patch describes changes to an endpoint; nil fields stay as they are.
type Patch struct {
	URL         *string
	Description *string
	Events      *[]Kind
	Enabled     *bool
	Rotate      bool // make a new secret; the former one also signs during the overlap
}

// Apply changes w as p says. The fault names every field that is not valid.
func (p Patch) Apply(w *Webhook, rules Rules, now time.Time) error {
	if p.URL != nil {
		w.URL = *p.URL
	}
	if p.Description != nil {
		w.Description = *p.Description
	}
	if p.Events != nil {
		w.Events = *p.Events
	}
	if p.Enabled != nil {
		w.Enabled = *p.Enabled
		if w.Enabled {
			w.Disabled = ""
		}
	}
	if p.Rotate {
		until := now.Add(Overlap)
		w.Secret, w.Former, w.FormerUntil = NewSecret(), w.Secret, &until
	}
	w.UpdatedAt = now
	return rules.check(w)
}

// check returns a fault that names every invalid field of an endpoint. It also sorts the
// endpoint's events.
func (r Rules) check(w *Webhook) error {
	var details []fault.Detail
	if d := r.checkURL(w.URL); d != nil {
		details = append(details, *d)
	}
	if len([]rune(w.Description)) > longestDescription {
		details = append(details, fault.Detail{Field: "description", Message: fmt.Sprintf("is longer than %d characters", longestDescription)})
	}
	if len(w.Events) == 0 {
		details = append(details, fault.Detail{Field: "events", Message: "must name at least one event", Accepted: texts(Kinds)})
	}
	for i, k := range w.Events {
		if !k.Known() {
			details = append(details, fault.Detail{
				Field: fmt.Sprintf("events[%d]", i), Message: fmt.Sprintf("%q is not an event", string(k)),
				Accepted: texts(Kinds), Suggestion: nearest.Match(string(k), texts(Kinds)),
			})
		}
	}
	if len(details) > 0 {
		return fault.New(fault.InvalidBody, "The webhook is not valid; details name each problem.").With(details...)
	}
	events := []Kind{}
	for _, k := range Kinds {
		if slices.Contains(w.Events, k) {
			events = append(events, k)
		}
	}
	w.Events = events
	return nil
}

func texts(kinds []Kind) []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k)
	}
	return out
}
