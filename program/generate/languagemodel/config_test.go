package languagemodel_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"ballast/program/generate/languagemodel"
)

func TestConfigurationIsChecked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		config languagemodel.Config
		want   string // "" is accepted
	}{
		{"no model", languagemodel.Config{Key: "k"}, "name of a model"},
		{"no key for the provider itself", languagemodel.Config{Model: "m"}, "needs a key"},
		{"no key for a server of one's own", languagemodel.Config{Model: "m", BaseURL: "http://127.0.0.1:11434/v1"}, ""},
		{"a key with an end of line", languagemodel.Config{Model: "m", Key: "k\n"}, ""},
		{"a key with a space", languagemodel.Config{Model: "m", Key: "k k"}, "spaces"},
		{"no scheme", languagemodel.Config{Model: "m", Key: "k", BaseURL: "localhost:11434"}, "address"},
		{"a user in the address", languagemodel.Config{Model: "m", Key: "k", BaseURL: "https://me:secret@host/v1"}, "address"},
		{"a query in the address", languagemodel.Config{Model: "m", Key: "k", BaseURL: "https://host/v1?key=secret"}, "address"},
		{"a negative timeout", languagemodel.Config{Model: "m", Key: "k", Timeout: -time.Second}, "not be negative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, p := range protocols {
				_, err := p.create(c.config)
				switch {
				case c.want == "" && err != nil:
					t.Errorf("%s: %v", p.name, err)
				case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret")):
					t.Errorf("%s: got %v, want an error about %q", p.name, err, c.want)
				}
			}
		})
	}
}

func TestUnencryptedKeyIsWarnedOf(t *testing.T) {
	t.Parallel()
	for address, warned := range map[string]bool{"http://llm.example.com/v1": true, "https://llm.example.com/v1": false, "http://[::1]:8080/v1": false} {
		var log bytes.Buffer
		if _, err := languagemodel.NewOpenAI(languagemodel.Config{Model: "m", Key: "k", BaseURL: address, Logger: slog.New(slog.NewTextHandler(&log, nil))}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(log.String(), "unencrypted") != warned {
			t.Errorf("%s: logged %q", address, log.String())
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestAddresses checks where requests go, and under which name they limit the tokens.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p             protocol
		address, want string
		limit         string
	}{
		{anthropicProtocol, "", "https://api.anthropic.com/v1/messages", `"max_tokens":4096`},
		{anthropicProtocol, "https://proxy.example.com/claude/v1/", "https://proxy.example.com/claude/v1/messages", `"max_tokens":4096`},
		{openaiProtocol, "", "https://api.openai.com/v1/chat/completions", `"max_completion_tokens":4096`},
		{openaiProtocol, "https://me.openai.azure.com/openai/v1/", "https://me.openai.azure.com/openai/v1/chat/completions", `"max_completion_tokens":4096`},
		{openaiProtocol, "http://localhost:8000", "http://localhost:8000/v1/chat/completions", `"max_tokens":4096`},
	} {
		t.Run(c.want, func(t *testing.T) {
			t.Parallel()
			var got, body string
			client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				text, err := io.ReadAll(r.Body)
				got, body = r.URL.String(), string(text)
				return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(c.p.answer(block(model("SPY")), c.p.stop, 1000, 1)))}, err
			})}
			g, err := c.p.create(languagemodel.Config{Model: "m", Key: "k", BaseURL: c.address, MaxTokens: 4096, HTTPClient: client})
			if err != nil {
				t.Fatal(err)
			}
			shelf := newShelf()
			if _, err := g.Generate(t.Context(), shelf, shelf.request("SPY")); err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("asked %s, want %s", got, c.want)
			}
			contains(t, "the request", body, c.limit)
		})
	}
}

// TestEnvironmentIsNotRead checks that keys meant for other programs are not used.
func TestEnvironmentIsNotRead(t *testing.T) {
	for name, value := range map[string]string{
		"ANTHROPIC_API_KEY": "stray", "ANTHROPIC_AUTH_TOKEN": "stray", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "ANTHROPIC_CUSTOM_HEADERS": "X-Stray: 1",
		"OPENAI_API_KEY": "stray", "OPENAI_BASE_URL": "http://127.0.0.1:1", "OPENAI_ORG_ID": "stray", "OPENAI_CUSTOM_HEADERS": "X-Stray: 1",
	} {
		t.Setenv(name, value)
	}
	for _, p := range protocols {
		shelf := newShelf()
		b := start(t, p, nil, func(w http.ResponseWriter, r *http.Request) {
			for name, values := range r.Header {
				if strings.Contains(name, "Stray") || strings.Contains(strings.Join(values, " "), "stray") {
					t.Errorf("%s: sent %s: %s", p.name, name, values)
				}
			}
			p.says(block(model("SPY")))(w, r)
		})
		if _, err := b.Generate(t.Context(), shelf, shelf.request("SPY")); err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
	}
}
