package script

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"ballast/script/dialect"
)

// WithDefaults returns the script with the values of in as the defaults of its
// declared inputs. It rewrites the default literals in INPUTS whose values
// change and leaves every other byte as it is. The inputs that the service adds
// to every model (start_date, initial_cash) are not part of a script and are
// skipped. in must be bound by p, or by a script that differs from p only in
// its defaults. The result is that of Check without a resolver, so a script
// that becomes too long is a problem.
func (p *Script) WithDefaults(in Inputs) (*Script, []dialect.Problem) {
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

// Defaults returns the default value of every input.
func (p *Script) Defaults() Inputs {
	in, _ := p.Bind(nil) // Check has accepted every default
	return in
}

// DeclaredInputs returns the names of the inputs that the script itself
// declares, in its order.
func (p *Script) DeclaredInputs() []string {
	names := []string{}
	for i := range p.Inputs.Properties {
		if property := &p.Inputs.Properties[i]; !property.Service {
			names = append(names, property.Name)
		}
	}
	return names
}

// OffDefaults returns the names of the inputs whose value is not the default:
// those that the script declares, and those that the service adds. in must be bound by p, or by a script that differs from p only in its
// defaults.
func (p *Script) OffDefaults(in Inputs) (declared, given []string) {
	for _, property := range p.Inputs.Properties {
		value, there := in.values[property.Name]
		switch {
		case !there || reflect.DeepEqual(value, property.Default):
		case property.Service:
			given = append(given, property.Name)
		default:
			declared = append(declared, property.Name)
		}
	}
	return declared, given
}

// SameButDefaults reports whether two scripts are equal apart from the default
// literals in INPUTS.
func SameButDefaults(p, q *Script) bool {
	return p.Source == q.Source || p.masked() == q.masked()
}

// Strategy returns the SHA-256, in hex, of the script without the default
// literals in INPUTS. It does not change when a run's inputs become the
// defaults.
func (p *Script) Strategy() string {
	sum := sha256.Sum256([]byte(p.masked()))
	return hex.EncodeToString(sum[:])
}

// masked returns the script with each default literal replaced by a NUL byte,
// which no script can contain.
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

// defaultLiteral is the default of an input in the text: bytes [from, to) of
// the source. It includes signs, all terms of a sum, and the parentheses of a
// tuple, but no other parentheses.
type defaultLiteral struct {
	name     string
	from, to int
	expr     syntax.Expr
	elements []span // of a list
}

type span struct{ from, to int }

// defaultLiterals finds the defaults of the declared inputs, in text order.
func (p *Script) defaultLiterals() []defaultLiteral {
	unread := &dialect.Problems{}
	file, _ := dialect.Parse(dialect.Scan(p.text, unread).Code, p.text, unread)
	if file == nil || len(unread.List) > 0 {
		return nil // cannot happen: the script has passed Check
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

// constantOf returns the value of a constant, or nil if the file does not
// assign it.
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

// entriesOf returns the entries of a dictionary, or nil for any other
// expression.
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

// bare removes the parentheses around an expression, except those of a tuple.
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

// cursor maps ascending positions to byte offsets in the script as it was
// given, with its byte order mark and its own line endings.
type cursor struct {
	text         string
	at           int
	line, column int32
}

func newCursor(text string) *cursor {
	return &cursor{text: text, at: len(text) - len(strings.TrimPrefix(text, "\ufeff")), line: 1, column: 1}
}

// offset moves forward to a position and returns its byte offset.
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

// literal is like offset, but includes the u prefix of u"…", which the parser
// does not see.
func (c *cursor) literal(p syntax.Position) int {
	at := c.offset(p)
	if at > 0 && at < len(c.text) && (c.text[at] == '"' || c.text[at] == '\'') && (c.text[at-1] == 'u' || c.text[at-1] == 'U') {
		return at - 1
	}
	return at
}

// lineEnd returns the length in bytes of a line ending at the start of text, or
// 0 if there is none.
func lineEnd(text string) int {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return 2
	case text != "" && (text[0] == '\r' || text[0] == '\n'):
		return 1
	}
	return 0
}
