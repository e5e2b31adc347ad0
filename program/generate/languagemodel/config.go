package languagemodel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// Config specifies which language model is used, and how.
type Config struct {
	Model      string        // the provider's name for it; required
	BaseURL    string        // "": the provider's own; for OpenAI's protocol it includes the version, such as http://localhost:11434/v1
	Key        string        // required unless BaseURL is set; local servers need none
	MaxTokens  int           // limit for one answer; 0: 16,000
	Timeout    time.Duration // of one request; 0: 2 minutes
	Rounds     int           // most answers for one prompt; 0: 3
	HTTPClient *http.Client  // nil: a client with http.DefaultTransport
	Logger     *slog.Logger  // logs one line per request; nil: none
	Now        func() time.Time
	Sleep      func(context.Context, time.Duration) error // nil: a real wait, which returns the context's error if it ends early
}

const (
	defaultMaxTokens = 16_000
	defaultTimeout   = 2 * time.Minute
	defaultRounds    = 3
)

func (c Config) withDefaults() Config {
	if c.MaxTokens == 0 {
		c.MaxTokens = defaultMaxTokens
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	if c.Rounds == 0 {
		c.Rounds = defaultRounds
	}
	if c.HTTPClient == nil {
		c.HTTPClient = &http.Client{}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	c.Key = strings.TrimSpace(c.Key)
	return c
}

// check reports what the operator has to correct. own is the provider's own address.
func (c Config) check(own string) error {
	switch {
	case c.Model == "":
		return errors.New("the generator needs the name of a model")
	case c.Key == "" && c.BaseURL == own:
		return fmt.Errorf("the generator needs a key for %s", own)
	case strings.ContainsFunc(c.Key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return errors.New("the generator's key contains spaces or control characters")
	case c.MaxTokens < 0 || c.Timeout < 0 || c.Rounds < 0:
		return errors.New("the generator's tokens, timeout and rounds must not be negative")
	}
	u, err := url.Parse(c.BaseURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("the generator's address must be of the form https://host/path, without user, query or fragment")
	}
	if c.Key != "" && u.Scheme == "http" && !loopback(u.Hostname()) {
		c.Logger.Warn("the generator's key and prompts are sent unencrypted", "host", u.Host)
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
