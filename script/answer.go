package script

import (
	numbers "ballast/internal/number"
	"ballast/timeseries"
)

// Answer is the result of a script whose kind does not run on the backtest
// engine: tables, scalars and figures.
type Answer struct {
	Tables  []Table
	Scalars []Scalar
	Figures []Figure
	Drawn   *Drawn // nil unless the result rests on random numbers or a choice of window
	Keep    []Kept // points of sweeps that are to be kept as runs of their models, the best first
	Wants   *Sweep // what the script needs before it can go on, in place of all else; nil for an answer
}

// Drawn describes from which data a result was computed, and how its random numbers were
// drawn.
type Drawn struct {
	Seed   uint64          `json:"seed"`
	Method string          `json:"method"` // "" without random numbers
	First  timeseries.Date `json:"-"`      // the window of the data
	Last   timeseries.Date `json:"-"`
}

// Table is a named table. All of its columns have the same length.
type Table struct {
	Name    string // must match NamePattern
	Columns []Column
}

// Rows returns the number of rows, 0 for a table without columns.
func (t *Table) Rows() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return t.Columns[0].Len()
}

// Column is a column of a table. It holds values of one kind; the other two
// slices are nil. NaN and NoDate stand for missing values.
type Column struct {
	Name    string // must match NamePattern
	Numbers []float64
	Dates   []timeseries.Date
	Texts   []string
}

// Len returns the number of values.
func (c *Column) Len() int { return len(c.Numbers) + len(c.Dates) + len(c.Texts) }

// Scalar is a single number of an answer.
type Scalar struct {
	Name  string        `json:"name"`
	Value numbers.Float `json:"value"` // null if there is none
	Unit  string        `json:"unit,omitempty"`
	Title string        `json:"title,omitempty"`
}

// Figure is a plot of a table's columns. Units are those of scalars, such as usd,
// fraction and months; a column without a unit is shown as a plain number.
type Figure struct {
	Name  string   `json:"name"`
	Title string   `json:"title,omitempty"`
	Kind  string   `json:"kind"` // one of FigureKinds
	Table string   `json:"table"`
	X     string   `json:"x"`
	Y     []string `json:"y"`
	XUnit string   `json:"x_unit,omitempty"`
	YUnit string   `json:"y_unit,omitempty"`
}

// FigureKinds are the kinds of plots.
var FigureKinds = []string{"line", "band", "bar", "area", "heatmap", "histogram", "scatter"}

// The limits of an answer.
const (
	MaxTables  = 64
	MaxColumns = 1024 // in one table
	MaxScalars = 1024
	MaxFigures = 64
	MaxLabel   = 200 // bytes in a name, a unit or a title
)
