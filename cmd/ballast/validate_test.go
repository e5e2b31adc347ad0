package main

import (
	"strings"
	"testing"

	"ballast/script/dialect"
)

// TestProblemsPointAtTheirPlace checks that the caret points to the character,
// whatever is in the line.
func TestProblemsPointAtTheirPlace(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	for _, c := range []struct {
		name, source string
		line, column int
		want         string
	}{
		{"plain", "A = 1\nB = 2\n", 2, 5, "  B = 2\n      ^\n"},
		{"tabs", "\tB = 2", 1, 6, "  \tB = 2\n  \t    ^\n"},
		{"wide characters", `X = "日本" + y`, 1, 12, "  X = \"日本\" + y\n               ^\n"},
		{"carriage returns", "A = 1\rB = 2\r", 2, 1, "  B = 2\n  ^\n"},
		{"a byte order mark", "\ufeffA = 1", 1, 1, "  A = 1\n  ^\n"},
		{"after the end", "A =", 1, 4, "  A =\n     ^\n"},
		{"a long line", long + "y" + long, 1, 1001, "  … " + long[:80] + "y" + long[:79] + " …\n    " + strings.Repeat(" ", 80) + "^\n"},
		{"the end of one", long, 1, 1001, "  … " + long[:160] + "\n    " + strings.Repeat(" ", 160) + "^\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			printProblems(&b, "model.py", c.source, []dialect.Problem{{Rule: "syntax", Line: c.line, Column: c.column, Message: "wrong"}})
			_, got, _ := strings.Cut(b.String(), "\n")
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
