package duck

import "strings"

// Ident quotes name as an SQL identifier.
func Ident(name string) string {
	return `"` + strings.ReplaceAll(clean(name), `"`, `""`) + `"`
}

// Literal quotes text as an SQL string literal.
func Literal(text string) string {
	return `'` + strings.ReplaceAll(clean(text), `'`, `''`) + `'`
}

// Literals returns a list of string literals: ['a', 'b'].
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

// clean removes zero bytes, which would end the statement in DuckDB's C interface.
func clean(s string) string { return strings.ReplaceAll(s, "\x00", "") }
