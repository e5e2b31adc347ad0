"""Shadowed builtins"""
NAME = "Shadowed builtins"
SCHEDULE = "monthly"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
}


len = 7
max = 3
min = "min"
sum = [1, 2]
abs = None
range = 5
dict = {"x": 1}
isfinite = 1
str = "str"
list = 4
sorted = 2

def print():
    return 1

def decide(ctx):
    ctx.record("shadow", len + max + sum[1] + range + print() + dict["x"])
    return {"A": 0.5, "B": 0.5}
