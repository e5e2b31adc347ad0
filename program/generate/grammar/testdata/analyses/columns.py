"""Regresses the returns of RMOM on FF5.Mkt-RF and FF5.SMB. Returns are in excess of FF5.RF. The
standard errors are those of Newey and West with 5 lags.
"""
from harness import factors

NAME = "Factors of RMOM"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM"],
        "title": "Universe", "role": "primary", "order": 1},
    "series": {"type": "array", "default": ["FF5.Mkt-RF", "FF5.SMB", "FF5.RF"],
        "title": "Series", "role": "advanced", "order": 2},
}


def analyze(ctx):
    return factors(ctx, "RMOM", ["FF5.Mkt-RF", "FF5.SMB"], riskless="FF5.RF", lags=5)
