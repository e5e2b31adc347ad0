package dialect

import (
	"go.starlark.net/starlark"

	"ballast/internal/nearest"
	"ballast/script/harness"
)

// Imported is one name that the script imports.
type Imported struct {
	Local  string // the name in the script
	Module string // harness or math
	Name   string // in the harness; "" for a whole module
	At     Place
}

// Value returns what the name refers to in a run.
func (i Imported) Value() starlark.Value {
	if i.Module == MathModule {
		return harness.Math()
	}
	v, _ := harness.Lookup(i.Name)
	return v
}

const (
	// HarnessModule is the module of the functions for scripts.
	HarnessModule = "harness"
	// MathModule is Python's module of the same name.
	MathModule = "math"
)

// AcceptedImports are the forms that an import may have.
var AcceptedImports = []string{"from harness import …", "import math"}

// importStatement reads an import whose first word, at byte at, has been read.
// It blanks out the statement and records what it binds.
func (x *scanner) importStatement(keyword string, at int, begin Place) {
	indented := x.indented
	tokens := x.importTokens()
	x.start, x.indented = x.column == 1, false // after an unclosed bracket
	x.blank(at, x.at)
	copy(x.Code[at:], "pass") // a block must not become empty
	if indented {
		x.found.Add(RuleImportNotAllowed, begin, "an import inside a function: put imports at the top of the script")
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
	at   Place
}

// importTokens reads up to the end of the statement. Inside parentheses it
// continues on further lines, as long as they are indented.
func (x *scanner) importTokens() []importToken {
	var tokens []importToken
	open := false
	for !x.done() {
		c := x.Code[x.at]
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
		case IsLetter(c) && x.column == 1 && len(tokens) > 0:
			return tokens
		case IsLetter(c) || c == '.':
			t := importToken{at: x.place()}
			from := x.at
			for !x.done() && (IsLetter(x.Code[x.at]) || x.Code[x.at] == '.' || x.Code[x.at] >= '0' && x.Code[x.at] <= '9') {
				x.step()
			}
			t.text = string(x.Code[from:x.at])
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
	begin   Place
	keyword string
}

// take removes and returns the next token if it is text, or if it is any name
// when text is "".
func (p *importParser) take(text string) (importToken, bool) {
	if len(p.tokens) == 0 {
		return importToken{}, false
	}
	t := p.tokens[0]
	if text == "" && !IsLetter(t.text[0]) && t.text[0] != '.' || text != "" && t.text != text {
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
	x := p.found.Add(RuleSyntax, p.begin, "the import cannot be read: write from harness import NAME, NAME or import math")
	x.Accepted = AcceptedImports
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
		if t.text == MathModule {
			p.Imports = append(p.Imports, Imported{Local: local, Module: MathModule, At: t.at})
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
		case module.text == HarnessModule:
			p.fromHarness(t, local)
		case complained:
			p.Refused[local] = true
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
			p.found.Add(RuleSyntax, bracket.at, "( is never closed").Text = "("
		case len(p.tokens) > 0 && IsLetter(p.tokens[0].text[0]):
			p.found.Add(RuleSyntax, p.tokens[0].at, "a comma is missing before %s", p.tokens[0].text).Text = p.tokens[0].text
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
	if module.text != HarnessModule {
		p.refuse(module, "")
		return
	}
	x := p.found.Add(RuleImportNotAllowed, star.at, "import each name that the script uses, not *")
	x.Text, x.Accepted = "*", harness.Names()
	for _, name := range harness.Names() {
		p.Refused[name] = true
	}
	p.Star = len(p.found.List)
}

func (p *importParser) fromHarness(t importToken, local string) {
	if _, known := harness.Lookup(t.text); known {
		p.Imports = append(p.Imports, Imported{Local: local, Module: HarnessModule, Name: t.text, At: t.at})
		return
	}
	x := p.found.Add(RuleHarnessName, t.at, "the harness has no %s", t.text)
	x.Text, x.Accepted, x.Suggestion = t.text, harness.Names(), nearest.Match(t.text, harness.Names())
	p.Refused[local] = true
	if x.Suggestion != "" {
		p.Refused[x.Suggestion] = true // do not report its uses as well
	}
}

// refuse reports an import of another module.
func (p *importParser) refuse(module importToken, local string) {
	p.Refused[local] = true
	rule, instead := RuleImportNotAllowed, "a script can import harness and math"
	if r, ok := refusedModules[module.text]; ok {
		instead = r.Instead
		if r.Nondeterministic {
			rule = RuleNondeterministic
		}
	}
	message := "%s cannot be imported: %s"
	switch module.text {
	case MathModule:
		message, instead = "%s is imported as a module: %s", "write import math, then math.sqrt(x)"
	case HarnessModule:
		message, instead = "%s is imported by name: %s", "write from harness import momentum"
	}
	x := p.found.Add(rule, module.at, message, module.text, instead)
	x.Text, x.Accepted = module.text, AcceptedImports
	x.Suggestion = nearest.Match(module.text, []string{HarnessModule, MathModule})
}
