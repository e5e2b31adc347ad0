"""Two models held like two assets, weighted by inverse volatility.

To a model that holds it, another model is like an asset: a series of daily
returns. Dual momentum and risk parity rest on different ideas, so their mix is
steadier than either. Weights are proportional to the inverse of the volatility
over the past half year.

Source: J. M. Bates and C. W. J. Granger (1969), The Combination of Forecasts,
Operational Research Quarterly 20(4): weights by the inverse of the error.

Departures: models of portfolios instead of forecasts. It needs the examples
X-GEM and X-RPARITY as models of the same account.
"""
from harness import inverse_volatility

NAME = "Model of models"
SYMBOL = "X-MODELS"
SCHEDULE = "quarterly"

INPUTS = {
    "universe": {"type": "array", "default": ["X-GEM", "X-RPARITY"], "title": "Models", "order": 1},
    "lookback": {"type": "integer", "default": 126, "minimum": 20, "maximum": 756, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 2},
}


def decide(ctx):
    if min([ctx.sessions(s) for s in ctx.inputs.universe]) <= ctx.inputs.lookback:
        return None
    return inverse_volatility(ctx.panel(ctx.universe, ctx.inputs.lookback))
