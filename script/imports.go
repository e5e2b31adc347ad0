package script

import (
	"go.starlark.net/starlark"

	"ballast/internal/nearest"
	"ballast/script/harness"
)

// imported is one name that the script imports.
type imported struct {
	local  string // the name in the script
	module string // harness or math
	name   string // in the harness; "" for a whole module
	at     place
}

// value returns what the name refers to in a run.
func (i imported) value() starlark.Value {
	if i.module == mathModule {
		return harness.Math()
	}
	v, _ := harness.Lookup(i.name)
	return v
}

const (
	harnessModule = "harness"
	mathModule    = "math"
)

var acceptedImports = []string{"from harness import …", "import math"}

// importStatement reads an import whose first word, at byte at, has been read.
// It blanks out the statement and records what it binds.
func (x *scanner) importStatement(keyword string, at int, begin place) {
	indented := x.indented
	tokens := x.importTokens()
	x.start, x.indented = x.column == 1, false // after an unclosed bracket
	x.blank(at, x.at)
	copy(x.text[at:], "pass") // a block must not become empty
	if indented {
		x.found.add(RuleImportNotAllowed, begin, "an import inside a function: put imports at the top of the script")
	}
	p := &importParser{scanner: x, tokens: tokens, begin: begin, keyword: keyword}
	if keyword == "import" {
		p.modules()
	} else {
		p.from()
	}
}

type importToken struct {
	text string // a dotted name, or one of ( ) , *
	at   place
}

// importTokens reads up to the end of the statement. Inside parentheses it
// continues on further lines, as long as they are indented.
func (x *scanner) importTokens() []importToken {
	var tokens []importToken
	open := false
	for !x.done() {
		c := x.text[x.at]
		switch {
		case c == '\n' && !open, c == ';' && !open:
			return tokens
		case c == '\\':
			at := x.at
			x.steps(2)
			x.blank(at, x.at)
		case c == '#':
			at := x.at
			x.comment()
			if !open {
				x.blank(at, x.at)
			}
		case isLetter(c) && x.column == 1 && len(tokens) > 0:
			return tokens
		case isLetter(c) || c == '.':
			t := importToken{at: x.place()}
			from := x.at
			for !x.done() && (isLetter(x.text[x.at]) || x.text[x.at] == '.' || x.text[x.at] >= '0' && x.text[x.at] <= '9') {
				x.step()
			}
			t.text = string(x.text[from:x.at])
			tokens = append(tokens, t)
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			x.step()
		default:
			tokens = append(tokens, importToken{string(rune(c)), x.place()})
			open = open && c != ')' || c == '('
			x.step()
		}
	}
	return tokens
}

type importParser struct {
	*scanner
	tokens  []importToken
	begin   place
	keyword string
}

// take removes and returns the next token if it is text, or if it is any name
// when text is "".
func (p *importParser) take(text string) (importToken, bool) {
	if len(p.tokens) == 0 {
		return importToken{}, false
	}
	t := p.tokens[0]
	if text == "" && !isLetter(t.text[0]) && t.text[0] != '.' || text != "" && t.text != text {
		return importToken{}, false
	}
	p.tokens = p.tokens[1:]
	return t, true
}

// alias reads "as NAME" and returns NAME, or name if there is no alias.
func (p *importParser) alias(name string) string {
	if _, ok := p.take("as"); !ok {
		return name
	}
	t, ok := p.take("")
	if !ok {
		p.malformed()
	}
	return t.text
}

func (p *importParser) malformed() {
	x := p.found.add(RuleSyntax, p.begin, "the import cannot be read: write from harness import NAME, NAME or import math")
	x.Accepted = acceptedImports
	p.tokens = nil
}

// modules reads import A as B, C.
func (p *importParser) modules() {
	for {
		t, ok := p.take("")
		if !ok {
			p.malformed()
			return
		}
		local := p.alias(t.text)
		if t.text == mathModule {
			p.imports = append(p.imports, imported{local: local, module: mathModule, at: t.at})
		} else {
			p.refuse(t, local)
		}
		if len(p.tokens) == 0 {
			return
		}
		if _, ok := p.take(","); !ok {
			p.malformed()
			return
		}
	}
}

// from reads from MODULE import A as B, (C, D,).
func (p *importParser) from() {
	module, ok := p.take("")
	if _, word := p.take("import"); !ok || !word {
		p.malformed()
		return
	}
	if t, star := p.take("*"); star {
		p.all(module, t)
		return
	}
	bracket, open := p.take("(")
	complained := false
	for {
		t, ok := p.take("")
		if !ok {
			p.malformed()
			return
		}
		local := p.alias(t.text)
		switch {
		case module.text == harnessModule:
			p.fromHarness(t, local)
		case complained:
			p.refused[local] = true
		default:
			p.refuse(module, local)
			complained = true
		}
		_, comma := p.take(",")
		if open {
			if _, closed := p.take(")"); closed {
				open, comma = false, false
			}
		}
		switch {
		case comma && (!open || len(p.tokens) > 0):
			continue
		case open && len(p.tokens) == 0:
			p.found.add(RuleSyntax, bracket.at, "( is never closed").Text = "("
		case len(p.tokens) > 0 && isLetter(p.tokens[0].text[0]):
			p.found.add(RuleSyntax, p.tokens[0].at, "a comma is missing before %s", p.tokens[0].text).Text = p.tokens[0].text
			continue
		case len(p.tokens) > 0:
			p.malformed()
		}
		return
	}
}

// all refuses an import of *. importAll later suggests the names that the
// script uses.
func (p *importParser) all(module, star importToken) {
	if module.text != harnessModule {
		p.refuse(module, "")
		return
	}
	x := p.found.add(RuleImportNotAllowed, star.at, "import each name that the script uses, not *")
	x.Text, x.Accepted = "*", harness.Names()
	for _, name := range harness.Names() {
		p.refused[name] = true
	}
	p.star = len(p.found.list)
}

func (p *importParser) fromHarness(t importToken, local string) {
	if _, known := harness.Lookup(t.text); known {
		p.imports = append(p.imports, imported{local: local, module: harnessModule, name: t.text, at: t.at})
		return
	}
	x := p.found.add(RuleHarnessName, t.at, "the harness has no %s", t.text)
	x.Text, x.Accepted, x.Suggestion = t.text, harness.Names(), nearest.Match(t.text, harness.Names())
	p.refused[local] = true
	if x.Suggestion != "" {
		p.refused[x.Suggestion] = true // do not report its uses as well
	}
}

// refuse reports an import of another module.
func (p *importParser) refuse(module importToken, local string) {
	p.refused[local] = true
	rule, instead := RuleImportNotAllowed, "a script can import harness and math"
	if r, ok := refusedModules[module.text]; ok {
		instead = r.instead
		if r.nondeterministic {
			rule = RuleNondeterministic
		}
	}
	message := "%s cannot be imported: %s"
	switch module.text {
	case mathModule:
		message, instead = "%s is imported as a module: %s", "write import math, then math.sqrt(x)"
	case harnessModule:
		message, instead = "%s is imported by name: %s", "write from harness import momentum"
	}
	x := p.found.add(rule, module.at, message, module.text, instead)
	x.Text, x.Accepted = module.text, acceptedImports
	x.Suggestion = nearest.Match(module.text, []string{harnessModule, mathModule})
}
