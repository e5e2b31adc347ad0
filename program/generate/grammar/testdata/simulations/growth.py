"""Simulates 20 years from 100,000 in 20% VTI, 20% VBR, 20% TLT, 20% SHY and 20% GLD, never
rebalanced.
The shares are those of the Golden Butterfly (Tyler, Portfolio Charts, 2016).
No payments were given, so nothing is paid in or taken out.
"""

NAME = "Plan, 20 years in 20% VTI, 20% VBR, 20% TLT, 20% SHY and 20% GLD"

INPUTS = {
    "universe": {"type": "array", "default": ["VTI", "VBR", "TLT", "SHY", "GLD"],
        "title": "Universe", "role": "primary", "order": 1},
    "weights": {"type": "array", "default": [0.2, 0.2, 0.2, 0.2, 0.2],
        "title": "Weights", "description": "Fractions, in the order of the universe", "role": "primary", "order": 2},
    "rebalance": {"type": "string", "default": "never",
        "title": "Rebalance", "role": "advanced", "order": 3},
    "start_value": {"type": "number", "default": 100000.0,
        "title": "Start value", "unit": "usd", "role": "primary", "order": 4},
    "years": {"type": "integer", "default": 20,
        "title": "Years", "role": "primary", "order": 5},
}


def simulate(ctx):
    return 0
