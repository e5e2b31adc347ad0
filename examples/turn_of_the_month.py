"""Equities around the turn of the month, bills for the rest of it.

Equities are held for the last session of a month and the first three of the
next, which have earned most of their returns. They are bought at the close of
the last session but one and sold at the close of the third.

Source: Josef Lakonishok and Seymour Smidt (1988), Are Seasonal Anomalies Real?
A Ninety-Year Perspective, Review of Financial Studies 1(4); Robert A. Ariel
(1987), A Monthly Effect in Stock Returns, Journal of Financial Economics 18(1).

Departures: sessions are counted as weekdays of the calendar, so that the window
is known in advance; a holiday shifts it by a session.
"""

NAME = "Turn of the month"
SYMBOL = "X-TURN"
SCHEDULE = "daily"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "SHY"],
                 "title": "Equities, then the safe asset", "order": 1},
    "before": {"type": "integer", "default": 1, "minimum": 0, "maximum": 10,
               "title": "Last sessions of the month", "role": "primary", "unit": "weekdays", "order": 2},
    "after": {"type": "integer", "default": 3, "minimum": 0, "maximum": 10,
              "title": "First sessions of the month", "role": "primary", "unit": "weekdays", "order": 3},
}

DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
SHIFT = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]


def weekday(year, month, day):
    """Returns the day of the week, 0 for Sunday to 6 for Saturday (Sakamoto)."""
    if month < 3:
        year -= 1
    return (year + year // 4 - year // 100 + year // 400 + SHIFT[month - 1] + day) % 7


def weekdays(year, month, first, last):
    """Counts the weekdays from first to last, both included."""
    return len([d for d in range(first, last + 1) if weekday(year, month, d) % 6 != 0])


def decide(ctx):
    equities, safe = ctx.inputs.universe
    year, month, day = [int(part) for part in ctx.date.split("-")]
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    length = DAYS[month - 1] + (1 if leap and month == 2 else 0)
    left = weekdays(year, month, day + 1, length)
    gone = weekdays(year, month, 1, day)
    # At this close: is the next session one of the last, or one of the first?
    ending = left > 0 and left <= ctx.inputs.before
    beginning = gone < ctx.inputs.after or (left == 0 and ctx.inputs.after > 0)
    wanted = equities if ending or beginning else safe
    if ctx.weights.get(wanted, 0) > 0:
        return None
    return {wanted: 1}
