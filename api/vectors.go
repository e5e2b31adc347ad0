package api

import (
	"math"
	"strconv"

	"ballast/internal/number"
	"ballast/timeseries"
)

// appendFloats adds a vector of numbers, null for what is not one.
func appendFloats(b []byte, x []float64) []byte {
	b = append(b, '[')
	for i, v := range x {
		if i > 0 {
			b = append(b, ',')
		}
		switch {
		case v == 0 && !math.Signbit(v): // most weights of most keys
			b = append(b, '0')
		default:
			b = number.Append(b, v)
		}
	}
	return append(b, ']')
}

// appendDates adds a vector of dates, each "YYYY-MM-DD". Nearly every date is a
// few days after the one before it, in the same month: then only its day is new.
func appendDates(b []byte, dates []timeseries.Date) []byte {
	b = append(b, '[')
	day := 0 // of the month, of the date before; 0 before the first
	for i, d := range dates {
		if i > 0 {
			b = append(b, ',')
		}
		if i > 0 && day > 0 && d > dates[i-1] && d-dates[i-1] <= 28 && day+int(d-dates[i-1]) <= 28 {
			day += int(d - dates[i-1])
			const quoted = len(`"2006-01-02"`)
			b = append(b, b[len(b)-1-quoted:len(b)-1]...)
			b[len(b)-3], b[len(b)-2] = byte('0'+day/10), byte('0'+day%10)
			continue
		}
		b = appendDate(b, d)
		day = 0
		if year, _, dayOfMonth := civil(int(d)); year >= 1000 && year <= 9999 {
			day = dayOfMonth
		}
	}
	return append(b, ']')
}

// appendDate adds a date in quotes, null for NoDate.
func appendDate(b []byte, d timeseries.Date) []byte {
	if d == timeseries.NoDate {
		return append(b, "null"...)
	}
	year, month, day := civil(int(d))
	if year < 1000 || year > 9999 { // not a market's date, but it must be right
		b = append(b, '"')
		b = append(b, d.String()...)
		return append(b, '"')
	}
	b = append(b, '"')
	b = strconv.AppendInt(b, int64(year), 10)
	b = append(b, '-', byte('0'+month/10), byte('0'+month%10), '-', byte('0'+day/10), byte('0'+day%10))
	return append(b, '"')
}

// civil turns days since 1970-01-01 into year, month and day of the Gregorian
// calendar (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
// civil_from_days): a tenth of the time that package time takes.
func civil(days int) (year, month, day int) {
	days += 719468
	era := days / 146097
	if days < 0 {
		era = (days - 146096) / 146097
	}
	dayOfEra := days - era*146097
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	shifted := (5*dayOfYear + 2) / 153
	day = dayOfYear - (153*shifted+2)/5 + 1
	month = shifted + 3
	if month > 12 {
		month -= 12
	}
	year = yearOfEra + era*400
	if month <= 2 {
		year++
	}
	return year, month, day
}
