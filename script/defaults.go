package script

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// WithDefaults gives the inputs that the script declares the values of in as
// their defaults: it rewrites those default literals of INPUTS whose value
// changes, in the script's own text, and leaves every other byte as it is. What
// the service gives to every model (start_date, initial_cash) is no part of a
// script and is left out. in is bound by p, or by a program that is p but for
// its defaults. The answer is Check's, without a resolver: a text that has
// become too long is a problem.
func (p *Script) WithDefaults(in Inputs) (*Script, []Problem) {
	var b strings.Builder
	from := 0
	for _, d := range p.defaultLiterals() {
		property, known := p.Inputs.Property(d.name)
		value, given := in.values[d.name]
		if !known || !given || reflect.DeepEqual(value, property.Default) {
			continue
		}
		b.WriteString(p.Source[from:d.from])
		b.WriteString(d.rewritten(p.Source, value))
		from = d.to
	}
	b.WriteString(p.Source[from:])
	return Check(b.String(), nil)
}

// Defaults are the inputs of a run at the defaults.
func (p *Script) Defaults() Inputs {
	in, _ := p.Bind(nil) // defaults fit their own schema
	return in
}

// DeclaredInputs names the inputs that the script declares, in its order.
func (p *Script) DeclaredInputs() []string {
	names := []string{}
	for _, name := range p.Inputs.Names() {
		if !isServiceInput(name) {
			names = append(names, name)
		}
	}
	return names
}

// OffDefaults names the inputs whose value is not the default: those that the
// script declares, and those that the service gives to every model. in is bound
// by p, or by a program that is p but for its defaults.
func (p *Script) OffDefaults(in Inputs) (declared, given []string) {
	for _, property := range p.Inputs.Properties {
		value, there := in.values[property.Name]
		switch {
		case !there || reflect.DeepEqual(value, property.Default):
		case isServiceInput(property.Name):
			given = append(given, property.Name)
		default:
			declared = append(declared, property.Name)
		}
	}
	return declared, given
}

func isServiceInput(name string) bool { return name == startDateInput || name == initialCashInput }

// SameButDefaults reports whether the texts of two scripts are equal outside of
// the default literals of their INPUTS.
func SameButDefaults(p, q *Script) bool {
	return p.Source == q.Source || p.masked() == q.masked()
}

// Strategy is the SHA-256, in hex, of the script but for the default literals of
// its INPUTS: it stays the same when a run's inputs become the defaults.
func (p *Script) Strategy() string {
	sum := sha256.Sum256([]byte(p.masked()))
	return hex.EncodeToString(sum[:])
}

// masked is the script with a mark, which no script can have, for each default literal.
func (p *Script) masked() string {
	var b strings.Builder
	from := 0
	for _, d := range p.defaultLiterals() {
		b.WriteString(p.Source[from:d.from])
		b.WriteByte(0)
		from = d.to
	}
	b.WriteString(p.Source[from:])
	return b.String()
}

// defaultLiteral is the default of an input in the text: bytes [from, to) of the
// source. Signs, what is joined by +, and the parentheses of a tuple are part of
// it, other parentheses are not.
type defaultLiteral struct {
	name     string
	from, to int
	expr     syntax.Expr
	elements []span // of a list
}

type span struct{ from, to int }

// defaultLiterals finds the defaults of the declared inputs, in the order of the text.
func (p *Script) defaultLiterals() []defaultLiteral {
	unread := &problems{}
	file, _ := parse(scan(p.text, unread).text, p.text, unread)
	if file == nil || len(unread.list) > 0 {
		return nil // a program has passed its checks
	}
	var found []defaultLiteral
	at := newCursor(p.Source)
	for _, input := range entriesOf(constantOf(file, inputsConstant)) {
		for _, field := range entriesOf(input.Value) {
			key, bad := fold(field.Key)
			if bad != nil || key.value != "default" {
				continue
			}
			name, bad := fold(input.Key)
			if bad != nil {
				continue
			}
			d := defaultLiteral{name: name.value.(string), expr: bare(field.Value)}
			start, end := d.expr.Span()
			d.from = at.literal(start)
			if list, ok := d.expr.(*syntax.ListExpr); ok {
				for _, e := range list.List {
					first, last := e.Span()
					d.elements = append(d.elements, span{at.literal(first), at.offset(last)})
				}
			}
			d.to = at.offset(end)
			found = append(found, d)
		}
	}
	return found
}

// constantOf is the value of a constant, nil without one.
func constantOf(file *syntax.File, name string) syntax.Expr {
	for _, stmt := range file.Stmts {
		if s, ok := stmt.(*syntax.AssignStmt); ok {
			if id, ok := s.LHS.(*syntax.Ident); ok && id.Name == name {
				return s.RHS
			}
		}
	}
	return nil
}

// entriesOf are the entries of a dictionary.
func entriesOf(e syntax.Expr) []*syntax.DictEntry {
	dict, ok := bare(e).(*syntax.DictExpr)
	if !ok {
		return nil
	}
	var entries []*syntax.DictEntry
	for _, x := range dict.List {
		if entry, ok := x.(*syntax.DictEntry); ok {
			entries = append(entries, entry)
		}
	}
	return entries
}

// bare is an expression without parentheses around it, but those of a tuple.
func bare(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		if _, tuple := p.X.(*syntax.TupleExpr); tuple {
			return e
		}
		e = p.X
	}
}

// cursor finds the bytes of positions, which ascend, in a script as it was given:
// with its byte order mark and its own line ends.
type cursor struct {
	text         string
	at           int
	line, column int32
}

func newCursor(text string) *cursor {
	return &cursor{text: text, at: len(text) - len(strings.TrimPrefix(text, "\ufeff")), line: 1, column: 1}
}

// offset moves on to a position and returns its byte.
func (c *cursor) offset(p syntax.Position) int {
	for c.at < len(c.text) && (c.line < p.Line || c.line == p.Line && c.column < p.Col) {
		if n := lineEnd(c.text[c.at:]); n > 0 {
			c.at += n
			c.line, c.column = c.line+1, 1
			continue
		}
		_, n := utf8.DecodeRuneInString(c.text[c.at:])
		c.at += n
		c.column++
	}
	return c.at
}

// literal is offset with the prefix of u"…", which the parser does not see.
func (c *cursor) literal(p syntax.Position) int {
	at := c.offset(p)
	if at > 0 && at < len(c.text) && (c.text[at] == '"' || c.text[at] == '\'') && (c.text[at-1] == 'u' || c.text[at-1] == 'U') {
		return at - 1
	}
	return at
}

// lineEnd is how many bytes end a line at the beginning of text, 0 where none do.
func lineEnd(text string) int {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return 2
	case text != "" && (text[0] == '\r' || text[0] == '\n'):
		return 1
	}
	return 0
}
