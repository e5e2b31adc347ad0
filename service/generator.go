package service

import (
	"log/slog"

	"ballast/program/generate"
	"ballast/program/generate/languagemodel"
)

// Values of --generator.
const (
	grammarAlone       = "grammar"
	anthropicGenerator = "anthropic"
	openaiGenerator    = "openai"
)

// open returns the configured language model, or nil if there is none.
func (c GeneratorConfig) open(log *slog.Logger) (generate.Generator, error) {
	config := languagemodel.Config{
		Model: c.Model, BaseURL: c.URL, Key: c.Key, Timeout: c.Timeout, Logger: log,
	}
	switch c.Name {
	case grammarAlone:
		return nil, nil
	case anthropicGenerator:
		return asGenerator(languagemodel.NewAnthropic(config))
	case openaiGenerator:
		return asGenerator(languagemodel.NewOpenAI(config))
	}
	return nil, invalid("generator %q: accepted are %s, %s and %s", c.Name, grammarAlone, anthropicGenerator, openaiGenerator)
}

func asGenerator(g *languagemodel.Generator, err error) (generate.Generator, error) {
	if err != nil {
		return nil, invalid("%w; see --generator-model, --generator-url and --generator-key", err)
	}
	return g, nil
}
