# input: mode=fast
# input: share=0.8
# input: bands=[0.1]
# input: since=2016-01-01
"""Context everything"""
from harness import volatility

NAME = "Context everything"
SCHEDULE = "monthly"
START = "first_member"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B", "LATE"]},
    "lookback": {"type": "integer", "default": 60, "minimum": 2, "maximum": 500},
    "share": {"type": "number", "default": 1},
    "mode": {"type": "string", "default": "slow", "enum": ["fast", "slow"]},
    "since": {"type": "string", "default": None, "format": "date"},
    "on": {"type": "boolean", "default": True},
    "bands": {"type": "array", "default": [0, 0.2]},
    "pair": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    prices = ctx.prices("A")
    some = ctx.prices("B", 0)
    panel = ctx.panel(ctx.universe, 90)
    ctx.record("panel", len(panel[ctx.universe[0]]) if len(ctx.universe) > 0 else 0)
    ctx.record("first", prices.first())
    ctx.record("long", len(ctx.prices("A", 100000)))
    ctx.record("empty", len(some))
    ctx.record("late", len(ctx.returns("LATE")))
    ctx.record("cash", ctx.cash / ctx.equity)
    ctx.record("had", 0 if ctx.last_decision is None else int(ctx.last_decision[:4]))
    ctx.record("held", sum(ctx.weights.values()))
    ctx.record("flag", ctx.sessions("LATE") > 0)
    ctx.record("nothing", None)
    ctx.record(value=ctx.bars_per_year, name="year")
    print(ctx.date, "universe", len(ctx.universe))
    n = ctx.inputs["lookback"]
    if ctx.inputs.mode != "fast" or not ctx.inputs.on or "lookback" == "":
        return None
    sigma = volatility(ctx.returns("A", n)) if ctx.sessions("A") > n else 0.2
    return {"A": min(ctx.inputs.share, 0.1 / sigma), ctx.inputs.pair[1]: ctx.inputs.bands[0]}
