package languagemodel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ballast/program/generate/languagemodel"
)

const testKey = "sk-test-0123456789abcdef"

// protocol is what one provider's server reads and writes.
type protocol struct {
	name    string
	create  func(languagemodel.Config) (*languagemodel.Generator, error)
	prefix  string // of the base URL's path
	read    func(t *testing.T, r *http.Request, body []byte) asked
	answer  func(text, stop string, in, out int) string
	stop    string // of a whole answer
	cut     string
	refusal string // a refused answer
	failure func(kind, message string) string
}

var protocols = []protocol{anthropicProtocol, openaiProtocol}

// asked is one request as the server understood it.
type asked struct {
	model, system string
	maxTokens     int
	turns         []string // "user: …", "assistant: …"
	key           string
}

// anthropicProtocol follows https://docs.anthropic.com/en/api/messages.
var anthropicProtocol = protocol{
	name: "anthropic", create: languagemodel.NewAnthropic, stop: "end_turn", cut: "max_tokens",
	read: func(t *testing.T, r *http.Request, body []byte) asked {
		if r.Method != http.MethodPost || r.URL.Path != "/v1/messages" || r.Header.Get("Anthropic-Version") != "2023-06-01" {
			t.Errorf("got %s %s of version %q", r.Method, r.URL.Path, r.Header.Get("Anthropic-Version"))
		}
		type block struct {
			Type, Text   string
			CacheControl *struct{ Type string } `json:"cache_control"`
		}
		var got struct {
			Model     string
			MaxTokens int `json:"max_tokens"`
			System    []block
			Messages  []struct {
				Role    string
				Content []block
			}
		}
		decode(t, body, &got)
		a := asked{model: got.Model, maxTokens: got.MaxTokens, key: r.Header.Get("X-Api-Key")}
		for _, b := range got.System {
			if b.Type != "text" || b.CacheControl == nil || b.CacheControl.Type != "ephemeral" {
				t.Errorf("the system prompt is not cached text: %+v", b)
			}
			a.system += b.Text
		}
		for _, m := range got.Messages {
			if len(m.Content) != 1 || m.Content[0].Type != "text" {
				t.Errorf("a message has the content %+v", m.Content)
			}
			a.turns = append(a.turns, m.Role+": "+m.Content[0].Text)
		}
		return a
	},
	answer: func(text, stop string, in, out int) string {
		return fmt.Sprintf(`{"id":"msg_01","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":%s}],
			"stop_reason":%q,"stop_sequence":null,"usage":{"input_tokens":%d,"cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":%d}}`,
			quote(text), stop, in-320, out)
	},
	refusal: `{"id":"msg_01","type":"message","role":"assistant","model":"m","content":[],"stop_reason":"refusal",
		"stop_details":{"type":"refusal","category":"cyber","explanation":"Not this."},"usage":{"input_tokens":90,"output_tokens":10}}`,
	failure: func(kind, message string) string {
		return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%s},"request_id":"req_01"}`, kind, quote(message))
	},
}

// openaiProtocol follows https://platform.openai.com/docs/api-reference/chat.
var openaiProtocol = protocol{
	name: "openai", create: languagemodel.NewOpenAI, prefix: "/v1", stop: "stop", cut: "length",
	read: func(t *testing.T, r *http.Request, body []byte) asked {
		if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("got %s %s", r.Method, r.URL.Path)
		}
		var got struct {
			Model     string
			MaxTokens int `json:"max_tokens"`
			Messages  []struct{ Role, Content string }
		}
		decode(t, body, &got)
		a := asked{model: got.Model, maxTokens: got.MaxTokens}
		a.key, _ = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		for i, m := range got.Messages {
			if i == 0 && m.Role == "system" {
				a.system = m.Content
			} else {
				a.turns = append(a.turns, m.Role+": "+m.Content)
			}
		}
		return a
	},
	answer: func(text, stop string, in, out int) string {
		return fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,
			"message":{"role":"assistant","content":%s,"refusal":null},"logprobs":null,"finish_reason":%q}],
			"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":300}}}`,
			quote(text), stop, in, out, in+out)
	},
	refusal: `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop",
		"message":{"role":"assistant","content":null,"refusal":"Not this."}}],"usage":{"prompt_tokens":90,"completion_tokens":10,"total_tokens":100}}`,
	failure: func(kind, message string) string {
		return fmt.Sprintf(`{"error":{"message":%s,"type":%q,"param":null,"code":null}}`, quote(message), kind)
	},
}

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// decode refuses fields that the protocol does not have.
func decode(t *testing.T, body []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Errorf("the request cannot be read: %v\n%.500s", err, body)
	}
}

// reaction is how the server responds to one request.
type reaction func(w http.ResponseWriter, r *http.Request)

func with(status int, body string, headers ...string) reaction {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// says answers with a text, for 1,000 tokens read and 50 written.
func (p protocol) says(text string) reaction {
	return with(http.StatusOK, p.answer(text, p.stop, 1000, 50))
}

// server is a provider that uses one reaction per request, and the last one for all
// further requests.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked []asked
}

func serve(t *testing.T, p protocol, reactions ...reaction) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read a request: %v", err)
		}
		s.mu.Lock()
		n := len(s.asked)
		s.asked = append(s.asked, p.read(t, r, body))
		s.mu.Unlock()
		reactions[min(n, len(reactions)-1)](w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) requests() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// clock is a time that only passes in sleep.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.slept = c.now.Add(d), append(c.slept, d)
	return ctx.Err()
}

// bench is a generator for a server, with its log and its sleeps.
type bench struct {
	*languagemodel.Generator
	*server
	clock *clock
	log   *bytes.Buffer
}

func start(t *testing.T, p protocol, change func(*languagemodel.Config), reactions ...reaction) *bench {
	t.Helper()
	b := &bench{
		server: serve(t, p, reactions...), log: &bytes.Buffer{},
		clock: &clock{now: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)},
	}
	c := languagemodel.Config{
		Model: "writer-1", BaseURL: b.URL + p.prefix, Key: testKey, MaxTokens: 4096,
		Logger: slog.New(slog.NewTextHandler(b.log, nil)), Now: b.clock.Now, Sleep: b.clock.Sleep,
	}
	if change != nil {
		change(&c)
	}
	g, err := p.create(c)
	if err != nil {
		t.Fatal(err)
	}
	b.Generator = g
	return b
}
