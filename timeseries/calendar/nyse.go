package calendar

import (
	"time"

	"ballast/timeseries"
)

// The rules are those of NYSE Rule 7.2 and the exchange's own list of holidays and
// special closings. They are complete from 1970 on. Earlier years have the regular
// holidays and the Saturday sessions, but not closings of single days (bank holidays,
// wars, parades, storms).

// nyseTradesOn reports whether the exchange opens on that day of the week. Saturdays were
// half sessions until May 1952, except in summers from 1946 on.
func nyseTradesOn(d timeseries.Date) bool {
	switch d.Weekday() {
	case time.Sunday:
		return false
	case time.Saturday:
		y, m, _ := d.YMD()
		summer := m >= time.June && m <= time.September
		return d < timeseries.NewDate(1952, time.June, 1) && (y < 1946 || !summer)
	}
	return true
}

// nyseHolidays lists the days observed as holidays in year y.
func nyseHolidays(y int) []timeseries.Date {
	days := make([]timeseries.Date, 0, 16)
	add := func(from, to int, d timeseries.Date) {
		if y >= from && y <= to {
			days = append(days, d)
		}
	}
	const always, ever = 0, 9999
	day := func(m time.Month, d int) timeseries.Date { return timeseries.NewDate(y, m, d) }

	// New Year's Day on a Saturday has no substitute: the Friday before closes the year's
	// books.
	add(always, ever, sundayToMonday(day(time.January, 1)))
	add(1998, ever, nthWeekday(y, time.January, time.Monday, 3)) // Martin Luther King Jr.
	add(1896, 1953, sundayToMonday(day(time.February, 12)))      // Lincoln
	add(always, 1970, weekendToWeekday(day(time.February, 22)))  // Washington, on the day
	add(1971, ever, nthWeekday(y, time.February, time.Monday, 3))
	if y != 1898 && y != 1906 && y != 1907 {
		add(always, ever, easter(y)-2) // Good Friday
	}
	add(always, 1970, weekendToWeekday(day(time.May, 30))) // Memorial Day, on the day
	add(1971, ever, nthWeekday(y, time.June, time.Monday, 1)-7)
	add(2022, ever, weekendToWeekday(day(time.June, 19))) // Juneteenth
	add(always, ever, weekendToWeekday(day(time.July, 4)))
	add(1887, ever, nthWeekday(y, time.September, time.Monday, 1)) // Labor Day
	add(1909, 1953, sundayToMonday(day(time.October, 12)))         // Columbus
	election := nthWeekday(y, time.November, time.Monday, 1) + 1
	add(always, 1968, election)
	if y%4 == 0 {
		add(1972, 1980, election)
	}
	add(1934, 1953, sundayToMonday(day(time.November, 11)))         // Armistice, then Veterans Day
	add(always, 1938, lastWeekday(y, time.November, time.Thursday)) // Thanksgiving
	add(1939, 1941, lastWeekday(y, time.November, time.Thursday)-7)
	add(1942, ever, nthWeekday(y, time.November, time.Thursday, 4))
	add(always, ever, weekendToWeekday(day(time.December, 25)))
	return days
}

// nyseSpecialClosings are whole days since 1970 on which the exchange was closed by a
// decision announced at least a day ahead: days of mourning for presidents.
//
// Closings that were not known a day ahead are left out: 1977-07-14 (the blackout began
// the evening before), 1985-09-27 (hurricane Gloria; the time of the announcement is
// uncertain, so it counts as unforeseen), 2001-09-11 to 14, 2012-10-29 and 30 (hurricane
// Sandy, decided on Sunday night).
var nyseSpecialClosings = []timeseries.Date{
	timeseries.NewDate(1972, time.December, 28), // Truman
	timeseries.NewDate(1973, time.January, 25),  // Johnson
	timeseries.NewDate(1994, time.April, 27),    // Nixon
	timeseries.NewDate(2004, time.June, 11),     // Reagan
	timeseries.NewDate(2007, time.January, 2),   // Ford
	timeseries.NewDate(2018, time.December, 5),  // G. H. W. Bush
	timeseries.NewDate(2025, time.January, 9),   // Carter
}

// sundayToMonday moves a Sunday's holiday to Monday.
func sundayToMonday(d timeseries.Date) timeseries.Date {
	if d.Weekday() == time.Sunday {
		return d + 1
	}
	return d
}

// weekendToWeekday moves a Sunday's holiday to Monday and, since the end of Saturday
// sessions, a Saturday's to Friday.
func weekendToWeekday(d timeseries.Date) timeseries.Date {
	if d.Weekday() == time.Saturday && d > timeseries.NewDate(1952, time.June, 1) {
		return d - 1
	}
	return sundayToMonday(d)
}

// nthWeekday returns the n-th occurrence of a weekday in a month, n from 1.
func nthWeekday(y int, m time.Month, w time.Weekday, n int) timeseries.Date {
	d := timeseries.NewDate(y, m, 1)
	return d + timeseries.Date((int(w)-int(d.Weekday())+7)%7+7*(n-1))
}

// lastWeekday returns the last occurrence of a weekday in a month.
func lastWeekday(y int, m time.Month, w time.Weekday) timeseries.Date {
	d := timeseries.NewDate(y, m+1, 1) - 1
	return d - timeseries.Date((int(d.Weekday())-int(w)+7)%7)
}

// easter returns Easter Sunday of the Gregorian calendar (the anonymous
// algorithm of 1876, in Meeus, Astronomical Algorithms, chapter 8).
func easter(y int) timeseries.Date {
	a, b, c := y%19, y/100, y%100
	d, e := b/4, b%4
	f := (b + 8) / 25
	g := (b - f + 1) / 3
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return timeseries.NewDate(y, time.Month(n/31), n%31+1)
}
