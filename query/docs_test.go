package query

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ballast/internal/testenv"
)

var update = flag.Bool("update", false, "write the tables of docs/sql.md")

// TestPageHasEveryTable checks that docs/sql.md describes the tables and macros as they
// are.
func TestPageHasEveryTable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(testenv.Root(t), "docs", "sql.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const first, last = "## Tables\n", "## Types\n"
	before, rest, ok := strings.Cut(string(text), first)
	_, after, ok2 := strings.Cut(rest, last)
	if !ok || !ok2 {
		t.Fatalf("docs/sql.md lacks %q or %q", first, last)
	}
	want := before + first + described() + last + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Error("docs/sql.md does not describe the tables and macros as they are: go test ./query -run Page -update")
	}
}

// described returns the sections on the tables and macros as the page should have them.
func described() string {
	var b strings.Builder
	for _, t := range Tables {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n", t.Name, t.Doc)
		columns(&b, "column", t.Columns)
		fmt.Fprintf(&b, "\n```sql\n%s;\n```\n", t.Example)
	}
	b.WriteString("\n## Macros\n\nMacros are table functions. Give arguments by position or by name (`start_date := DATE '2020-01-01'`); an omitted argument has its default.\n")
	for _, m := range Macros {
		names := make([]string, len(m.Parameters))
		for i, p := range m.Parameters {
			names[i] = p.Name
		}
		fmt.Fprintf(&b, "\n### %s(%s)\n\n%s\n", m.Name, strings.Join(names, ", "), m.Doc)
		columns(&b, "argument", m.Parameters)
		columns(&b, "column", m.Columns)
		fmt.Fprintf(&b, "\n```sql\n%s;\n```\n", m.Example)
	}
	b.WriteString("\n")
	return b.String()
}

func columns(b *strings.Builder, head string, list []Column) {
	fmt.Fprintf(b, "\n| %s | type | meaning |\n|---|---|---|\n", head)
	for _, c := range list {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", c.Name, c.Type, strings.ReplaceAll(c.Doc, "|", "\\|"))
	}
}
