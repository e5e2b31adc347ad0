package grammar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"unicode/utf8"

	"ballast/program/generate"
	"ballast/script"
	"ballast/script/harness"
)

// LongestPrompt is the longest description that is read, in characters.
const LongestPrompt = 20_000

// mostTokens is how many words, numbers and marks are read.
const mostTokens = 2000

// Name is the name of this generator in drafts.
const Name = "grammar"

// english is everything that can be said of models. It is compiled at the first use: each
// command and each child process would otherwise start later.
var english = sync.OnceValue(func() *language {
	return newLanguage(about{filler, introducing, hints, slices.Concat(accepted, acceptedTrees), noMoney, noDate}, schedulePhrases, sharePhrases, weightPhrases, capPhrases, boundsPhrases, optimizerPhrases, riskPhrases, momentumPhrases, fractionPhrases, scorePhrases, trendPhrases, namePhrases, portfolioPhrases, publishedPhrases)
})

// Generator writes scripts from plain English. It is safe for concurrent use.
type Generator struct{}

var (
	_ generate.Generator       = Generator{}
	_ generate.OptimizerReader = Generator{}
)

// New returns the generator; it needs nothing.
func New() Generator { return Generator{} }

// Generate implements generate.Generator. Only the description counts: what the model
// was before plays no part. It fails with a *generate.NotUnderstood that names every
// word without a meaning, with a *generate.Failure if its script does not pass its
// checks, or with the library's own errors.
func (Generator) Generate(ctx context.Context, library generate.Library, request generate.Request) (*generate.Draft, error) {
	if request.Progress != nil {
		request.Progress(1, 1)
	}
	text, err := written(ctx, library, request)
	if err != nil {
		return nil, err
	}
	if request.Check != nil {
		problems, err := request.Check(ctx, text)
		if err != nil {
			return nil, fmt.Errorf("check the script of a description: %w", err)
		}
		if len(problems) > 0 {
			return nil, &generate.Failure{
				Message: "The description was understood, but its script does not pass the checks: " + problems[0].Message + ".",
				Rounds:  1, Script: text, Problems: problems,
			}
		}
	}
	return &generate.Draft{Script: text, Generator: Name, Rounds: 1}, nil
}

// described is a kind of programs that can be described in words.
type described struct {
	kind     string
	article  string // a model
	write    func(context.Context, generate.Library, generate.Request) (string, error)
	accepted func() []string
	place    string // where such descriptions are sent, and what else to do
}

func kindsInWords() []described {
	return []described{
		{script.Model.Name, "a model", modelScript, func() []string { return accepted }, "POST /v1/models, and simulate or analyze the model by its name"},
		{harness.Simulation, "a simulation", simulationScript, func() []string { return acceptedPlans }, "POST /v1/simulations"},
		{harness.Analysis, "an analysis", analysisScript, func() []string { return acceptedQuestions }, "POST /v1/analyses"},
	}
}

// written writes the script of a description, by the kind of the program. If the
// description is one of another kind, the error says so.
func written(ctx context.Context, library generate.Library, request generate.Request) (string, error) {
	kinds := kindsInWords()
	own := slices.IndexFunc(kinds, func(d described) bool { return d.kind == cmp.Or(request.Kind, script.Model.Name) })
	if own < 0 {
		return "", &generate.NotUnderstood{
			Words:    []generate.Word{{Message: "the kind " + request.Kind + " cannot be described in words; models, simulations and analyses can: send a script"}},
			Accepted: []string{"a script of the contract described at /docs/script-contract"},
		}
	}
	text, err := kinds[own].write(ctx, library, request)
	if !isStrange(err) {
		return text, err
	}
	for i, other := range kinds {
		if i != own && (other.kind != harness.Simulation || saysMoney(request.Prompt)) && understands(ctx, other.write, library, request) {
			return "", elsewhere("this describes "+other.article+", not "+kinds[own].article+": send it to "+other.place, kinds[own].accepted())
		}
	}
	if _, err := UnderstandOptimizer(ctx, library, request.Prompt); err == nil {
		return "", elsewhere("this describes an optimizer, not "+kinds[own].article+": send it to POST /v1/optimizers, or name the members that a model holds", kinds[own].accepted())
	}
	var strange *generate.NotUnderstood
	switch {
	case errors.As(err, &strange) && kinds[own].kind == script.Model.Name:
		return "", meant(ctx, library, request.Prompt, strange)
	case errors.As(err, &strange):
		return "", fitting(&generate.NotUnderstood{Words: slices.Clone(strange.Words), Accepted: strange.Accepted})
	}
	return "", err
}

// modelScript writes the script of a described model: of one that is not composed of
// others if it can be read as such, otherwise of a tree. What is wrong with the tree is
// reported if one of its conditions or parts was understood.
func modelScript(ctx context.Context, library generate.Library, request generate.Request) (string, error) {
	plan, err := Understand(ctx, library, request.Prompt)
	bracketed := conditionInBrackets(tokenize(request.Prompt)) // which only a tree can tell from a condition on the whole
	if err == nil && !bracketed {
		return Write(plan), nil
	}
	if err != nil && !isStrange(err) {
		return "", err
	}
	tree, composition := UnderstandTree(ctx, library, request.Prompt)
	var simple *notComposed
	switch {
	case composition == nil && tree.simple() != nil:
		return Write(tree.simple()), nil
	case composition == nil:
		return WriteTree(tree), nil
	case errors.As(composition, &simple) && err != nil:
		return "", err
	case errors.As(composition, &simple):
		return "", elsewhere("does what is in parentheses apply to what stands before them, or to all? Put what it applies to into the parentheses, as in 60% SPY, 40% (AGG when above its 200 day average, otherwise BIL), or leave them out if it applies to all", acceptedTrees)
	}
	return "", composition
}

// modifying are words of an alternative, and of what changes how much is held.
var modifying = set("otherwise else leverage leveraged levered unlevered x volatility vol target targeted cap capped max maximum")

// conditionInBrackets reports parentheses with a condition, an alternative or a modifier
// inside, and a share outside of them.
func conditionInBrackets(tokens []token) bool {
	depth, inside, outside := 0, false, false
	for i, t := range tokens {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth > 0 && t.kind == word:
			inside = inside || opening[t.lower] || modifying[t.lower]
		case t.is("%") || t.is("/") && i > 0 && tokens[i-1].kind == number:
			outside = true
		}
	}
	return inside && outside
}

// simulationScript writes the script of a described simulation.
func simulationScript(ctx context.Context, library generate.Library, request generate.Request) (string, error) {
	s, err := UnderstandSimulation(ctx, library, request.Prompt, request.Now.UTC().Year())
	if err != nil {
		return "", err
	}
	return WriteSimulation(s), nil
}

// analysisScript writes the script of a described analysis.
func analysisScript(ctx context.Context, library generate.Library, request generate.Request) (string, error) {
	q, err := UnderstandAnalysis(ctx, library, request.Prompt)
	if err != nil {
		return "", err
	}
	return WriteAnalysis(q), nil
}

// saysMoney reports a description with an amount, a time or a word of simulations. Without
// any, what is asked for is a model, although a simulation has defaults for all of them.
func saysMoney(prompt string) bool {
	tokens := tokenize(prompt)
	return slices.ContainsFunc(tokens, func(t token) bool {
		return t.is("$") || t.is("€") || t.is("£") || moneyWords[t.lower] || isYear(t)
	})
}

var moneyWords = set("simulate simulated simulation simulations monte carlo year years retire retired retirement retiree save saves saving savings spend spending withdraw withdrawing withdrawal withdrawals contribute contributing contribution contributions deposit deposits inflation pension paths futures dollars euros pounds safe fire probability chance guardrails")

// isStrange reports an error that the description causes.
func isStrange(err error) bool {
	var strange *generate.NotUnderstood
	return errors.As(err, &strange)
}

// understands reports whether a description is one of another kind.
func understands(ctx context.Context, kind func(context.Context, generate.Library, generate.Request) (string, error), library generate.Library, request generate.Request) bool {
	_, err := kind(ctx, library, request)
	return err == nil
}

// elsewhere says of a whole description that it belongs to another kind.
func elsewhere(message string, accepted []string) error {
	return &generate.NotUnderstood{Words: []generate.Word{{Message: message}}, Accepted: nearby(accepted, nil)}
}

// Understand reads the description of a model. It fails with a
// *generate.NotUnderstood, or with the library's own error.
func Understand(ctx context.Context, library generate.Library, prompt string) (*Plan, error) {
	p, err := begin(ctx, english(), library, prompt)
	if err != nil {
		return nil, err
	}
	if err := p.parse(ctx); err != nil {
		return nil, fmt.Errorf("read a description: %w", err)
	}
	plan := p.plan()
	if p.failure() != nil {
		return nil, p.suggest(ctx, library)
	}
	return plan, nil
}

// begin prepares to read a description, unless it is too long.
func begin(ctx context.Context, l *language, library generate.Library, prompt string) (*parser, error) {
	if n := utf8.RuneCountInString(prompt); n > LongestPrompt {
		return nil, &generate.NotUnderstood{
			Words:    []generate.Word{{Text: "", Message: fmt.Sprintf("the description has %d characters; up to %d are read", n, LongestPrompt)}},
			Accepted: nearby(l.accepted, nil),
		}
	}
	prompt = unquoted(prompt)
	tokens := tokenize(prompt)
	if len(tokens) > mostTokens {
		return nil, &generate.NotUnderstood{
			Words:    []generate.Word{{Text: "", Offset: tokens[mostTokens].offset, Message: fmt.Sprintf("the description has %d words, numbers and marks; up to %d are read", len(tokens), mostTokens)}},
			Accepted: nearby(l.accepted, nil),
		}
	}
	members, err := lookUp(ctx, library, l, prompt, tokens)
	if err != nil {
		return nil, err
	}
	p := newParser(l, prompt, tokens, members)
	if l == english() {
		return p.titled(), nil
	}
	return p, nil
}

// suggest returns the failure with the nearest symbols of unknown members.
func (p *parser) suggest(ctx context.Context, library generate.Library) error {
	failure := p.failure()
	symbols := map[string]bool{}
	for _, w := range failure.Words {
		if w.Member {
			symbols[w.Text] = true
		}
	}
	if len(symbols) == 0 {
		return failure
	}
	near, err := library.Nearest(ctx, slices.Sorted(maps.Keys(symbols)))
	if err != nil {
		return fmt.Errorf("find the nearest symbols: %w", err)
	}
	for i := range failure.Words {
		if w := &failure.Words[i]; w.Member && w.Suggestion == "" {
			w.Suggestion = near[w.Text]
		}
	}
	return failure
}
