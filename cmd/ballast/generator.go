package main

import (
	"log/slog"

	"github.com/spf13/pflag"

	"ballast/program/generate"
	"ballast/program/generate/languagemodel"
)

// generators are what --generator accepts.
const (
	grammarAlone       = "grammar"
	anthropicGenerator = "anthropic"
	openaiGenerator    = "openai"
)

// generatorFlags say what writes scripts from prompts that the grammar does not understand.
func generatorFlags(f *pflag.FlagSet, c *Config) {
	f.StringVar(&c.Generator, "generator", c.Generator, "what writes scripts from prompts: grammar alone, or besides it anthropic or openai (any server of that protocol)")
	f.StringVar(&c.GeneratorModel, "generator-model", c.GeneratorModel, "name of the language model")
	f.StringVar(&c.GeneratorURL, "generator-url", c.GeneratorURL, "address of the language model's server; the provider's own without it")
	f.StringVar(&c.GeneratorKey, "generator-key", c.GeneratorKey, "key of the language model's provider; better in BALLAST_GENERATOR_KEY than on the command line")
	f.DurationVar(&c.GeneratorTimeout, "generator-timeout", c.GeneratorTimeout, "time that one answer of the language model may take")
}

// languageModel is the configured language model, nil where there is none.
func languageModel(c Config, log *slog.Logger) (generate.Generator, error) {
	config := languagemodel.Config{
		Model: c.GeneratorModel, BaseURL: c.GeneratorURL, Key: c.GeneratorKey, Timeout: c.GeneratorTimeout, Logger: log,
	}
	switch c.Generator {
	case grammarAlone:
		return nil, nil
	case anthropicGenerator:
		return asGenerator(languagemodel.NewAnthropic(config))
	case openaiGenerator:
		return asGenerator(languagemodel.NewOpenAI(config))
	}
	return nil, usage("generator %q: accepted are %s, %s and %s", c.Generator, grammarAlone, anthropicGenerator, openaiGenerator)
}

func asGenerator(g *languagemodel.Generator, err error) (generate.Generator, error) {
	if err != nil {
		return nil, usage("%w; see --generator-model, --generator-url and --generator-key", err)
	}
	return g, nil
}
