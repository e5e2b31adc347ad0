package grammar

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"ballast/program/generate"
)

// understoodMended returns the ways to put the description right that are understood, and
// that leave none of its members out. Where suggested words lead to others, these are
// followed.
func (p *parser) understoodMended(ctx context.Context, library generate.Library, words []generate.Word) (list []string, err error) {
	own := p.ownMembers()
	tried := map[string]bool{}
	queue := p.mended(words)
	for len(queue) > 0 && len(list) < mostMended && len(tried) < mostTried {
		text := queue[0]
		queue = queue[1:]
		if tried[text] || text == "" || len([]rune(text)) > longestMeant || slices.ContainsFunc(own, func(s string) bool { return !strings.Contains(text, s) }) {
			continue
		}
		tried[text] = true
		_, err := modelScript(ctx, library, generate.Request{Prompt: text})
		var strange *generate.NotUnderstood
		switch {
		case err == nil:
			list = append(list, text)
		case !errors.As(err, &strange):
			return nil, err
		case slices.ContainsFunc(strange.Words, func(w generate.Word) bool { return w.Suggestion != "" }):
			sub := &parser{prompt: []rune(text)}
			queue = append([]string{sub.suggested(strange.Words)}, queue...)
		}
	}
	return list, nil
}

// mostTried limits the ways to put a description right that are read.
const mostTried = 6

// mostMended is how many ways to put a description right are proposed.
const mostMended = 2

// turning are words without which a description says the opposite, or something else.
var turning = set("not never no except without unless nor neither short otherwise else instead most least more less above below but excluding second third fourth exactly fewer after before")

// completions are sentences in which what a problem says is missing is said, by the
// beginning of its message; * is the description.
var completions = []struct {
	message string
	forms   []string
}{
	{"how much of each", []string{"equal weight *"}},
	{"how much of this", []string{"equal weight *"}},
	{"momentum over how long", []string{"* by 6 month momentum, monthly"}},
	{"chosen by what", []string{"* by 6 month momentum, monthly"}},
	{"how many are held", []string{"top 1: *"}},
	{"when is this held", []string{"*, otherwise cash"}},
}

// mended returns ways to put a description right: with the suggested words in the place
// of those that were not understood, with what is missing, or without the clause or the
// words that were not understood.
func (p *parser) mended(words []generate.Word) (list []string) {
	if text := p.suggested(words); text != tidied(string(p.prompt)) {
		list = append(list, text)
	}
	for _, w := range words {
		for _, c := range completions {
			if !strings.HasPrefix(w.Message, c.message) {
				continue
			}
			for _, f := range c.forms {
				list = append(list, strings.Replace(f, "*", strings.TrimRight(tidied(string(p.prompt)), " ."), 1))
			}
		}
	}
	turns := slices.ContainsFunc(words, func(w generate.Word) bool {
		return slices.ContainsFunc(tokenize(w.Text), func(t token) bool { return turning[t.lower] })
	})
	if turns || slices.ContainsFunc(words, func(w generate.Word) bool { return w.Member }) {
		return list
	}
	without := p.replaced(words, func(w generate.Word) (string, bool) { return w.Suggestion, true })
	for _, text := range []string{without, p.withoutClauses(words)} {
		if 3*contentOf(text) >= 2*contentOf(string(p.prompt)) { // less would be another description
			list = append(list, text)
		}
	}
	return list
}

// contentOf counts the words and numbers of a text that are not fillers.
func contentOf(text string) (n int) {
	for _, t := range tokenize(text) {
		if t.kind != mark && t.kind != line && !filler[t.lower] && !introducing[t.lower] {
			n++
		}
	}
	return n
}

// suggested returns the description with the words that are suggested.
func (p *parser) suggested(words []generate.Word) string {
	return p.replaced(words, func(w generate.Word) (string, bool) { return w.Suggestion, w.Suggestion != "" })
}

// replaced returns the description with others in the place of words.
func (p *parser) replaced(words []generate.Word, with func(w generate.Word) (string, bool)) string {
	text := slices.Clone(p.prompt)
	for _, w := range slices.Backward(words) {
		if s, ok := with(w); ok && w.Length > 0 && w.Offset+w.Length <= len(text) {
			text = slices.Replace(text, w.Offset, w.Offset+w.Length, []rune(s)...)
		}
	}
	return tidied(string(text))
}

// withoutClauses returns the description without the clauses in which something was not
// understood.
func (p *parser) withoutClauses(words []generate.Word) string {
	text := string(p.prompt)
	var kept []string
	at := 0
	for _, clause := range clauses.FindAllString(text, -1) {
		n := len([]rune(clause))
		strange := slices.ContainsFunc(words, func(w generate.Word) bool { return w.Offset < at+n && w.Offset+max(1, w.Length) > at })
		if at += n; !strange {
			kept = append(kept, clause)
		}
	}
	return tidied(strings.Join(kept, ""))
}

var (
	clauses = regexp.MustCompile(`[^,;.\n]*(\.\d[^,;.\n]*)*[,;.\n]?`)
	spaces  = regexp.MustCompile(`\s+`)
	before  = regexp.MustCompile(`\s+([,;.)])`)
	doubled = regexp.MustCompile(`([,;.])(\s*[,;.])+`)
)

// tidied removes the spaces and marks that words leave behind.
func tidied(text string) string {
	text = before.ReplaceAllString(spaces.ReplaceAllString(text, " "), "$1")
	text = doubled.ReplaceAllString(text, "$1")
	text = strings.Trim(text, " ,;:")
	for _, w := range []string{" and", " with", " but", " with a", " then", " on", " by"} {
		text = strings.TrimSuffix(text, w)
	}
	return strings.TrimSpace(text)
}
