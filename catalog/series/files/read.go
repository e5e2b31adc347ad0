package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"ballast/catalog/series"
	"ballast/timeseries"
)

// Layout is who has published a file, as far as its form tells.
type Layout string

// The layouts.
const (
	French Layout = "Kenneth French's data library"
	FRED   Layout = "FRED"
	Plain  Layout = "CSV"
)

// Table is the table of a file, with its values as the file has them; NaN is a missing
// value.
type Table struct {
	Layout    Layout
	Frequency series.Frequency
	Dates     []timeseries.Date
	Keys      []string
	Columns   [][]float64
	Notes     []string // what was not read, and why
}

// Open reads a file. Errors say what is wrong with its contents.
func Open(path string) (*Table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, MostBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MostBytes {
		return nil, fmt.Errorf("%s: %w", path, errTooLarge)
	}
	t, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// Read reads the contents of a file.
func Read(data []byte) (*Table, error) {
	text, err := unpack(data)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, errors.New("the file is not text; a CSV file in UTF-8 is accepted")
	}
	r := &reading{lines: strings.Split(strings.ReplaceAll(string(text), "\r", ""), "\n")}
	if err := r.head(); err != nil {
		return nil, err
	}
	if err := r.rows(); err != nil {
		return nil, err
	}
	if err := r.rest(); err != nil {
		return nil, err
	}
	return &r.Table, r.frequency()
}

// reading is a file that is being read.
type reading struct {
	Table
	lines     []string
	at        int // position of the next line
	separator rune
	form      form // of the dates
}

// head finds the first row and the line that names its columns.
func (r *reading) head() error {
	header := -1
	for i, line := range r.lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		separator := separatorOf(line)
		cells := split(line, separator)
		if _, f := dateOf(cells[0]); f != notDate && len(cells) > 1 {
			r.at, r.separator, r.form = i, separator, f
			return r.name(header, len(cells))
		}
		if len(cells) > 1 && quarter.MatchString(cells[0]) {
			return fmt.Errorf("line %d has quarterly values; daily and monthly ones are accepted", i+1)
		}
		header = i
	}
	return errors.New("no row begins with a date; dates are written 2024-01-31, 20240131, 202401 or 2024-01")
}

// name reads the line that names the columns.
func (r *reading) name(header, width int) error {
	if r.form == yearDigits {
		return fmt.Errorf("line %d has annual values; daily and monthly ones are accepted", r.at+1)
	}
	if header < 0 {
		return fmt.Errorf("line %d is the first row, and no line before it names the columns", r.at+1)
	}
	cells := split(r.lines[header], r.separator)
	if r.separator == ' ' && len(cells) == width-1 { // the column of dates has no name
		cells = slices.Insert(cells, 0, "")
	}
	switch first := strings.ToLower(cells[0]); {
	case first == "":
		r.Layout = French
	case first == "observation_date", first == "date" && cells[0] == "DATE":
		r.Layout = FRED
	default:
		r.Layout = Plain
	}
	for len(cells) > width && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	if len(cells) != width {
		return fmt.Errorf("line %d names %d columns, but line %d has %d cells", header+1, len(cells), r.at+1, width)
	}
	if n := width - 1; n > series.MostKeys {
		return fmt.Errorf("line %d names %d columns; a series has at most %d. Divide the file into several series", header+1, n, series.MostKeys)
	}
	for i, cell := range cells[1:] {
		key := series.KeyOf(cell)
		if key == "" {
			return fmt.Errorf("line %d, column %d: %s cannot be the name of a column; letters and digits are accepted", header+1, i+2, quoted(cell))
		}
		if slices.ContainsFunc(r.Keys, func(k string) bool { return strings.EqualFold(k, key) }) {
			return fmt.Errorf("line %d, column %d: a column named %s comes before; give each its own name", header+1, i+2, key)
		}
		r.Keys, r.Columns = append(r.Keys, key), append(r.Columns, nil)
	}
	return nil
}

// rows reads the rows up to the first line that is not one.
func (r *reading) rows() error {
	for ; r.at < len(r.lines); r.at++ {
		line := r.lines[r.at]
		if strings.TrimSpace(line) == "" {
			if r.Layout == French {
				return nil
			}
			continue
		}
		cells := split(line, r.separator)
		d, f := dateOf(cells[0])
		if f != r.form {
			if r.Layout == French {
				return nil
			}
			return fmt.Errorf("line %d, column 1: %s is not a date as on the lines before, such as %s", r.at+1, quoted(cells[0]), names[r.form])
		}
		for len(cells) > len(r.Keys)+1 && cells[len(cells)-1] == "" {
			cells = cells[:len(cells)-1]
		}
		if len(cells) != len(r.Keys)+1 {
			return fmt.Errorf("line %d has %d cells; %d are expected: the date, and %d values", r.at+1, len(cells), len(r.Keys)+1, len(r.Keys))
		}
		if len(r.Dates) == series.MostRows {
			return fmt.Errorf("line %d: a series has at most %d dates; divide the file", r.at+1, series.MostRows)
		}
		r.Dates = append(r.Dates, d)
		for i, cell := range cells[1:] {
			v, err := valueOf(cell, r.Layout == French)
			if err != nil {
				return fmt.Errorf("line %d, column %d (%s): %w", r.at+1, i+2, r.Keys[i], err)
			}
			r.Columns[i] = append(r.Columns[i], v)
		}
	}
	return nil
}

// rest looks at what follows the table. Another table is reported; a row that continues
// this one shows that a damaged line has ended it.
func (r *reading) rest() error {
	ended, told := r.at, false
	last := slices.Max(r.Dates)
	for i := ended; i < len(r.lines); i++ {
		cells := split(r.lines[i], r.separator)
		if len(cells) == 0 {
			continue
		}
		d, f := dateOf(cells[0])
		if f == notDate || len(cells) < 2 {
			continue
		}
		if f == r.form && d > last && !told {
			return fmt.Errorf("line %d, column 1: %s is not a date such as %s, but line %d continues the table", ended+1, quoted(split(r.lines[ended], r.separator)[0]), names[r.form], i+1)
		}
		if !told {
			r.Notes = append(r.Notes, fmt.Sprintf("Line %d begins another table, which was not read.", i+1))
			told = true
		}
	}
	return nil
}

// frequency tells monthly from daily values.
func (r *reading) frequency() error {
	r.Frequency = series.Daily
	monthly := r.form == monthDigits || r.form == monthDashed
	months := map[int]bool{}
	first, quarterly := true, len(r.Dates) > 2
	for i, d := range r.Dates {
		year, month, day := d.YMD()
		months[12*year+int(month)] = true
		first = first && day == 1
		if i > 0 {
			y, m, _ := r.Dates[i-1].YMD()
			quarterly = quarterly && (12*year+int(month))-(12*y+int(m)) >= 3
		}
	}
	switch {
	case !monthly && (len(months) < len(r.Dates) || !first && !r.monthEnds()):
		return nil
	case quarterly:
		return fmt.Errorf("the dates are three months or more apart, as from %s to %s; daily and monthly values are accepted", r.Dates[0], r.Dates[1])
	}
	r.Frequency = series.Monthly
	return nil
}

// monthEnds reports whether every date is among the last four days of its month, where
// its last session can be.
func (r *reading) monthEnds() bool {
	for _, d := range r.Dates {
		_, month, _ := d.YMD()
		if _, later, _ := (d + 4).YMD(); later == month {
			return false
		}
	}
	return true
}
