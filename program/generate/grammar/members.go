package grammar

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ballast/program/generate"
)

// members is what the words of one prompt can name, looked up in one step.
type members struct {
	known  map[string]generate.Member
	models map[string][]model         // by the first word of the name, the longest name first
	called map[string]generate.Member // models by name and by symbol, in lower case; names win
	all    []generate.Member          // the account's models, newest first
	shout  bool                       // the prompt has no lower case, so capitals say nothing
}

// model is a model of the account, by the words of its name.
type model struct {
	generate.Member
	words []string
}

const (
	mostNames  = 20_000 // looked up for one prompt
	longName   = 6      // words of a name that stands without quotation marks
	longGlued  = 8      // tokens of a symbol such as BRK-B
	longestRun = 64     // tokens of a name in the account's list
)

// lookUp asks the library for everything in the prompt that may be a name.
func lookUp(ctx context.Context, library generate.Library, l *language, prompt string, tokens []token) (*members, error) {
	names := map[string]bool{}
	add := func(s string) {
		if len(names) < mostNames && utf8.RuneCountInString(s) <= longestQuote {
			names[s] = true
		}
	}
	for _, entry := range plainWords {
		for _, t := range strings.Fields(entry.tickers) {
			add(t)
		}
	}
	for _, list := range knownHoldings {
		for _, h := range list {
			add(h.ticker)
			for _, other := range h.other {
				add(other)
			}
		}
	}
	text := runesOf(prompt)
	for i, t := range tokens {
		switch t.kind {
		case quoted:
			add(t.text)
		case word, number:
			capital := unicode.IsUpper(firstRune(t.text))
			marked := i > 0 && tokens[i-1].is("$")
			if end := qualified(tokens, i); end > 0 {
				add(string(text[t.offset:tokens[end-1].end]))
			}
			if t.kind == word && (capital || marked || !l.vocabulary[t.lower] && !common[t.lower]) {
				add(t.text)
			}
			for end := gluedEnd(tokens, i, i); end > 0; end = gluedEnd(tokens, i, end-1) {
				glued := string(text[t.offset:tokens[end-1].end])
				add(glued)
				if other := classed(glued); other != glued {
					add(other)
				}
				if end-i >= longGlued {
					break
				}
			}
			for n := 1; capital && n < longName && i+n < len(tokens); n++ {
				if k := tokens[i+n].kind; k != word && k != number && !tokens[i+n].is("-") && !tokens[i+n].is("&") {
					break
				}
				add(string(text[t.offset:tokens[i+n].end]))
			}
		}
	}
	known, err := library.Members(ctx, slices.Sorted(maps.Keys(names)))
	if err != nil {
		return nil, fmt.Errorf("look up the members of a description: %w", err)
	}
	maps.DeleteFunc(known, func(_ string, m generate.Member) bool { return m.Key == "CASH" }) // what the members leave, whatever symbol is written alike
	models, err := library.Models(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the account's models: %w", err)
	}
	m := &members{all: models, models: map[string][]model{}, called: map[string]generate.Member{}, known: known, shout: shouted(l, prompt, tokens, known)}
	for _, x := range slices.Backward(models) { // of two that are written alike the newest counts
		bySymbol := x
		bySymbol.Namesakes = nil // others share its name
		m.called[strings.ToLower(x.Symbol)] = bySymbol
	}
	for _, x := range slices.Backward(models) {
		m.called[strings.ToLower(x.Name)] = x
	}
	for _, x := range models {
		found := model{Member: x}
		for _, t := range tokenize(x.Name) {
			found.words = append(found.words, t.lower)
		}
		if n := len(found.words); n > 0 && n <= longestRun {
			m.models[found.words[0]] = append(m.models[found.words[0]], found)
		}
	}
	for _, list := range m.models {
		slices.SortStableFunc(list, func(a, b model) int { return len(b.words) - len(a.words) })
	}
	return m, nil
}

// qualified returns the end of a name with a prefix, asset:GOLD or model:GOLD, or 0
// if there is none.
func qualified(tokens []token, at int) int {
	if !tokens[at].is("asset") && !tokens[at].is("model") || at+2 >= len(tokens) || !tokens[at+1].is(":") || !tokens[at+1].glued || !tokens[at+2].glued || tokens[at+2].kind != word {
		return 0
	}
	end := at + 3
	for next := gluedEnd(tokens, at+2, at+2); next > 0; next = gluedEnd(tokens, at+2, next-1) {
		end = next
	}
	return end
}

// connecting are words that join others, even if there are such symbols.
var connecting = set("and or of in with the by for to if then else when")

// shouted reports a prompt that is all in capitals and has words that are not
// symbols, so that capitals mean nothing in it.
func shouted(l *language, prompt string, tokens []token, known map[string]generate.Member) bool {
	if strings.ToUpper(prompt) != prompt {
		return false
	}
	for _, t := range tokens {
		if _, symbol := known[t.text]; t.kind == word && len(t.text) > 1 && l.vocabulary[t.lower] && (connecting[t.lower] || !symbol) {
			return true
		}
	}
	return false
}
