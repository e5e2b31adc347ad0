package grammar

import (
	"regexp"
	"strings"
	"unicode"
)

// title reads a model's name: quoted, or the capitalised words up to punctuation.
func (p *parser) title(at int) (any, int) {
	if t := p.at(at); t.kind == quoted {
		return t.text, at + 1
	}
	end := at
	for end < len(p.tokens) && end-at < 12 {
		t := p.tokens[end]
		name := t.kind == word && unicode.IsUpper(firstRune(t.text)) || t.kind == number && !p.at(end+1).is("%")
		joins := t.is("-") && t.glued || t.is("&")
		if !name && !joins {
			break
		}
		end++
	}
	if end == at || p.tokens[end-1].kind == mark {
		return nil, 0
	}
	return strings.Join(strings.Fields(p.text(at, end)), " "), end
}

var symbolForm = regexp.MustCompile(`^[A-Z][A-Z0-9.-]{0,11}$`)

// code reads the symbol that the model is to have.
func (p *parser) code(at int) (any, int) {
	t := p.at(at)
	if t.kind == quoted {
		return t.text, at + 1
	}
	if t.is("$") {
		at++
		t = p.at(at)
	}
	if t.kind != word || t.text != strings.ToUpper(t.text) {
		return nil, 0
	}
	end := at + 1
	for next := gluedEnd(p.tokens, at, at); next > 0; next = gluedEnd(p.tokens, at, next-1) {
		end = next
	}
	return p.text(at, end), end
}
