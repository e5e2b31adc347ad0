package files

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"ballast/timeseries"
)

// split divides a line into cells without quotes and spaces around them.
func split(line string, separator rune) []string {
	var cells []string
	if separator == ' ' {
		cells = strings.Fields(line)
	} else {
		cells = strings.Split(line, string(separator))
	}
	for i, c := range cells {
		c = strings.TrimSpace(c)
		if len(c) >= 2 && c[0] == '"' && c[len(c)-1] == '"' {
			c = strings.TrimSpace(c[1 : len(c)-1])
		}
		cells[i] = c
	}
	return cells
}

// separatorOf returns what divides the cells of a line.
func separatorOf(line string) rune {
	for _, s := range ",;\t" {
		if strings.ContainsRune(line, s) {
			return s
		}
	}
	return ' '
}

// form is a way to write dates.
type form int

const (
	notDate     form = iota
	yearDigits       // 2024
	monthDigits      // 202401
	dayDigits        // 20240131
	monthDashed      // 2024-01
	dayDashed        // 2024-01-31
)

// quarter matches a quarter of a year, which is no date of a series: 2024Q1, 2024-Q1.
var quarter = regexp.MustCompile(`^[0-9]{4}[- :]?Q[1-4]$`)

// names of the forms, for error messages.
var names = map[form]string{yearDigits: "2024", monthDigits: "202401", dayDigits: "20240131", monthDashed: "2024-01", dayDashed: "2024-01-31"}

// dateOf reads a date in any form. The day of a month is its first.
func dateOf(cell string) (timeseries.Date, form) {
	digits := cell
	var f form
	switch len(cell) {
	case 4:
		f, digits = yearDigits, cell+"0101"
	case 6:
		f, digits = monthDigits, cell+"01"
	case 7:
		f, digits = monthDashed, strings.Replace(cell, "-", "", 1)+"01"
	case 8:
		f = dayDigits
	case 10:
		f, digits = dayDashed, strings.Replace(cell, "-", "", 2)
	default:
		return timeseries.NoDate, notDate
	}
	if len(digits) != 8 || strings.Trim(digits, "0123456789") != "" {
		return timeseries.NoDate, notDate
	}
	if f == dayDashed && (cell[4] != '-' || cell[7] != '-') || f == monthDashed && cell[4] != '-' {
		return timeseries.NoDate, notDate
	}
	d, err := timeseries.ParseDate(digits[:4] + "-" + digits[4:6] + "-" + digits[6:])
	if err != nil {
		return timeseries.NoDate, notDate
	}
	return d, f
}

// missing are the cells that stand for no value, in lower case.
var missing = map[string]bool{"": true, ".": true, "na": true, "n/a": true, "#n/a": true, "nan": true, "null": true, "none": true, "-": true}

// valueOf reads a number, NaN if the cell stands for no value. In French's files -99.99
// and -999 do.
func valueOf(cell string, french bool) (float64, error) {
	if missing[strings.ToLower(cell)] {
		return math.NaN(), nil
	}
	accepted := "a missing value is empty, a dot or NA"
	if french {
		accepted += ", or -99.99 or -999"
	}
	// ParseFloat also reads hexadecimal numbers, underscores and infinity.
	if strings.Trim(cell, "+-.0123456789eE") != "" {
		return 0, fmt.Errorf("%s is not a number; %s", quoted(cell), accepted)
	}
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a number; %s", quoted(cell), accepted)
	}
	if french && (v == -99.99 || v == -999) {
		return math.NaN(), nil
	}
	return v, nil
}

// quoted shows a cell in an error message, a long one cut short.
func quoted(cell string) string {
	const most = 40
	if len(cell) > most {
		return strconv.Quote(strings.ToValidUTF8(cell[:most], "") + "…")
	}
	return strconv.Quote(strings.ToValidUTF8(cell, "\ufffd"))
}
