"""The equity funds of lowest volatility, weighted by its inverse.

Equities of low volatility have earned as much as others at less risk, contrary
to theory. Of nine equity funds, the three with the lowest volatility over three
years are held and rebalanced each quarter.

Source: David C. Blitz and Pim van Vliet (2007), The Volatility Effect: Lower
Risk Without Lower Return, Journal of Portfolio Management 34(1).

Departures: funds of regions, sizes and real estate instead of single equities;
daily returns instead of weekly ones; rebalanced quarterly instead of monthly.
"""
from harness import bottom, inverse_volatility, volatility

NAME = "Low volatility"
SYMBOL = "X-LOWVOL"
SCHEDULE = "quarterly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "QQQ", "IWM", "MDY", "EFA", "EEM", "EWJ", "IEV", "IYR"],
                 "title": "Universe", "order": 1},
    "lookback": {"type": "integer", "default": 756, "minimum": 60, "maximum": 1260, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 2},
    "hold": {"type": "integer", "default": 3, "minimum": 1, "maximum": 9, "title": "Holdings",
             "role": "primary", "order": 3},
}


def decide(ctx):
    members = [s for s in ctx.universe if ctx.sessions(s) > ctx.inputs.lookback]
    if ctx.last_decision is None and len(members) < len(ctx.universe):
        return None
    deviations = {s: volatility(ctx.returns(s, ctx.inputs.lookback), ctx.bars_per_year) for s in members}
    calmest = bottom(deviations, ctx.inputs.hold)
    return inverse_volatility({s: deviations[s] for s in calmest})
