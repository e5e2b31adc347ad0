package script

import "ballast/timeseries"

// Answer is what a script of a kind without an engine gives: tables, scalars and
// figures.
type Answer struct {
	Tables  []Table
	Scalars []Scalar
	Figures []Figure
}

// Table is a table by columns of one length.
type Table struct {
	Name    string // by NamePattern
	Columns []Column
}

// Rows is the length of the columns.
func (t *Table) Rows() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return t.Columns[0].Len()
}

// Column is a column of a table. It has values of one kind; the other slices are nil.
type Column struct {
	Name    string // by NamePattern
	Numbers []float64
	Dates   []timeseries.Date
	Texts   []string
}

// Len is the number of values.
func (c *Column) Len() int { return len(c.Numbers) + len(c.Dates) + len(c.Texts) }

// Scalar is a single number of an answer.
type Scalar struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"` // finite
	Unit  string  `json:"unit,omitempty"`
	Title string  `json:"title,omitempty"`
}

// Figure is a plot of a table's columns.
type Figure struct {
	Name  string   `json:"name"`
	Title string   `json:"title,omitempty"`
	Kind  string   `json:"kind"` // one of FigureKinds
	Table string   `json:"table"`
	X     string   `json:"x"`
	Y     []string `json:"y"`
}

// FigureKinds are the kinds of plots.
var FigureKinds = []string{"line", "band", "bar", "area", "heatmap", "histogram", "scatter"}

// What an answer may hold at most.
const (
	MaxTables  = 64
	MaxColumns = 1024 // of one table
	MaxScalars = 1024
	MaxFigures = 64
	MaxLabel   = 200 // bytes of a name, a unit or a title
)
