"""Dialect order"""
NAME = "Dialect order"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["C", "A", "D", "B"]},
}


def place(symbols):
    """Which order symbols are in, as a number."""
    return sum([(i + 1) * pow(10, ord(s) - ord("A")) for i, s in enumerate(symbols)])


def decide(ctx):
    scores = {"C": 2, "A": 1.0, "D": 2.0, "B": 1}
    ctx.record("up", place(sorted(scores, key=lambda s: scores[s])))
    ctx.record("down", place(sorted(scores, key=lambda s: scores[s], reverse=True)))
    ctx.record("ties", place([min(scores, key=lambda s: scores[s]), max(scores, key=lambda s: scores[s])]))
    left, right = set(["D", "A", "C"]), set(["C", "B", "D"])
    for name, found in [("and", left & right), ("or", left | right), ("less", left - right), ("either", left ^ right)]:
        ctx.record(name, place(list(found)))
    left.discard("A")
    left.add("B")
    left.remove("C")
    first = left.pop()
    ctx.record("set", place([first]) + place(left.union(right)) + (1 if left <= right else 0) + (5 if "B" in left else 0))
    merged = dict([("B", 1), ("A", 2)], D=3)
    merged.update({"A": 4, "C": 5})
    merged.pop("B")
    merged.setdefault("B", 6)
    ctx.record("merged", place(list(merged)) + sum(merged.values()) + merged.get("Z", 100))
    ctx.record("pairs", sum([len(p) * (i + 1) for i, p in enumerate(zip("a b c".split(), [1, 2], (3, 4, 5)))]))
    ctx.record("back", place(reversed(list(merged.keys()))[1:]))
    ctx.record("logic", (0 or 7) + (3 and 4) + (1 if not [] else 2) + (2 if any([0, 1]) and all([]) else 0))
    ctx.log("%s|%r|%d|%s" % (ctx.date, True, 7, [1, None, "x".upper()][:2]))
    return {s: 0.25 for s in sorted(scores)}
