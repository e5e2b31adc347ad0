"""Risk parity with one and a half times leverage.

A portfolio with equal risk contributions is mostly bonds and earns little.
Leverage raises its risk to that of equities and keeps it diversified. The
source argues that investors who avoid leverage leave this return to others.

Source: Clifford S. Asness, Andrea Frazzini and Lasse H. Pedersen (2012),
Leverage Aversion and Risk Parity, Financial Analysts Journal 68(1).

Departures: their weights are the inverse of volatility, levered to the
volatility of the market; here risk contributions are equal and leverage is
fixed. Half of equity is borrowed, at no cost in gross results; use a financing
rate to see net results.
"""
from harness import risk_parity, scale

NAME = "Levered risk parity"
SYMBOL = "X-LEVRP"
SCHEDULE = "monthly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "IEF", "TLT", "GLD", "DBC"],
                 "title": "Universe", "order": 1},
    "leverage": {"type": "number", "default": 1.5, "minimum": 0.5, "maximum": 3, "title": "Leverage",
                 "role": "primary", "unit": "times equity", "order": 2},
    "lookback": {"type": "integer", "default": 252, "minimum": 20, "maximum": 756, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 3},
}


def decide(ctx):
    members = [s for s in ctx.universe if ctx.sessions(s) > ctx.inputs.lookback]
    if ctx.last_decision is None and len(members) < len(ctx.universe):
        return None
    return scale(risk_parity(ctx.panel(members, ctx.inputs.lookback)), ctx.inputs.leverage)
