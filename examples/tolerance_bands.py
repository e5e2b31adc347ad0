"""Sixty-forty that trades only when a member has drifted out of its band.

Once a week the weights are looked at. While each is within 20 % of its target
(of the target itself: 48 to 72 % for a target of 60 %) nothing is traded;
otherwise all go back to their targets.

Source: Gobind Daryanani (2008), Opportunistic Rebalancing: A New Paradigm for
Wealth Managers, Journal of Financial Planning 21(1).

Departures: he looks every other week, and trades back to the edge of an inner
band of half the width; here every week, and to the targets.
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
