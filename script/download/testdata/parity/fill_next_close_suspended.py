"""Fill next close suspended"""
NAME = "Fill next close suspended"
SCHEDULE = "daily"
FILL = "next_close"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "HOLE", "GONE"]},
}


def decide(ctx):
    return {"HOLE": 0.5, "GONE": 0.3, "A": 0.2} if ctx.date < "2018-06-20" else {"A": 1.0}
