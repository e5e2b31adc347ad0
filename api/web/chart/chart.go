package chart

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strconv"

	"ballast/timeseries"
)

// Style are the rules of style sheets that drawings need.
//
//go:embed chart.css
var Style string

//go:embed chart.html
var source string

var page = template.Must(template.New("chart").Parse(source))

// Column is a column of a table. It holds values of one kind; the other two slices are
// nil.
type Column struct {
	Name    string
	Unit    string
	Numbers []float64 // NaN where there is none
	Dates   []timeseries.Date
	Texts   []string
}

// Len returns the number of values.
func (c *Column) Len() int { return len(c.Numbers) + len(c.Dates) + len(c.Texts) }

// Figure is a plot of the columns of a table, which all have the same length.
type Figure struct {
	ID    string // unique on its page
	Title string
	Kind  string // one of script.FigureKinds
	X     Column
	Y     []Column
	// Groups are the texts that tell the lines of a long table apart, such as the symbols
	// of a table with one row per symbol and date.
	Groups []Column
	// Stacked areas are parts of a whole. Those below zero are stacked downwards.
	Stacked bool
}

// Drawing is what a figure looks like. Places are per cent of the plot's width from the
// left, and of its height from the top.
type Drawing struct {
	ID, Title, Description string
	Height                 int  // pixels; 0 for the usual height
	Named                  bool // the axes name things, and need more room than numbers
	Levels                 []Tick
	Across                 []Tick
	XName, YName           string
	Areas, Lines           []Shape
	Boxes                  []Box
	Dots                   []Dot
	Words                  []Word
	Legend                 []Key
	Notes                  []string // what the drawing leaves out
	Bins                   []Bin    // of a histogram
}

// Tick is a labelled place of an axis.
type Tick struct {
	At    string
	Text  string
	Minor bool // hidden where there is little room
}

// Shape is a line, or an area within it, of a class of the style sheet.
type Shape struct{ Class, Points string }

// Box is a rectangle. Its title is shown where a pointer rests.
type Box struct{ Class, X, Y, Width, Height, Opacity, Title string }

// Dot is a point.
type Dot struct{ Class, X, Y, Title string }

// Word is a text in the plot.
type Word struct {
	X, Y, Text, Class string
}

// Key explains a class of the drawing.
type Key struct {
	Class, Text string
	Area        bool // the class is one of areas, not of lines
}

// The limits of a drawing. What they leave out is in the figure's table.
const (
	maxPoints = 800  // of a line
	maxLines  = 12   // in a plot
	maxParts  = 14   // stacked areas of a whole
	maxDots   = 2000 // of a scatter plot
	maxBars   = 40   // named ones
	maxCells  = 40   // of a heat map, in each direction
)

// Draw draws a figure. It returns nil if there is nothing to draw.
func Draw(f Figure) *Drawing {
	var d *Drawing
	switch f.Kind {
	case "band":
		d = band(&f)
	case "line":
		d = lines(&f)
	case "area":
		d = area(&f)
	case "bar":
		d = bars(&f)
	case "histogram":
		d = histogram(&f)
	case "heatmap":
		d = heatmap(&f)
	case "scatter":
		d = scatter(&f)
	}
	if d != nil {
		d.ID, d.Title = f.ID, f.Title
	}
	return d
}

// HTML returns the drawing as an element of a page.
func (d *Drawing) HTML() (template.HTML, error) {
	var b bytes.Buffer
	if err := page.Execute(&b, d); err != nil {
		return "", fmt.Errorf("draw %s: %w", d.ID, err)
	}
	return template.HTML(b.String()), nil //nolint:gosec // html/template has escaped it
}

func (d *Drawing) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}

// class is the style of the n-th series.
func class(n int) string {
	name := "s" + strconv.Itoa(n%8)
	if n >= 8 {
		name += " again"
	}
	return name
}

// place writes a per cent of the plot.
func place(v float64) string {
	return strconv.FormatFloat(min(max(v, -1000), 1000), 'f', 2, 64)
}

// extent returns the least and the greatest finite number of columns; false without any.
func extent(columns ...[]float64) (low, high float64, ok bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, c := range columns {
		for _, v := range c {
			if finite(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	return low, high, low <= high
}

// finite reports whether a number can be drawn: those near the end of float64 have no
// differences.
func finite(v float64) bool { return math.Abs(v) <= 1e200 }

// numbers returns the numbers of columns that have numbers, and those columns.
func numbers(columns []Column) (values [][]float64, kept []Column) {
	for _, c := range columns {
		if c.Numbers != nil {
			values, kept = append(values, c.Numbers), append(kept, c)
		}
	}
	return values, kept
}
