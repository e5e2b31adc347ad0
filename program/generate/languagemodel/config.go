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

// Config says which language model is asked, and how.
type Config struct {
	Model      string        // as the provider names it; required
	BaseURL    string        // "" is the provider's own; OpenAI's includes the version, such as http://localhost:11434/v1
	Key        string        // required without BaseURL; local servers need none
	MaxTokens  int           // that one answer may have; 0 is 16,000
	Timeout    time.Duration // of one request; 0 is 2 minutes
	Rounds     int           // answers at most for one prompt; 0 is 3
	HTTPClient *http.Client  // nil is one of http.DefaultTransport
	Logger     *slog.Logger  // a line a request; nil is none
	Now        func() time.Time
	Sleep      func(context.Context, time.Duration) error // nil waits; it ends with the context's error
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

// check reports what an operator has to correct; own is the provider's address.
func (c Config) check(own string) error {
	switch {
	case c.Model == "":
		return errors.New("the generator needs the name of a model")
	case c.Key == "" && c.BaseURL == own:
		return fmt.Errorf("the generator needs a key for %s", own)
	case strings.ContainsFunc(c.Key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return errors.New("the generator's key holds spaces or control characters")
	case c.MaxTokens < 0 || c.Timeout < 0 || c.Rounds < 0:
		return errors.New("the generator's tokens, timeout and rounds are not negative")
	}
	u, err := url.Parse(c.BaseURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("the generator's address is not of the form https://host/path, without user, query and fragment")
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
