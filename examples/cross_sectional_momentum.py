"""The winners of the past year, without its last month, in equal parts.

Assets are ranked by their return from twelve months ago to one month ago. The
last month is left out because it tends to reverse. The three strongest are held
for a month.

Source: Narasimhan Jegadeesh and Sheridan Titman (1993), Returns to Buying
Winners and Selling Losers, Journal of Finance 48(1); the skipped month after
Jegadeesh (1990), Evidence of Predictable Behavior of Security Returns, Journal
of Finance 45(3).

Departures: funds of regions and sizes instead of single equities; winners only,
without short positions in the losers; one portfolio instead of overlapping
ones.
"""
from harness import equal_weight, momentum, top

NAME = "Cross-sectional momentum"
SYMBOL = "X-XSMOM"
SCHEDULE = "monthly"
START = "two_members"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "QQQ", "IWM", "MDY", "EFA", "EEM", "EWJ", "IEV", "VNQ"],
                 "title": "Universe", "order": 1},
    "lookback": {"type": "integer", "default": 252, "minimum": 42, "maximum": 756, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 2},
    "skip": {"type": "integer", "default": 21, "minimum": 0, "maximum": 40, "title": "Left out at the end",
             "role": "advanced", "unit": "sessions", "order": 3},
    "hold": {"type": "integer", "default": 3, "minimum": 1, "maximum": 20, "title": "Holdings",
             "role": "primary", "order": 4},
}


def decide(ctx):
    n = ctx.inputs.lookback
    scores = {s: momentum(ctx.prices(s, n + 1), skip=ctx.inputs.skip) for s in ctx.universe if ctx.sessions(s) > n}
    # The first ranking needs more candidates than places, or the whole universe.
    if ctx.last_decision is None and len(scores) < min(ctx.inputs.hold + 1, len(ctx.inputs.universe)):
        return None
    return equal_weight(top(scores, ctx.inputs.hold))
