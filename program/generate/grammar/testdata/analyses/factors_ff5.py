"""Regresses the daily returns of CORE on FF5.Mkt-RF, FF5.SMB, FF5.HML, FF5.RMW and FF5.CMA.
Returns are in excess of FF5.RF. The standard errors are those of Newey and West, with lags by
the number of returns. The factors are those of the series FF5, and its column RF is the
riskless return.
"""
from harness import factors

NAME = "Factors of CORE"

INPUTS = {
    "universe": {"type": "array", "default": ["CORE"],
        "title": "Universe", "role": "primary", "order": 1},
    "series": {"type": "array", "default": ["FF5.Mkt-RF", "FF5.SMB", "FF5.HML", "FF5.RMW", "FF5.CMA", "FF5.RF"],
        "title": "Series", "role": "advanced", "order": 2},
}


def analyze(ctx):
    return factors(ctx, "CORE", ["FF5.Mkt-RF", "FF5.SMB", "FF5.HML", "FF5.RMW", "FF5.CMA"], frequency="daily", riskless="FF5.RF")
