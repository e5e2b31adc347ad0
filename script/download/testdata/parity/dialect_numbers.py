"""Dialect numbers"""
import math

NAME = "Dialect numbers"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B", "C"]},
}


def wave(x, n=3):
    """The dialect's own functions and operators."""
    total = sum([0.1] * 10) - 1.0
    total += round(2.675, 2) + round(2.5) + round(-3.5) + 7 // 2 + -7 // 2 + -7 % 3 + 7.5 % 2 + 1 / 3
    total += pow(2, n) + pow(x, 0.5) + sum([0.1, 0.2, 0.3], 0.5) + abs(-x) + int(3.9) + int(-3.9) + float("0.25")
    total += math.sqrt(x) + math.exp(-x) + math.log(1 + x) + math.floor(2.7) + math.ceil(2.1) + math.fabs(-1) + math.pi
    return total

def decide(ctx):
    pairs = zip(ctx.universe, [1, 2, 3])
    first = [s for s, _ in pairs] + [s for s, _ in pairs]
    seen = set(["C", "A", "B", "A"])
    order = [s for s in seen]
    back = reversed(order)
    numbered = {s: i for i, s in enumerate(first, 1)}
    x = ctx.prices("A").last()
    w = wave(x) * 1e-3
    text = "%s %d %s" % (ctx.date, len(first), "{} of {}".format(2, 3))
    ctx.record("wave", wave(x))
    ctx.record("sum", sum(ctx.returns("A", 50)) + sum(ctx.returns("B", 50), 1.0))
    ctx.record("order", numbered[order[0]] * 100 + numbered[back[0]] * 10 + len(text.split(" ")))
    keys = sorted(numbered, key=lambda s: (-numbered[s], s), reverse=True)
    parts = {k: v for k, v in [(keys[0], 0.2 + w), (keys[1], 0.1)]}
    parts.update({keys[2]: max(0.1, min([0.3, w]))})
    i = 0
    while i < 3:
        i += 1
        if i == 2:
            continue
        parts[keys[i - 1]] += 0.01
    return {s: parts[s] for s in parts if parts.get(s, 0) != 0 and not s.startswith("_")}
