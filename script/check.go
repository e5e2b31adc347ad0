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

	"ballast/script/dialect"
	"ballast/script/harness"
)

// Resolver knows what a universe can hold and which symbols are already taken.
type Resolver interface {
	// Resolve looks up all members at once and returns those that the model
	// cannot hold. symbol is the model's own, or "" if it has none.
	Resolve(symbol string, members []string) map[string]Unresolved
	// Taken says why a model cannot have this symbol, or "" if it can.
	Taken(symbol string) string
	// ResolveSeries looks up columns of series from outside, NAME.KEY in upper case,
	// and returns those that the model cannot read.
	ResolveSeries(references []string) map[string]Unresolved
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
func (k Kinds) Check(text string, resolver Resolver) (*Script, []dialect.Problem) {
	found := &dialect.Problems{}
	if len(text) > MaxSource {
		found.Add(dialect.RuleTooLarge, dialect.Start, "the script has %d bytes; at most %d are accepted", len(text), MaxSource)
		return nil, found.List
	}
	read := dialect.PlainText(text)
	if !utf8.ValidString(read) || strings.ContainsRune(read, 0) {
		found.Add(dialect.RuleSyntax, firstInvalid(read), "the script is not UTF-8 text")
		return nil, found.List
	}
	src := dialect.Scan(read, found)
	if !dialect.WithinLimits(src.Code, found) {
		return nil, found.Sorted()
	}
	file, hidden := dialect.Parse(src.Code, read, found)
	if file == nil {
		return nil, found.Sorted()
	}
	c := &checker{kinds: k, Text: src, found: found, hidden: hidden, file: file, constants: make(map[string]*syntax.AssignStmt)}
	if !dialect.Shallow(c.file, c.found) {
		return nil, found.Sorted()
	}
	c.topLevel()
	c.classify()
	c.reservedNames()
	c.indentation(read)
	dialect.AsPython(file, read)
	p := &Script{Kind: c.kind, Source: text, text: read, imports: src.Imports}
	c.readConstants(p)
	c.universe(p, resolver)
	c.checkSymbol(p.Symbol, resolver)
	compiled := c.resolveNames()
	c.entryPoint()
	c.uses(p)
	c.resolveSeries(p, resolver)
	c.optimizersKnown(p, resolver)
	if len(found.List) > 0 {
		return nil, found.Sorted()
	}
	c.defaultsTogether(p)
	if len(found.List) > 0 {
		return nil, found.List
	}
	sum := sha256.Sum256([]byte(text))
	p.Hash = hex.EncodeToString(sum[:])
	p.compiled, p.answer = compiled, c.answer()
	p.sum, p.context = c.sum(), c.entry.Params[0].(*syntax.Ident)
	p.Branches = c.branches()
	p.Reads, p.Mentions = c.mentions()
	return p, nil
}

// checker is the state of one check.
type checker struct {
	*dialect.Text
	found     *dialect.Problems
	file      *syntax.File
	hidden    map[string]bool // names of statements that could not be parsed
	constants map[string]*syntax.AssignStmt
	names     []*syntax.Ident // top-level names, in order
	kinds     Kinds
	kind      *Kind           // of the script
	entry     *syntax.DefStmt // its entry point, or nil
	docstring string
	local     map[string]dialect.Imported // by the name that the script gives it
	defaults  literal                     // the literal of the default universe
	members   []string                    // the members in defaults
	series    []seriesUse                 // columns of series that it names, in order
	named     []namedOptimizer            // in calls of optimize
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
			x := c.found.Add(dialect.RuleImportNotAllowed, dialect.PlaceOf(s.Load), "load is not Python: write from harness import NAME")
			x.Text, x.Accepted = "load", dialect.AcceptedImports
		}
	}
}

// resolveNames binds every name and reports those that are not defined.
func (c *checker) resolveNames() *starlark.Program {
	c.local = make(map[string]dialect.Imported)
	for _, i := range c.Imports {
		if first, twice := c.local[i.Local]; twice {
			x := c.found.Add(dialect.RuleSyntax, i.At, "%s is imported twice, first on line %d", i.Local, first.At.Line)
			x.Text = i.Local
			continue
		}
		c.local[i.Local] = i
		if kind := harness.KindOf(i.Name); kind != "" && kind != c.kind.Name {
			x := c.found.Add(dialect.RuleHarnessName, i.At, "%s is a function for %s, and this script is %s", i.Name, WithArticle(kind), WithArticle(c.kind.Name))
			x.Text = i.Name
		}
	}
	for _, id := range c.names {
		if i, ok := c.local[id.Name]; ok {
			x := c.found.Add(dialect.RuleSyntax, dialect.PlaceOf(id.NamePos), "%s is imported on line %d and bound again here: give one of them another name", id.Name, i.At.Line)
			x.Text = id.Name
		}
	}
	known := func(name string) bool {
		_, imported := c.local[name]
		return imported || builtins.Has(name) || dialect.Operators.Has(name) || c.Refused[name] || c.hidden[name]
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
			c.found.Add(dialect.RuleSyntax, dialect.PlaceOf(e.Pos), "%s", dialectMessage(e.Msg))
		}
	} else if err != nil {
		c.found.Add(dialect.RuleSyntax, dialect.Start, "%v", err)
	}
	return compiled
}

func firstInvalid(text string) dialect.Place {
	at := dialect.Start
	for i, r := range text {
		if r == 0 {
			return at
		}
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(text[i:]); n == 1 {
				return at
			}
		}
		at.Column++
		if r == '\n' {
			at = dialect.Place{Line: at.Line + 1, Column: 1}
		}
	}
	return at
}
