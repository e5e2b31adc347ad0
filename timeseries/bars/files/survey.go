package files

import (
	"errors"
	"io"
	"strings"

	"ballast/internal/fault"
)

// survey is how a file writes dates and numbers.
type survey struct {
	order   Order
	decimal byte // 0 if nothing shows it, which is harmless without commas
}

// surveyRows is the number of rows inspected before reading. If they do not show the
// format, the whole file is inspected.
const surveyRows = 2000

// look finds the format of dates and numbers, unless the options give it.
func look(name string, l *layout, r rows, o Options) (survey, error) {
	s := survey{order: o.Dates, decimal: o.decimal()}
	seen := map[Order]string{}
	ordered, commas := "", ""
	numbers := map[evidence]string{}
	for n := 0; ; n++ {
		settled := (s.order != "" || ordered == "" || seen[DayFirst] != "" || seen[MonthFirst] != "") &&
			(s.decimal != 0 || commas == "" || numbers[decimalPoint] != "" || numbers[decimalComma] != "")
		if n >= surveyRows && settled {
			break
		}
		cells, _, err := r.next()
		var bad *malformed
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.As(err, &bad) {
			continue
		}
		if err != nil {
			return s, err
		}
		if l.date < len(cells) {
			if cell := strings.TrimSpace(cells[l.date]); s.order == "" {
				if order, ok := dateEvidence(cell); ok {
					note(seen, order, cell)
					ordered = first(ordered, cell)
				}
			}
		}
		if s.decimal != 0 {
			continue
		}
		for _, one := range l.series {
			for _, at := range one.columns {
				if at >= len(cells) {
					continue
				}
				cell := strings.TrimSpace(cells[at])
				note(numbers, numberEvidence(cell), cell)
				if strings.Contains(cell, ",") {
					commas = first(commas, cell)
				}
			}
		}
	}
	if err := s.settleDates(name, seen, ordered); err != nil {
		return s, err
	}
	return s, s.settleNumbers(name, numbers)
}

// note keeps the first text of each kind.
func note[K comparable](seen map[K]string, kind K, text string) {
	if _, ok := seen[kind]; !ok {
		seen[kind] = strings.Clone(text)
	}
}

func first(kept, text string) string {
	if kept == "" {
		return strings.Clone(text)
	}
	return kept
}

func (s *survey) settleDates(name string, seen map[Order]string, ordered string) error {
	day, month := seen[DayFirst], seen[MonthFirst]
	switch {
	case ordered == "":
	case day != "" && month != "":
		return fault.New(fault.InvalidBody, "%s mixes day-first dates (%s) and month-first dates (%s); write all of them as YYYY-MM-DD", name, day, month)
	case day != "":
		s.order = DayFirst
	case month != "":
		s.order = MonthFirst
	default:
		return fault.New(fault.InvalidBody, "%s has dates such as %s, and none of them shows whether the day or the month comes first; use --dates dmy or --dates mdy, or write the dates as YYYY-MM-DD", name, ordered)
	}
	return nil
}

func (s *survey) settleNumbers(name string, seen map[evidence]string) error {
	point, comma, either := seen[decimalPoint], seen[decimalComma], seen[eitherComma]
	switch {
	case s.decimal != 0:
	case point != "" && comma != "":
		return fault.New(fault.InvalidBody, "%s mixes decimal points (%s) and decimal commas (%s); write all numbers the same way, or use --decimal . or --decimal , to decide", name, point, comma)
	case point != "":
		s.decimal = '.'
	case comma != "":
		s.decimal = ','
	case either != "":
		return fault.New(fault.InvalidBody, "%s has numbers such as %s, and none of them shows whether the comma is a decimal comma or a thousands separator; use --decimal , or --decimal .", name, either)
	}
	return nil
}
