package query

import (
	"slices"
	"strings"
	"testing"
)

// TestTablesAreDescribed checks that every table and column has a type, a description,
// and a name that SQL accepts unquoted or that is a column of the interface.
func TestTablesAreDescribed(t *testing.T) {
	t.Parallel()
	types := []Type{Text, Texts, Boolean, Integer, Number, Date, Moment}
	seen := map[string]bool{}
	for _, table := range Tables {
		if table.Name == "" || table.Doc == "" || !strings.Contains(table.Example, table.Name) {
			t.Errorf("table %q lacks a name, a description or an example of its own", table.Name)
		}
		if seen[table.Name] {
			t.Errorf("two tables are called %s", table.Name)
		}
		seen[table.Name] = true
		columns := map[string]bool{}
		for _, c := range table.Columns {
			if c.Doc == "" || !slices.Contains(types, c.Type) || columns[c.Name] || c.Name != strings.ToLower(c.Name) {
				t.Errorf("column %s.%s is not described, or is there twice", table.Name, c.Name)
			}
			columns[c.Name] = true
			if table.Column(strings.ToUpper(c.Name)) == nil {
				t.Errorf("column %s.%s is not found", table.Name, c.Name)
			}
		}
		if Find(strings.ToUpper(table.Name)) != table {
			t.Errorf("table %s is not found", table.Name)
		}
	}
	if Find("nothing") != nil || Returns.Column("nothing") != nil {
		t.Error("an unknown name was found")
	}
}
