package languagemodel

import (
	"context"
	"net/url"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

const openaiURL = "https://api.openai.com/v1"

// NewOpenAI creates a generator for a server that speaks OpenAI's chat completions:
// OpenAI itself, or a local or hosted one. It fails if the configuration is wrong.
func NewOpenAI(c Config) (*Generator, error) {
	c = c.withDefaults()
	if c.BaseURL == "" {
		c.BaseURL = openaiURL
	}
	c.BaseURL = versioned(strings.TrimSuffix(c.BaseURL, "/"))
	if err := c.check(openaiURL); err != nil {
		return nil, err
	}
	options := []option.RequestOption{
		option.WithBaseURL(c.BaseURL),
		option.WithHTTPClient(guarded(c)),
		option.WithMaxRetries(0),
		option.WithRequestTimeout(c.Timeout),
	}
	if c.Key != "" {
		options = append(options, option.WithAPIKey(c.Key))
	}
	// Use the service directly: unlike the SDK's client, it reads no environment
	// variables.
	return newGenerator("openai", c, &openaiModel{
		completions: openai.NewChatCompletionService(options...), model: c.Model,
		maxTokens: int64(c.MaxTokens), reasoning: limitsReasoning(c.BaseURL),
	}), nil
}

// versioned adds the version to an address without a path.
func versioned(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" && u.Path == "" {
		return address + "/v1"
	}
	return address
}

// limitsReasoning reports whether a server limits tokens by max_completion_tokens.
// OpenAI and Azure's version of it do, and their newer models refuse max_tokens; most
// other servers know only max_tokens.
func limitsReasoning(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return strings.HasSuffix(host, ".openai.com") || strings.HasSuffix(host, ".azure.com")
}

type openaiModel struct {
	completions openai.ChatCompletionService
	model       string
	maxTokens   int64
	reasoning   bool
}

func (m *openaiModel) complete(ctx context.Context, system string, turns []turn) (*reply, error) {
	params := openai.ChatCompletionNewParams{
		Model:    m.model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(system)},
	}
	if m.reasoning {
		params.MaxCompletionTokens = openai.Int(m.maxTokens)
	} else {
		params.MaxTokens = openai.Int(m.maxTokens)
	}
	for _, t := range turns {
		if t.answer {
			params.Messages = append(params.Messages, openai.AssistantMessage(t.text))
		} else {
			params.Messages = append(params.Messages, openai.UserMessage(t.text))
		}
	}
	completion, err := m.completions.New(ctx, params)
	if err != nil {
		return nil, err
	}
	return openaiReply(completion), nil
}

func openaiReply(c *openai.ChatCompletion) *reply {
	// PromptTokens includes cached tokens.
	r := &reply{ending: finished, tokens: count(c.Usage.PromptTokens, c.Usage.CompletionTokens)}
	if len(c.Choices) == 0 {
		return r
	}
	choice := c.Choices[0]
	r.text = choice.Message.Content
	switch {
	case choice.FinishReason == "content_filter" || choice.Message.Refusal != "":
		r.ending, r.reason = refused, choice.Message.Refusal
	case choice.FinishReason == "length":
		r.ending = cut
	}
	return r
}
