package timeseries

import (
	"fmt"
	"time"
)

// Date is a calendar day in days since 1970-01-01, as in Arrow's date32.
type Date int32

// NoDate means that there is no date; it sorts before every real date.
const NoDate Date = -1 << 31

// NewDate returns the day y-m-d. Months and days out of range carry over, as in
// time.Date.
func NewDate(y int, m time.Month, d int) Date {
	months := 12*y + int(m) - 1
	y = floorDiv(months, 12)
	// Years begin in March here, so that the leap day is the last day of its year (days
	// from civil, https://howardhinnant.github.io/date_algorithms.html).
	march := (months - 12*y + 10) % 12
	if march >= 10 {
		y--
	}
	era := floorDiv(y, 400)
	year := y - 400*era
	return Date(146097*era + 365*year + year/4 - year/100 + (153*march+2)/5 + d - 1 - 719468)
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// FromTime returns the day of t in t's own time zone.
func FromTime(t time.Time) Date {
	return NewDate(t.Date())
}

// ParseDate parses a day written as YYYY-MM-DD.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return NoDate, fmt.Errorf("%q is not a date written YYYY-MM-DD", s)
	}
	return FromTime(t), nil
}

// Time returns midnight UTC of d.
func (d Date) Time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// String returns d as YYYY-MM-DD, and "" for NoDate.
func (d Date) String() string {
	if d == NoDate {
		return ""
	}
	return d.Time().Format(time.DateOnly)
}

// YMD returns year, month and day of the month.
func (d Date) YMD() (int, time.Month, int) {
	// Civil from days, as in NewDate.
	z := int(d) + 719468
	era := floorDiv(z, 146097)
	day := z - 146097*era
	year := (day - day/1460 + day/36524 - day/146096) / 365
	day -= 365*year + year/4 - year/100
	march := (5*day + 2) / 153
	y, m := year+400*era, march+3
	if m > 12 {
		y, m = y+1, m-12
	}
	return y, time.Month(m), day - (153*march+2)/5 + 1
}

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return time.Weekday(((int(d)+4)%7 + 7) % 7) }

// MarshalText writes YYYY-MM-DD.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses YYYY-MM-DD; empty text is NoDate.
func (d *Date) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*d = NoDate
		return nil
	}
	v, err := ParseDate(string(b))
	*d = v
	return err
}
