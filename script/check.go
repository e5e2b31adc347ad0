package script

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Resolver knows what a universe can hold and which symbols are already taken.
type Resolver interface {
	// Resolve looks up all members at once and returns those that the model
	// cannot hold. symbol is the model's own, or "" if it has none.
	Resolve(symbol string, members []string) map[string]Unresolved
	// Taken says why a model cannot have this symbol, or "" if it can.
	Taken(symbol string) string
}

// Unresolved says why a symbol cannot be held.
type Unresolved struct {
	Message    string   // "" if the symbol names nothing
	Suggestion string   // the nearest known symbol, or ""
	Accepted   []string // what to write instead, if the symbol is ambiguous
}

// Check reads a script against the contract of its kind without running it. It
// returns the script, or every problem found, sorted by place; exactly one of
// the two is nil. With a nil resolver the members of the universe are not
// checked.
func (k Kinds) Check(text string, resolver Resolver) (*Script, []Problem) {
	found := &problems{}
	if len(text) > MaxSource {
		found.add(RuleTooLarge, place{1, 1}, "the script has %d bytes; at most %d are accepted", len(text), MaxSource)
		return nil, found.list
	}
	read := plainText(text)
	if !utf8.ValidString(read) || strings.ContainsRune(read, 0) {
		found.add(RuleSyntax, firstInvalid(read), "the script is not UTF-8 text")
		return nil, found.list
	}
	src := scan(read, found)
	if !measured(src.text, found) {
		return nil, found.sorted()
	}
	file, hidden := parse(src.text, read, found)
	if file == nil {
		return nil, found.sorted()
	}
	c := &checker{kinds: k, source: src, found: found, hidden: hidden, file: file, constants: make(map[string]*syntax.AssignStmt)}
	if !c.scopes() {
		return nil, found.sorted()
	}
	c.topLevel()
	c.classify()
	c.reservedNames()
	c.indentation(read)
	asPython(file, read)
	p := &Script{Kind: c.kind, Source: text, text: read, imports: src.imports}
	c.readConstants(p)
	c.universe(p, resolver)
	c.taken(p.Symbol, resolver)
	compiled := c.resolveNames()
	c.entryPoint()
	c.uses(p)
	if len(found.list) > 0 {
		return nil, found.sorted()
	}
	sum := sha256.Sum256([]byte(text))
	p.Hash = hex.EncodeToString(sum[:])
	p.compiled, p.answer = compiled, c.answer()
	return p, nil
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// plainText drops a byte order mark and turns every line ending into \n, as
// Python does.
func plainText(text string) string { return lineEnds.Replace(strings.TrimPrefix(text, "\ufeff")) }

// checker is the state of one check.
type checker struct {
	*source
	found     *problems
	file      *syntax.File
	hidden    map[string]bool // names of statements that could not be parsed
	constants map[string]*syntax.AssignStmt
	names     []*syntax.Ident // top-level names, in order
	kinds     Kinds
	kind      *Kind           // of the script
	entry     *syntax.DefStmt // its entry point, or nil
	docstring string
	local     map[string]imported // by the name that the script gives it
	defaults  literal             // the literal of the default universe
	members   []string            // the members in defaults
}

// topLevel collects the names that the script binds at top level.
func (c *checker) topLevel() {
	for i, stmt := range c.file.Stmts {
		switch s := stmt.(type) {
		case *syntax.ExprStmt:
			if l, ok := s.X.(*syntax.Literal); ok && i == 0 && l.Token == syntax.STRING {
				c.docstring = strings.TrimSpace(l.Value.(string))
			}
		case *syntax.AssignStmt:
			if id, ok := s.LHS.(*syntax.Ident); ok {
				c.names = append(c.names, id)
				if _, twice := c.constants[id.Name]; !twice {
					c.constants[id.Name] = s
				}
			}
		case *syntax.DefStmt:
			c.names = append(c.names, s.Name)
		case *syntax.LoadStmt:
			x := c.found.add(RuleImportNotAllowed, placeOf(s.Load), "load is not Python: write from harness import NAME")
			x.Text, x.Accepted = "load", acceptedImports
		}
	}
}

// resolveNames binds every name and reports those that are not defined.
func (c *checker) resolveNames() *starlark.Program {
	c.local = make(map[string]imported)
	for _, i := range c.imports {
		if first, twice := c.local[i.local]; twice {
			x := c.found.add(RuleSyntax, i.at, "%s is imported twice, first on line %d", i.local, first.at.line)
			x.Text = i.local
			continue
		}
		c.local[i.local] = i
	}
	for _, id := range c.names {
		if i, ok := c.local[id.Name]; ok {
			x := c.found.add(RuleSyntax, placeOf(id.NamePos), "%s is imported on line %d and bound again here: give one of them another name", id.Name, i.at.line)
			x.Text = id.Name
		}
	}
	known := func(name string) bool {
		_, imported := c.local[name]
		return imported || builtins.Has(name) || operators.Has(name) || c.refused[name] || c.hidden[name]
	}
	// Starlark's resolver is told that every name is known. For each unknown name
	// it would search all others for the nearest match, which takes minutes on a
	// script that is written to be slow.
	compiled, err := starlark.FileProgram(c.file, func(name string) bool { return known(name) || !starlark.Universe.Has(name) })
	c.undefined(known)
	c.importAll()
	var list resolve.ErrorList
	if errors.As(err, &list) {
		for _, e := range list {
			c.found.add(RuleSyntax, placeOf(e.Pos), "%s", dialectMessage(e.Msg))
		}
	} else if err != nil {
		c.found.add(RuleSyntax, place{1, 1}, "%v", err)
	}
	return compiled
}

func firstInvalid(text string) place {
	at := place{1, 1}
	for i, r := range text {
		if r == 0 {
			return at
		}
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(text[i:]); n == 1 {
				return at
			}
		}
		at.column++
		if r == '\n' {
			at = place{at.line + 1, 1}
		}
	}
	return at
}
