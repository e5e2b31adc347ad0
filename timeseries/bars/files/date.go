package files

import (
	"errors"
	"strings"
	"time"

	"ballast/timeseries"
)

// Order is the order of day and month in dates such as 01/02/2024.
type Order string

// The orders.
const (
	DayFirst   Order = "dmy"
	MonthFirst Order = "mdy"
)

var (
	errDate    = errors.New("is not a date written YYYY-MM-DD, YYYY/MM/DD or YYYYMMDD")
	errYear    = errors.New("has a two-digit year; write all four digits")
	errSerial  = errors.New("is a count of days or seconds, not a date; format the column as YYYY-MM-DD and save the file again")
	errCentury = errors.New("is outside 1885 to 2100")
)

// The first and last day that bars may have.
var (
	earliest = timeseries.NewDate(1885, time.January, 1)
	latest   = timeseries.NewDate(2100, time.December, 31)
)

// parseDate parses a trimmed cell. A time after the date is ignored, with its zone. Day
// and month are in the order of the file.
func parseDate(cell string, order Order) (timeseries.Date, error) {
	day, err := parseDay(cell, order)
	if err == nil && (day < earliest || day > latest) {
		return day, errCentury
	}
	return day, err
}

func parseDay(cell string, order Order) (timeseries.Date, error) {
	if len(cell) == 8 && digits(cell) {
		return dayOf(cell[:4], cell[4:6], cell[6:])
	}
	if len(cell) >= 8 && digits(cell) || len(cell) == 5 && digits(cell) {
		return 0, errSerial
	}
	parts, ok := dateParts(cell)
	if !ok {
		return parseSpelled(cell)
	}
	if len(parts[0]) == 4 {
		return dayOf(parts[0], parts[1], parts[2])
	}
	if len(parts[2]) != 4 {
		return 0, errYear
	}
	switch order {
	case DayFirst:
		return dayOf(parts[2], parts[1], parts[0])
	case MonthFirst:
		return dayOf(parts[2], parts[0], parts[1])
	}
	return 0, errDate
}

// dateParts splits a date at its separators into three numbers, of which one must have
// four digits or the last two. A time may follow.
func dateParts(cell string) (parts [3]string, ok bool) {
	at, begin := 0, 0
	var separator byte
	i := 0
	for ; i < len(cell); i++ {
		c := cell[i]
		if c >= '0' && c <= '9' {
			continue
		}
		if c == '-' || c == '/' || c == '.' {
			if at == 2 || separator != 0 && c != separator {
				return parts, false
			}
			separator = c
			parts[at] = cell[begin:i]
			at, begin = at+1, i+1
			continue
		}
		break
	}
	parts[2] = cell[begin:i]
	if at != 2 {
		return parts, false
	}
	if rest := cell[i:]; rest != "" && (len(rest) < 2 || rest[0] != 'T' && rest[0] != ' ' || strings.TrimLeft(rest, " ") == "") {
		return parts, false
	}
	short := func(s string) bool { return len(s) == 1 || len(s) == 2 }
	switch {
	case len(parts[0]) == 4:
		return parts, short(parts[1]) && short(parts[2])
	case short(parts[0]) && short(parts[1]):
		return parts, len(parts[2]) == 4 || len(parts[2]) == 2
	}
	return parts, false
}

func dayOf(year, month, day string) (timeseries.Date, error) {
	y, m, d := number(year), number(month), number(day)
	if m < 1 || m > 12 || d < 1 || d > daysIn(y, m) {
		return 0, errors.New("is not a calendar date")
	}
	return timeseries.NewDate(y, time.Month(m), d), nil
}

// number parses at most four digits.
func number(s string) (n int) {
	for i := range len(s) {
		n = 10*n + int(s[i]-'0')
	}
	return n
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// spelled are formats of dates with the month as a word.
var spelled = []string{"2-Jan-2006", "2 Jan 2006", "Jan 2, 2006", "Jan 2 2006", "January 2, 2006", "2 January 2006", "2-January-2006"}

func parseSpelled(cell string) (timeseries.Date, error) {
	if len(cell) <= len("30 September 2024") {
		for _, form := range spelled {
			if t, err := time.Parse(form, cell); err == nil {
				return timeseries.FromTime(t), nil
			}
		}
	}
	return 0, errDate
}

// dateEvidence returns what one cell shows about the order of day and month.
func dateEvidence(cell string) (order Order, ordered bool) {
	parts, ok := dateParts(cell)
	if !ok || len(parts[0]) == 4 || len(parts[2]) != 4 {
		return "", false
	}
	a, b := number(parts[0]), number(parts[1])
	switch {
	case a > 12 && b <= 12:
		return DayFirst, true
	case b > 12 && a <= 12:
		return MonthFirst, true
	}
	return "", true
}
