package main

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
)

func TestCutStatement(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, statement, rest string
		found                 bool
	}{
		{"select 1", "select 1", "", false},
		{"select 1;", "select 1", "", true},
		{"a; b;", "a", " b;", true},
		{"';'; b", "';'", " b", true},
		{"'it''s;' x; b", "'it''s;' x", " b", true},
		{`";";`, `";"`, "", true},
		{"-- a;\nb;", "-- a;\nb", "", true},
		{"/* ; */ b; c", "/* ; */ b", " c", true},
		{"$$ ; $$; b", "$$ ; $$", " b", true},
		{"$tag$ ; $$ ; $tag$; b", "$tag$ ; $$ ; $tag$", " b", true},
		{"select $1; b", "select $1", " b", true},
		{"select $day; b", "select $day", " b", true},
		{"'open; ", "'open; ", "", false},
		{"/* open; ", "/* open; ", "", false},
		{"", "", "", false},
		{"$", "$", "", false},
	} {
		statement, rest, found := cutStatement(c.text)
		if statement != c.statement || rest != c.rest || found != c.found {
			t.Errorf("%q: %q, %q, %v", c.text, statement, rest, found)
		}
	}
}

// TestStatements checks which statements a session carries out. ^C stands for a line that
// is interrupted.
func TestStatements(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		lines []string
		rest  bool
		want  []string
	}{
		{"one line", []string{"a;"}, false, []string{"a"}},
		{"several lines", []string{"a", "b;"}, false, []string{"a\nb"}},
		{"several on a line", []string{"a; b; c", ";"}, false, []string{"a", "b", "c"}},
		{"an interrupt drops what was begun", []string{"a", "^C", "b;"}, false, []string{"b"}},
		{"the end of a session drops what was begun", []string{"a;", "b"}, false, []string{"a"}},
		{"the end of a file ends a statement", []string{"a;", "b"}, true, []string{"a", "b"}},
		{"a text keeps its empty lines", []string{"'x", "", "y';"}, false, []string{"'x\n\ny'"}},
		{"nothing but semicolons", []string{";", ";;"}, true, nil},
		{"exit", []string{"a;", "exit", "b;"}, false, []string{"a"}},
		{"quit;", []string{"Quit;", "b;"}, false, nil},
	} {
		var got []string
		lines := c.lines
		err := statements(func(bool) (string, error) {
			if len(lines) == 0 {
				return "", io.EOF
			}
			line := lines[0]
			lines = lines[1:]
			if line == "^C" {
				return "", errInterrupted
			}
			return line, nil
		}, c.rest, func(s string) error {
			got = append(got, s)
			return nil
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, error %v", c.name, got, err)
		}
	}
	failure := errors.New("no")
	if err := statements(func(bool) (string, error) { return "a;", nil }, false, func(string) error { return failure }); !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
	if err := statements(func(bool) (string, error) { return strings.Repeat("a", 1<<16), nil }, false, func(string) error { return nil }); err == nil {
		t.Error("a statement without an end is read for ever")
	}
}

// TestInterruptedLine checks that Ctrl-C clears the line in small reads as well.
func TestInterruptedLine(t *testing.T) {
	t.Parallel()
	r := &interruptible{in: strings.NewReader("ab\x03c")}
	var got []byte
	for b := make([]byte, 4); ; {
		n, err := r.Read(b)
		if err != nil {
			break
		}
		got = append(got, b[:n]...)
	}
	if string(got) != "ab"+clearLine+"c" || !r.interrupted {
		t.Errorf("%q, interrupted %v", got, r.interrupted)
	}
}

// tableRows are the rows of a small answer.
type tableRows struct {
	batch arrow.RecordBatch
	read  bool
}

func (r *tableRows) Schema() *arrow.Schema    { return r.batch.Schema() }
func (r *tableRows) Next() bool               { first := !r.read; r.read = true; return first }
func (r *tableRows) Batch() arrow.RecordBatch { return r.batch }
func (r *tableRows) Err() error               { return nil }
func (r *tableRows) Cut() bool                { return false }

func TestTable(t *testing.T) {
	t.Parallel()
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "symbol", Type: arrow.BinaryTypes.String, Nullable: true}, {Name: "cagr", Type: arrow.PrimitiveTypes.Float64, Nullable: true}, {Name: "since", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
	}, nil))
	b.Field(0).(*array.StringBuilder).AppendValues([]string{"ÄÖÜ", "", "long\nname"}, nil)
	b.Field(1).(*array.Float64Builder).AppendValues([]float64{0.5, 0, 0.0625}, []bool{true, false, true})
	b.Field(2).(*array.Date32Builder).AppendValues([]arrow.Date32{0, 1, 0}, []bool{true, true, false})
	batch := b.NewRecordBatch()
	columns := `symbol       cagr  since
---------  ------  ----------
ÄÖÜ           0.5  1970-01-01
             NULL  1970-01-02
long name  0.0625  NULL
3 rows
`
	records := `-- row 1 --
symbol  ÄÖÜ
cagr    0.5
since   1970-01-01
-- row 2 --
symbol  ` + `
cagr    NULL
since   1970-01-02
-- row 3 --
symbol  long name
cagr    0.0625
since   NULL
3 rows
`
	for width, want := range map[int]string{0: columns, 80: columns, 29: columns, 28: records} {
		var out bytes.Buffer
		if err := writeTable(&out, &tableRows{batch: batch}, width); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("width %d: %s", width, diff)
		}
	}
}
