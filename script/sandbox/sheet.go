package sandbox

import (
	"bufio"
	"io"
	"math"
	"regexp"
	"slices"
	"unicode/utf8"

	"ballast/internal/number"
	"ballast/script"
	"ballast/timeseries"
)

// sheet is the control part of an answer: its scalars and figures, and the shape of
// its tables. Texts are in the control part, numbers in the body.
type sheet struct {
	Tables  []tableShape  `cbor:"tables"`
	Scalars []scalar      `cbor:"scalars"`
	Figures []figure      `cbor:"figures"`
	Drawn   *drawn        `cbor:"drawn"`
	Keep    []script.Kept `cbor:"keep"`
	// Wants is the sweep that the script lacks; there is nothing else then.
	Wants *script.Sweep `cbor:"wants"`
}

type drawn struct {
	Seed   uint64 `cbor:"seed"`
	Method string `cbor:"method"`
	First  int32  `cbor:"first"` // days
	Last   int32  `cbor:"last"`
}

type tableShape struct {
	Name    string        `cbor:"name"`
	Rows    int           `cbor:"rows"`
	Columns []columnShape `cbor:"columns"`
}

type columnShape struct {
	Name  string   `cbor:"name"`
	Date  bool     `cbor:"date"`
	Texts []string `cbor:"texts"` // nil for numbers and dates
}

type scalar struct {
	Name  string       `cbor:"name"`
	Value number.Float `cbor:"value"`
	Unit  string       `cbor:"unit"`
	Title string       `cbor:"title"`
}

type figure struct {
	Name  string   `cbor:"name"`
	Title string   `cbor:"title"`
	Kind  string   `cbor:"kind"`
	Table string   `cbor:"table"`
	X     string   `cbor:"x"`
	Y     []string `cbor:"y"`
	XUnit string   `cbor:"x_unit"`
	YUnit string   `cbor:"y_unit"`
}

// maxRows is the maximum number of rows of a table, so that sizes cannot overflow.
const maxRows = maxBody / 8

// size returns the size of the body, in bytes. Counts must have been checked.
func (s *sheet) size() (n uint64) {
	for i := range s.Tables {
		for _, c := range s.Tables[i].Columns {
			if c.Texts == nil {
				n += 8 * uint64(s.Tables[i].Rows)
			}
		}
	}
	return n
}

func sheetOf(a *script.Answer) *sheet {
	s := &sheet{Keep: a.Keep, Wants: a.Wants}
	for i := range a.Tables {
		t := &a.Tables[i]
		shape := tableShape{Name: t.Name, Rows: t.Rows()}
		for _, c := range t.Columns {
			shape.Columns = append(shape.Columns, columnShape{Name: c.Name, Date: c.Dates != nil, Texts: c.Texts})
		}
		s.Tables = append(s.Tables, shape)
	}
	for _, x := range a.Scalars {
		s.Scalars = append(s.Scalars, scalar(x))
	}
	for _, f := range a.Figures {
		s.Figures = append(s.Figures, figure(f))
	}
	if d := a.Drawn; d != nil {
		s.Drawn = &drawn{Seed: d.Seed, Method: d.Method, First: int32(d.First), Last: int32(d.Last)}
	}
	return s
}

// writeColumns writes the body of an answer. w keeps the first error.
func writeColumns(w *bufio.Writer, a *script.Answer) {
	for i := range a.Tables {
		for _, c := range a.Tables[i].Columns {
			if c.Dates != nil {
				days := make([]float64, len(c.Dates))
				for k, d := range c.Dates {
					if days[k] = float64(d); d == timeseries.NoDate {
						days[k] = math.NaN()
					}
				}
				put(w, days)
				continue
			}
			put(w, c.Numbers)
		}
	}
}

// readColumns reads the body of an answer. The sheet must have been checked.
func readColumns(r io.Reader, s *sheet) (*script.Answer, error) {
	words := make([]float64, s.size()/8)
	if _, err := io.ReadFull(r, bytesOf(words)); err != nil {
		return nil, err
	}
	b := &body{words: words}
	a := &script.Answer{Keep: s.Keep, Wants: s.Wants}
	for _, shape := range s.Tables {
		t := script.Table{Name: shape.Name}
		for _, c := range shape.Columns {
			column := script.Column{Name: c.Name, Texts: c.Texts}
			switch {
			case c.Texts != nil:
			case c.Date:
				column.Dates = make([]timeseries.Date, shape.Rows)
				for k, v := range b.floats(shape.Rows) {
					if math.IsNaN(v) {
						column.Dates[k] = timeseries.NoDate
						continue
					}
					if v != math.Trunc(v) || math.Abs(v) > maxDay {
						return nil, damaged("a date of %v", v)
					}
					column.Dates[k] = timeseries.Date(v)
				}
			default:
				column.Numbers = b.floats(shape.Rows)
			}
			t.Columns = append(t.Columns, column)
		}
		a.Tables = append(a.Tables, t)
	}
	for _, x := range s.Scalars {
		a.Scalars = append(a.Scalars, script.Scalar(x))
	}
	for _, f := range s.Figures {
		a.Figures = append(a.Figures, script.Figure(f))
	}
	if d := s.Drawn; d != nil {
		a.Drawn = &script.Drawn{Seed: d.Seed, Method: d.Method, First: timeseries.Date(d.First), Last: timeseries.Date(d.Last)}
	}
	return a, nil
}

// maxDay is a day number after the year 9999.
const maxDay = 3_000_000

var namePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.:-]{0,99}$`)

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// checkSheet checks a sheet against the limits of an answer, so that sizes cannot
// overflow and every name can be part of an object's key.
func checkSheet(s *sheet) error {
	if w := s.Wants; w != nil {
		return checkWants(s)
	}
	for i, k := range s.Keep {
		if k.Sweep < 0 || k.Sweep >= script.MaxSweeps || k.Point < 0 || k.Point >= script.MaxPoints || i == script.MaxKept {
			return damaged("point %d of sweep %d is kept as number %d", k.Point, k.Sweep, i+1)
		}
	}
	if len(s.Tables) > script.MaxTables || len(s.Scalars) > script.MaxScalars || len(s.Figures) > script.MaxFigures {
		return damaged("an answer of %d tables, %d scalars and %d figures", len(s.Tables), len(s.Scalars), len(s.Figures))
	}
	tables := map[string]*tableShape{}
	for i := range s.Tables {
		t := &s.Tables[i]
		if err := checkTable(t); err != nil {
			return err
		}
		if tables[t.Name] != nil {
			return damaged("two tables named %s", t.Name)
		}
		tables[t.Name] = t
	}
	if s.size() > maxBody {
		return damaged("tables of %d bytes", s.size())
	}
	named := map[string]bool{}
	for _, x := range s.Scalars {
		if !namePattern.MatchString(x.Name) || named[x.Name] || math.IsInf(float64(x.Value), 0) || !label(x.Unit) || !label(x.Title) {
			return damaged("a scalar %q of %v", clip(x.Name, 32), x.Value)
		}
		named[x.Name] = true
	}
	if d := s.Drawn; d != nil && (!label(d.Method) || d.First < -maxDay || d.Last > maxDay || d.First > d.Last) {
		return damaged("drawn by %q from day %d to day %d", clip(d.Method, 32), d.First, d.Last)
	}
	for _, f := range s.Figures {
		t := tables[f.Table]
		if !namePattern.MatchString(f.Name) || !label(f.Title) || !label(f.XUnit) || !label(f.YUnit) || !slices.Contains(script.FigureKinds, f.Kind) || t == nil || !t.has(f.X) ||
			len(f.Y) > script.MaxColumns || slices.ContainsFunc(f.Y, func(y string) bool { return !t.has(y) }) {
			return damaged("a figure %q of the table %q", clip(f.Name, 32), clip(f.Table, 32))
		}
	}
	return nil
}

func checkTable(t *tableShape) error {
	if !namePattern.MatchString(t.Name) || t.Rows < 0 || t.Rows > maxRows || len(t.Columns) == 0 || len(t.Columns) > script.MaxColumns {
		return damaged("a table %q of %d rows and %d columns", clip(t.Name, 32), t.Rows, len(t.Columns))
	}
	named := map[string]bool{}
	for _, c := range t.Columns {
		if !namePattern.MatchString(c.Name) || named[c.Name] || c.Texts != nil && (c.Date || len(c.Texts) != t.Rows) {
			return damaged("a column %q of the table %s", clip(c.Name, 32), t.Name)
		}
		named[c.Name] = true
	}
	return nil
}

func (t *tableShape) has(column string) bool {
	return slices.ContainsFunc(t.Columns, func(c columnShape) bool { return c.Name == column })
}

func label(s string) bool { return len(s) <= script.MaxLabel && utf8.ValidString(s) }
