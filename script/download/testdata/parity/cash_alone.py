"""Cash alone"""
NAME = "Cash alone"
SCHEDULE = "yearly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


def decide(ctx):
    return {} if ctx.date < "2017" else {"A": 1.0}
