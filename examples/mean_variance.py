"""The best trade-off of expected return and variance, within bounds.

Expected returns are averages over three years. Covariances are estimated over
the same sessions, with shrinkage. Weights maximise the expected return minus
half the risk aversion times the variance, and are between 0 and 35 %.

Source: Harry Markowitz (1952), Portfolio Selection, Journal of Finance 7(1);
bounds after Peter Frost and James Savarino (1988), For Better Performance:
Constrain Portfolio Weights, Journal of Portfolio Management 15(1).

Departures: past averages stand in for the beliefs about the future that
Markowitz asks for, and they are poor forecasts. The model is here because it is
a classic, not as advice.
"""
from harness import covariance, mean_variance

NAME = "Mean variance"
SYMBOL = "X-MEANVAR"
SCHEDULE = "quarterly"

INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "EFA", "EEM", "AGG", "TLT", "VNQ", "GLD"],
                 "title": "Universe", "order": 1},
    "lookback": {"type": "integer", "default": 756, "minimum": 126, "maximum": 1260, "title": "Lookback",
                 "role": "primary", "unit": "sessions", "order": 2},
    "risk_aversion": {"type": "number", "default": 6, "minimum": 0.5, "maximum": 100, "title": "Risk aversion",
                      "role": "primary", "order": 3},
    "largest": {"type": "number", "default": 0.35, "minimum": 0.05, "maximum": 1, "title": "Largest weight",
                "role": "advanced", "unit": "fraction", "order": 4},
}


def decide(ctx):
    members = [s for s in ctx.universe if ctx.sessions(s) > ctx.inputs.lookback]
    if ctx.last_decision is None and len(members) < len(ctx.universe):
        return None
    panel = ctx.panel(members, ctx.inputs.lookback)
    expected = {s: panel[s].mean() for s in members}
    return mean_variance(
        covariance(panel, shrinkage="ledoit_wolf"),
        risk_aversion=ctx.inputs.risk_aversion,
        upper=ctx.inputs.largest,
        total=min(1.0, ctx.inputs.largest * len(members)),
        expected=expected,
    )
