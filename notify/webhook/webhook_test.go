package webhook

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
)

func TestApply(t *testing.T) {
	t.Parallel()
	ports, err := ParsePorts([]string{"8443", "9000-9010"})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		private bool
		url     string
		events  []Kind
		about   string
		wrong   []string // locations
	}{
		{name: "public", url: "https://example.com/hooks?token=1", events: []Kind{RunFailed}},
		{name: "port", url: "https://example.com:443/", events: []Kind{RunFailed}},
		{name: "port allowed", url: "https://example.com:8443/", events: []Kind{RunFailed}},
		{name: "port of a range", url: "https://example.com:9005/", events: []Kind{RunFailed}},
		{name: "other port", url: "https://example.com:5432/", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "other port, private", private: true, url: "http://10.0.0.1:22/", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "no port", url: "https://example.com:99999/", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "http", url: "http://example.com/", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "http allowed", private: true, url: "http://10.0.0.1:8443/", events: []Kind{RunFailed}},
		{name: "other scheme", private: true, url: "ftp://example.com/", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "relative", url: "/hooks", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "no host", url: "https:///hooks", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "opaque", url: "https:example.com", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "user", url: "https://me:secret@example.com/", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "fragment", url: "https://example.com/#top", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "localhost", url: "https://LocalHost./", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "loopback", url: "https://127.0.0.1/", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "loopback, IPv6", url: "https://[::1]/", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "mapped", url: "https://[::ffff:169.254.169.254]/", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "metadata", url: "https://169.254.169.254/latest", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "metadata, private", private: true, url: "http://169.254.169.254/latest", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "metadata by name", private: true, url: "http://Metadata.Google.Internal./", events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "long", url: "https://example.com/" + strings.Repeat("x", longestURL), events: []Kind{RunFailed}, wrong: []string{"url"}},
		{name: "no event", url: "https://example.com/", wrong: []string{"events"}},
		{name: "unknown events", url: "https://example.com/", events: []Kind{RunFailed, "run.completed", Test}, wrong: []string{"events[1]", "events[2]"}},
		{name: "all at once", url: "x", about: strings.Repeat("ä", longestDescription+1), wrong: []string{"url", "description", "events"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := &Webhook{}
			err := Patch{URL: &test.url, Events: &test.events, Description: &test.about}.Apply(w, Rules{Private: test.private, Ports: ports}, time.Now())
			var locations []string
			var f *fault.Error
			if errors.As(err, &f) {
				for _, d := range f.Details {
					locations = append(locations, d.Field)
				}
			}
			if diff := cmp.Diff(test.wrong, locations); diff != "" {
				t.Error(diff, err)
			}
		})
	}
}

func TestApplySuggests(t *testing.T) {
	t.Parallel()
	url, events := "https://example.com/", []Kind{"run.completed"}
	err := Patch{URL: &url, Events: &events}.Apply(&Webhook{}, Rules{}, time.Now())
	var f *fault.Error
	if !errors.As(err, &f) || f.Details[0].Suggestion != string(RunComplete) || !slices.Contains(f.Details[0].Accepted, "billing.low") {
		t.Errorf("%v", err)
	}
}

func TestEventsAreASet(t *testing.T) {
	t.Parallel()
	url, events := "https://example.com/", []Kind{RunFailed, ModelActive, RunFailed}
	w := &Webhook{}
	if err := (Patch{URL: &url, Events: &events}).Apply(w, Rules{}, time.Now()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Kind{ModelActive, RunFailed}, w.Events); diff != "" {
		t.Error(diff)
	}
}

func TestRotate(t *testing.T) {
	t.Parallel()
	now := time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)
	w := &Webhook{URL: "https://example.com/", Events: []Kind{RunFailed}, Secret: NewSecret()}
	first := w.Secret
	if err := (Patch{Rotate: true}).Apply(w, Rules{}, now); err != nil {
		t.Fatal(err)
	}
	if w.Secret == first || !strings.HasPrefix(w.Secret, "whsec_") {
		t.Errorf("secret %q", w.Secret)
	}
	if diff := cmp.Diff([]string{w.Secret, first}, w.Secrets(now.Add(Overlap-time.Second))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{w.Secret}, w.Secrets(now.Add(Overlap))); diff != "" {
		t.Error(diff)
	}
}

func TestWait(t *testing.T) {
	t.Parallel()
	var total time.Duration
	attempts := 1
	for ; total < Patience; attempts++ {
		w := wait(attempts, 0)
		if attempts > 1 && w < wait(attempts-1, 0) {
			t.Errorf("the wait after attempt %d is shorter than the one before", attempts)
		}
		total += w
	}
	if attempts < 15 || attempts > 40 {
		t.Errorf("%d attempts in three days", attempts)
	}
	if got := wait(1, time.Hour); got != time.Hour {
		t.Errorf("an endpoint that asks for an hour gets %s", got)
	}
	if got := wait(1, 30*24*time.Hour); got != 4*time.Hour {
		t.Errorf("an endpoint that asks for a month gets %s", got)
	}
}
