package languagemodel

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ballast/program/generate"
	"ballast/script"
	"ballast/script/dialect"
)

// surroundings are what a prompt can name.
type surroundings struct {
	models []generate.Member // those that the prompt names first
	assets []generate.Member
	named  []mention // members that the script has to hold
}

// mention is a member that the prompt names.
type mention struct {
	text   string // as written
	offset int    // in bytes
	member generate.Member
}

// surround looks up what a prompt can name. It returns a *generate.NotUnderstood if
// the prompt contains the id of a model that does not exist.
func surround(ctx context.Context, library generate.Library, r generate.Request) (*surroundings, error) {
	words := wordsOf(r.Prompt)
	members, err := library.Members(ctx, lookups(words))
	if err != nil {
		return nil, fmt.Errorf("look up the names of a prompt: %w", err)
	}
	// A name of several models is left to the language model, which sees all of them.
	maps.DeleteFunc(members, func(_ string, m generate.Member) bool { return m.Namesakes != nil })
	if unknown := unknownIDs(words, members, r.Prompt); len(unknown) > 0 {
		return nil, &generate.NotUnderstood{Words: unknown}
	}
	models, err := library.Models(ctx)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	found, err := library.Search(ctx, searched(words), maxAssets)
	if err != nil {
		return nil, fmt.Errorf("search the catalog: %w", err)
	}
	s := &surroundings{named: mentions(r, words, members, models)}
	s.list(words, members, models, found)
	return s, nil
}

// list collects what is sent, starting with what the prompt names.
func (s *surroundings) list(words []word, members map[string]generate.Member, models, found []generate.Member) {
	var candidates []generate.Member
	for _, m := range s.named {
		candidates = append(candidates, m.member)
	}
	for _, w := range words {
		if m, ok := members[w.text]; ok {
			candidates = append(candidates, m)
		}
	}
	candidates = slices.Concat(candidates, models, found)
	seen := make(map[string]bool, len(candidates))
	for _, m := range candidates {
		if seen[identity(m)] {
			continue
		}
		seen[identity(m)] = true
		if m.Model && len(s.models) < maxModels {
			s.models = append(s.models, m)
		} else if !m.Model && len(s.assets) < maxAssets {
			s.assets = append(s.assets, m)
		}
	}
}

// identity distinguishes members, because one thing can have several names.
func identity(m generate.Member) string {
	if m.ID != "" {
		return m.ID
	}
	return m.Key
}

// missing reports the mentions that a script's universe does not hold, except those
// that are not meant as members. A script that breaks the contract has none.
func missing(ctx context.Context, library generate.Library, named []mention, a answer) ([]dialect.Problem, error) {
	program, _ := script.Check(a.script, nil)
	if program == nil || len(named) == 0 {
		return nil, nil
	}
	members, err := library.Members(ctx, program.Universe)
	if err != nil {
		return nil, fmt.Errorf("look up a universe: %w", err)
	}
	held := make(map[string]bool, len(members))
	for _, m := range members {
		held[identity(m)] = true
	}
	var problems []dialect.Problem
	for _, m := range named {
		excused := slices.ContainsFunc(a.notMeant, func(s string) bool { return strings.EqualFold(s, m.text) })
		if held[identity(m.member)] || excused && m.text != m.member.ID {
			continue
		}
		problems = append(problems, dialect.Problem{
			Rule: dialect.RuleUniverse, Line: universeLine(a.script), Column: 1,
			Message: fmt.Sprintf("the description names %q, which the universe does not hold", m.text),
			Text:    m.text, Accepted: []string{m.member.Key},
		})
	}
	return problems, nil
}

// universeLine returns the line on which a script gives its members, or 1 if that is
// not clear.
func universeLine(text string) int {
	for i, line := range strings.Split(text, "\n") {
		if strings.Contains(line, `"universe"`) || strings.Contains(line, "'universe'") || strings.HasPrefix(line, "UNIVERSE") {
			return i + 1
		}
	}
	return 1
}
