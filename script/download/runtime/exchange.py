"""The exchange's calendar: the days on which it plans to be open.

Days are numbers as in datetime.date.toordinal; day % 7 is 0 on a Sunday, 1 on a
Monday and 6 on a Saturday.
"""
from bisect import bisect_left
from datetime import date

SUN, MON, TUE, WED, THU, FRI, SAT = range(7)

FIRST, LAST = date(1885, 1, 1).toordinal(), date(2100, 12, 31).toordinal()

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

# Closed for days of mourning, announced at least a day ahead.
MOURNING = (
    (1972, 12, 28), (1973, 1, 25), (1994, 4, 27), (2004, 6, 11), (2007, 1, 2), (2018, 12, 5), (2025, 1, 9),
)


def nth(year, month, weekday, n):
    """Return the n-th given weekday of a month."""
    first = date(year, month, 1).toordinal()
    return first + (weekday - first) % 7 + 7 * (n - 1)


def last(year, month, weekday):
    """Return the last given weekday of a month other than December."""
    day = date(year, month + 1, 1).toordinal() - 1
    return day - (day - weekday) % 7


def easter(year):
    """Return Easter Sunday (Meeus, Astronomical Algorithms, chapter 8)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (b - (b + 8) // 25 + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    l = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * l) // 451
    month, day = divmod(h + l - 7 * m + 114, 31)
    return date(year, month, day + 1).toordinal()


def monday(day):
    """Return the day on which a holiday is observed: Monday if it falls on a Sunday."""
    return day + 1 if day % 7 == SUN else day


def weekday(day):
    """Like monday, and since the end of Saturday sessions Friday if it falls on a Saturday."""
    if day % 7 == SAT and day > date(1952, 6, 1).toordinal():
        return day - 1
    return monday(day)


def holidays(year):
    """Return the observed holidays of a year: NYSE Rule 7.2 and its predecessors."""
    def on(month, day):
        return date(year, month, day).toordinal()

    election = nth(year, 11, MON, 1) + 1
    rules = (
        (0, 9999, monday(on(1, 1))),  # not moved to Friday, which ends the accounting year
        (1998, 9999, nth(year, 1, MON, 3)),  # Martin Luther King Jr.
        (1896, 1953, monday(on(2, 12))),  # Lincoln
        (0, 1970, weekday(on(2, 22))),  # Washington
        (1971, 9999, nth(year, 2, MON, 3)),
        (0, 0 if year in (1898, 1906, 1907) else 9999, easter(year) - 2),  # Good Friday
        (0, 1970, weekday(on(5, 30))),  # Memorial Day
        (1971, 9999, nth(year, 6, MON, 1) - 7),
        (2022, 9999, weekday(on(6, 19))),  # Juneteenth
        (0, 9999, weekday(on(7, 4))),
        (1887, 9999, nth(year, 9, MON, 1)),  # Labor Day
        (1909, 1953, monday(on(10, 12))),  # Columbus
        (0, 1968, election),
        (1972, 1980 if year % 4 == 0 else 0, election),
        (1934, 1953, monday(on(11, 11))),  # Armistice, then Veterans Day
        (0, 1938, last(year, 11, THU)),  # Thanksgiving
        (1939, 1941, last(year, 11, THU) - 7),
        (1942, 9999, nth(year, 11, THU, 4)),
        (0, 9999, weekday(on(12, 25))),
    )
    return [day for first, final, day in rules if first <= year <= final]


def open_hours(day):
    """Return whether the exchange opens on that day of the week; Saturdays until May 1952."""
    if day % 7 == SAT:
        when = date.fromordinal(day)
        summer = 6 <= when.month <= 9
        return when < date(1952, 6, 1) and (when.year < 1946 or not summer)
    return day % 7 != SUN


def planned_sessions(first, final):
    """Return the planned sessions of the New York Stock Exchange around the days first to final."""
    years = range(date.fromordinal(first).year - 1, date.fromordinal(final).year + 2)
    closed = {date(*day).toordinal() for day in MOURNING}
    for year in years:
        closed.update(holidays(year))
    begin = max(FIRST, date(years[0], 1, 1).toordinal())
    end = min(LAST, date(years[-1], 12, 31).toordinal())
    return [day for day in range(begin, end + 1) if open_hours(day) and day not in closed]


def all_days():
    """Return the calendar on which every day is a session."""
    return range(FIRST, LAST + 1)


def period_start(every, day):
    """Return the first day of the calendar period that contains day; weeks start on Monday."""
    if every == "weekly":
        return day - (day - MON) % 7
    when = date.fromordinal(day)
    month = {"monthly": when.month, "quarterly": (when.month - 1) // 3 * 3 + 1, "yearly": 1}[every]
    return date(when.year, month, 1).toordinal()


def planned_day(schedule, sessions, start, following):
    """Return the decision day of the period [start, following), or None if it has no session."""
    if "weekday" in schedule:
        return start + WEEKDAYS.index(schedule["weekday"])
    low, high = bisect_left(sessions, start), bisect_left(sessions, following)
    if low == high:
        return None
    n = schedule.get("session", -1)
    at = high + n if n < 0 else low + n - 1
    return sessions[min(max(at, low), high - 1)]


def decision_sessions(schedule, axis, sessions, start):
    """Return the positions of the decision sessions on axis, from start on.

    A planned day without a bar moves to the next session that has one. start is
    always a decision session.
    """
    if axis[0] < FIRST or axis[-1] > LAST:
        raise ValueError("the bars are outside the calendar, which covers 1885 to 2100")
    every = schedule["every"]
    if every == "daily":
        return list(range(start, len(axis)))
    positions = [start]
    longest = {"weekly": 7, "monthly": 31, "quarterly": 92, "yearly": 366}[every]
    begin = period_start(every, axis[0])
    while begin <= axis[-1]:
        following = period_start(every, begin + longest)
        day = planned_day(schedule, sessions, begin, following)
        begin = following
        if day is None or day < axis[0]:
            continue
        t = bisect_left(axis, day)
        if t < len(axis) and t > positions[-1]:
            positions.append(t)
    return positions
