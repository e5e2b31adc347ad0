package duck

import "strings"

// Ident writes name as a quoted SQL identifier.
func Ident(name string) string {
	return `"` + strings.ReplaceAll(clean(name), `"`, `""`) + `"`
}

// Literal writes text as an SQL string literal.
func Literal(text string) string {
	return `'` + strings.ReplaceAll(clean(text), `'`, `''`) + `'`
}

// Literals writes a list of string literals: ['a', 'b'].
func Literals(texts []string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, t := range texts {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(Literal(t))
	}
	b.WriteByte(']')
	return b.String()
}

// clean drops zero bytes, at which DuckDB's C interface would end the statement.
func clean(s string) string { return strings.ReplaceAll(s, "\x00", "") }
