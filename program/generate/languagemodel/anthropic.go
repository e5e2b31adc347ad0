package languagemodel

import (
	"context"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

const anthropicURL = "https://api.anthropic.com"

// NewAnthropic creates a generator that uses Anthropic's Messages API. It fails if
// the configuration is wrong.
func NewAnthropic(c Config) (*Generator, error) {
	c = c.withDefaults()
	if c.BaseURL == "" {
		c.BaseURL = anthropicURL
	}
	// The SDK adds the version itself, but settings for other clients include it.
	c.BaseURL = strings.TrimSuffix(strings.TrimSuffix(c.BaseURL, "/"), "/v1")
	if err := c.check(anthropicURL); err != nil {
		return nil, err
	}
	options := []option.RequestOption{
		option.WithBaseURL(c.BaseURL),
		option.WithHTTPClient(guarded(c)),
		option.WithMaxRetries(0),
		option.WithRequestTimeout(c.Timeout),
		option.WithoutOpenTelemetry(),
	}
	if c.Key != "" {
		options = append(options, option.WithAPIKey(c.Key))
	}
	// Use the service directly: unlike the SDK's client, it reads no environment
	// variables.
	return newGenerator("anthropic", c, &anthropicModel{
		messages: anthropic.NewMessageService(options...), model: c.Model, maxTokens: int64(c.MaxTokens),
	}), nil
}

type anthropicModel struct {
	messages  anthropic.MessageService
	model     string
	maxTokens int64
}

func (m *anthropicModel) complete(ctx context.Context, system string, turns []turn) (*reply, error) {
	params := anthropic.MessageNewParams{
		Model:     m.model,
		MaxTokens: m.maxTokens,
		// The system prompt is the same in every request, so caching it pays.
		System: []anthropic.TextBlockParam{{Text: system, CacheControl: anthropic.NewCacheControlEphemeralParam()}},
	}
	for _, t := range turns {
		block := anthropic.NewTextBlock(t.text)
		if t.answer {
			params.Messages = append(params.Messages, anthropic.NewAssistantMessage(block))
		} else {
			params.Messages = append(params.Messages, anthropic.NewUserMessage(block))
		}
	}
	message, err := m.messages.New(ctx, params)
	if err != nil {
		return nil, err
	}
	return anthropicReply(message), nil
}

func anthropicReply(m *anthropic.Message) *reply {
	u := m.Usage
	r := &reply{ending: finished, tokens: count(u.InputTokens, u.CacheCreationInputTokens, u.CacheReadInputTokens, u.OutputTokens)}
	var text strings.Builder
	for _, block := range m.Content {
		if block.Type == "text" {
			text.WriteString(block.Text)
		}
	}
	r.text = text.String()
	switch m.StopReason {
	case anthropic.StopReasonMaxTokens, anthropic.StopReasonModelContextWindowExceeded:
		r.ending = cut
	case anthropic.StopReasonRefusal:
		r.ending, r.reason = refused, m.StopDetails.Explanation
	}
	return r
}
