package grammar

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"ballast/program/generate"
)

// longestRefusal limits what a refusal says, in bytes of JSON. What carries it adds a few
// hundred.
const longestRefusal = 1500

// longestMeant limits a sentence that a refusal proposes, in characters.
const longestMeant = 240

// meant completes a refusal of a model: it proposes the description with what was not
// understood put right, if that is understood, and then the examples that are nearest.
func meant(ctx context.Context, library generate.Library, prompt string, strange *generate.NotUnderstood) error {
	p, err := begin(ctx, english(), library, prompt)
	if err != nil {
		return strange // it is too long, and says so
	}
	known := &remembered{Library: library, known: map[string]generate.Member{}, asked: map[string]bool{}}
	words := strange.Words
	if data := p.importable(); len(data) > 0 {
		words = data
	}
	if question := p.asAnalysis(ctx, known); question != "" {
		return fitting(&generate.NotUnderstood{
			Words:    []generate.Word{{Message: `this asks about members, and describes no model: send "` + question + `" to POST /v1/analyses`}},
			Accepted: []string{question},
		})
	}
	list, err := p.understoodMended(ctx, known, words)
	if err != nil {
		return err
	}
	examples := p.nearest()
	likely := len(list) > 0 || len(examples) > 0 && p.likely(examples[0])
	for _, x := range examples {
		if len(list) < mostAccepted && !slices.Contains(list, x.text) {
			list = append(list, x.text)
		}
	}
	e := &generate.NotUnderstood{Words: slices.Clone(words), Accepted: list}
	if saving := p.asSimulation(ctx, known, words); saving != "" && len(words) > 0 {
		e.Words[0].Message += `; as a simulation, send "` + saving + `" to POST /v1/simulations`
	} else if len(e.Words) > 0 && likely {
		e.Words[0].Message += "; did you mean: " + list[0] + "?"
	}
	return fitting(e)
}

// leastAlike is how much an example has in common with a description for which it is
// proposed; less is enough where it has the same members. Others are only listed.
const (
	leastAlike      = 1.25
	leastAlikeOfOwn = 0.6
)

// likely reports an example that may be what was meant: it has every member that the
// description names.
func (p *parser) likely(x near) bool {
	own := p.ownMembers()
	if slices.ContainsFunc(own, func(s string) bool { return !strings.Contains(x.text, s) }) {
		return false
	}
	return x.score >= leastAlike || len(own) > 0 && x.score >= leastAlikeOfOwn
}

// fitting leaves out what makes a refusal too long: the last examples first, then the
// last problems.
func fitting(e *generate.NotUnderstood) *generate.NotUnderstood {
	for i := range e.Words {
		if r := []rune(e.Words[i].Message); len(r) > 600 {
			e.Words[i].Message = string(r[:599]) + "…"
		}
	}
	for {
		text, err := json.Marshal(e)
		switch {
		case err != nil || len(text) <= longestRefusal:
			return e
		case len(e.Accepted) > 1:
			e.Accepted = e.Accepted[:len(e.Accepted)-1]
		case len(e.Words) > 1:
			e.Words = e.Words[:len(e.Words)-1]
		default:
			e.Words[0].Text = "" // its place is in offset and length
			return e
		}
	}
}
