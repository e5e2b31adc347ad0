package timeseries

import (
	"fmt"
	"time"
)

// Date is a calendar day as days since 1970-01-01, the layout of Arrow's date32.
type Date int32

// NoDate stands for "no date given"; it sorts before every real date.
const NoDate Date = -1 << 31

// NewDate returns the day y-m-d; out-of-range months and days carry over as in time.Date.
func NewDate(y int, m time.Month, d int) Date {
	return FromTime(time.Date(y, m, d, 0, 0, 0, 0, time.UTC))
}

// FromTime returns the day of t in t's own zone.
func FromTime(t time.Time) Date {
	y, m, d := t.Date()
	return Date(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// ParseDate reads a day written YYYY-MM-DD.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return NoDate, fmt.Errorf("%q is not a date written YYYY-MM-DD", s)
	}
	return FromTime(t), nil
}

// Time returns midnight UTC of d.
func (d Date) Time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// String writes d as YYYY-MM-DD; NoDate is the empty string.
func (d Date) String() string {
	if d == NoDate {
		return ""
	}
	return d.Time().Format(time.DateOnly)
}

// YMD returns year, month and day of the month.
func (d Date) YMD() (int, time.Month, int) { return d.Time().Date() }

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return time.Weekday(((int(d)+4)%7 + 7) % 7) }

// MarshalText writes YYYY-MM-DD.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads YYYY-MM-DD; the empty text is NoDate.
func (d *Date) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*d = NoDate
		return nil
	}
	v, err := ParseDate(string(b))
	*d = v
	return err
}
