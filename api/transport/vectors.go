package transport

import (
	"math"
	"strconv"

	"ballast/internal/number"
	"ballast/timeseries"
)

// AppendFloats appends a vector of numbers, with null for NaN and infinities.
func AppendFloats(b []byte, x []float64) []byte {
	b = append(b, '[')
	for i, v := range x {
		if i > 0 {
			b = append(b, ',')
		}
		switch {
		case v == 0 && !math.Signbit(v): // most weights are 0
			b = append(b, '0')
		default:
			b = number.Append(b, v)
		}
	}
	return append(b, ']')
}

// AppendDates appends a vector of dates, each "YYYY-MM-DD". Most dates are a few days
// after the previous one, in the same month: then the previous text is copied and
// only the day is replaced.
func AppendDates(b []byte, dates []timeseries.Date) []byte {
	b = append(b, '[')
	day := 0 // day of the month of the previous date; 0 if its text cannot be reused
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
		b = AppendDate(b, d)
		day = 0
		if year, _, dayOfMonth := d.YMD(); year >= 1000 && year <= 9999 {
			day = dayOfMonth
		}
	}
	return append(b, ']')
}

// AppendDate appends a date in quotes, or null for NoDate.
func AppendDate(b []byte, d timeseries.Date) []byte {
	if d == timeseries.NoDate {
		return append(b, "null"...)
	}
	year, month, day := d.YMD()
	if year < 1000 || year > 9999 { // no market has such dates, but they must still be right
		b = append(b, '"')
		b = append(b, d.String()...)
		return append(b, '"')
	}
	b = append(b, '"')
	b = strconv.AppendInt(b, int64(year), 10)
	b = append(b, '-', '0'+byte(month/10), '0'+byte(month%10), '-', '0'+byte(day/10), '0'+byte(day%10))
	return append(b, '"')
}
