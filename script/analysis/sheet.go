package analysis

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"ballast/internal/number"
	"ballast/script"
	"ballast/timeseries"
)

// sheet collects what an analysis finds: its tables, scalars and figures, in the order in
// which they were written.
type sheet struct {
	tables  []script.Table
	scalars []script.Scalar
	figures []script.Figure
	calls   map[string]int // of each function so far
}

var namePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

const nameRule = "a letter, then up to 63 letters, digits, _, . and -"

// maxRows is how many rows the tables of an analysis may have in all.
const maxRows = 2_000_000

// table adds a table. If there is one with the name already, rows are added to it; its
// columns must then be the same.
func (s *sheet) table(t script.Table) error {
	rows := t.Rows()
	for _, other := range s.tables {
		rows += other.Rows()
	}
	if rows > maxRows {
		return fmt.Errorf("with the table %s there would be %d rows, and an analysis writes up to %d: choose fewer members or a shorter window", t.Name, rows, maxRows)
	}
	i := slices.IndexFunc(s.tables, func(x script.Table) bool { return x.Name == t.Name })
	if i < 0 {
		if len(s.tables) == script.MaxTables {
			return fmt.Errorf("%s would be table %d; an analysis writes up to %d", t.Name, script.MaxTables+1, script.MaxTables)
		}
		s.tables = append(s.tables, t)
		return nil
	}
	stored := &s.tables[i]
	if !slices.EqualFunc(stored.Columns, t.Columns, func(a, b script.Column) bool { return a.Name == b.Name && kindOf(&a) == kindOf(&b) }) {
		return fmt.Errorf("there is a table %s with other columns already: give this one another name", t.Name)
	}
	for k := range stored.Columns {
		c, more := &stored.Columns[k], &t.Columns[k]
		c.Numbers, c.Dates, c.Texts = append(c.Numbers, more.Numbers...), append(c.Dates, more.Dates...), append(c.Texts, more.Texts...)
	}
	return nil
}

// kindOf tells columns of numbers, dates and texts apart.
func kindOf(c *script.Column) string {
	switch {
	case c.Dates != nil:
		return "dates"
	case c.Texts != nil:
		return "texts"
	}
	return "numbers"
}

// scalar adds a number. NaN is a number that does not exist.
func (s *sheet) scalar(x script.Scalar) error {
	switch {
	case slices.ContainsFunc(s.scalars, func(y script.Scalar) bool { return y.Name == x.Name }):
		return fmt.Errorf("there is a scalar %s already: give this one another name", x.Name)
	case len(s.scalars) == script.MaxScalars:
		return fmt.Errorf("%s would be scalar %d; an analysis writes up to %d", x.Name, script.MaxScalars+1, script.MaxScalars)
	case math.IsInf(float64(x.Value), 0):
		x.Value = number.Float(math.NaN())
	}
	s.scalars = append(s.scalars, x)
	return nil
}

// add adds the scalars of a function, numbered from its second call on.
func (s *sheet) add(function string, scalars []script.Scalar) error {
	suffix := s.suffix(function)
	for _, x := range scalars {
		x.Name += suffix
		if err := s.scalar(x); err != nil {
			return err
		}
	}
	return nil
}

// figure adds a figure. One with the name of an earlier figure is left out: it draws the
// same table, which has the rows of both.
func (s *sheet) figure(f script.Figure) {
	if len(s.figures) < script.MaxFigures && !slices.ContainsFunc(s.figures, func(g script.Figure) bool { return g.Name == f.Name }) {
		s.figures = append(s.figures, f)
	}
}

// suffix numbers the scalars of a function from its second call on: "", "_2", "_3".
func (s *sheet) suffix(function string) string {
	if s.calls == nil {
		s.calls = map[string]int{}
	}
	s.calls[function]++
	if n := s.calls[function]; n > 1 {
		return "_" + strconv.Itoa(n)
	}
	return ""
}

// answer returns everything, and the window of the data.
func (s *sheet) answer(w *window) (*script.Answer, error) {
	if len(s.tables)+len(s.scalars) == 0 {
		return nil, &script.RunError{Type: script.ScriptError, Message: "analyze found nothing: call a function of the harness such as correlation(ctx, keys), or write a result with ctx.table or ctx.scalar"}
	}
	d := w.rows(daily).dates
	return &script.Answer{Tables: s.tables, Scalars: s.scalars, Figures: s.figures, Drawn: &script.Drawn{First: d[0], Last: d[len(d)-1]}}, nil
}

// Columns of a table.
func texts(name string, values []string) script.Column {
	return script.Column{Name: name, Texts: append([]string{}, values...)}
}

func numbers(name string, values []float64) script.Column {
	return script.Column{Name: name, Numbers: values}
}

func datesColumn(name string, values []timeseries.Date) script.Column {
	return script.Column{Name: name, Dates: append([]timeseries.Date{}, values...)}
}
