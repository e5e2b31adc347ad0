# input: start_date=2016-02-13
# input: initial_cash=250000
"""Start date"""
NAME = "Start date"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    ctx.record("sessions", ctx.sessions("A"))
    return {"A": 0.3, "B": 0.3} if ctx.sessions("A") > 250 else None
