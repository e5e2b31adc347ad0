"""60/40 that trades only when a weight leaves its band.

Weights are checked once a week. While each is within 20 % of its target,
relative to the target (48 to 72 % for a target of 60 %), nothing is traded.
Otherwise all are rebalanced to their targets.

Source: Gobind Daryanani (2008), Opportunistic Rebalancing: A New Paradigm for
Wealth Managers, Journal of Financial Planning 21(1).

Departures: he checks every two weeks, and trades back to the edge of an inner
band of half the width; this model checks every week and trades back to the
targets.
"""
from harness import drifted

NAME = "Sixty forty in bands"
SYMBOL = "X-BANDS"
SCHEDULE = "weekly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"], "title": "Equities, then bonds", "order": 1},
    "equity": {"type": "number", "default": 0.6, "minimum": 0, "maximum": 1, "title": "Share of equities",
               "role": "primary", "unit": "fraction", "order": 2},
    "band": {"type": "number", "default": 0.2, "minimum": 0, "maximum": 1,
             "title": "Band, relative to the target", "role": "primary", "unit": "fraction", "order": 3},
}


def decide(ctx):
    equities, bonds = ctx.inputs.universe
    target = {equities: ctx.inputs.equity, bonds: 1 - ctx.inputs.equity}
    if ctx.last_decision is None or drifted(ctx.weights, target, ctx.inputs.band, relative=True):
        return target
    return None
