"""Regresses the monthly returns of RMOM on FF3M.Mkt-RF, FF3M.SMB and FF3M.HML. Returns are in
excess of FF3M.RF. The standard errors are those of Newey and West, with lags by the number of
returns. The factors are those of the series FF3M, and its column RF is the riskless return.
"""
from harness import factors

NAME = "Factors of RMOM"

INPUTS = {
    "universe": {"type": "array", "default": ["RMOM"],
        "title": "Universe", "role": "primary", "order": 1},
    "series": {"type": "array", "default": ["FF3M.Mkt-RF", "FF3M.SMB", "FF3M.HML", "FF3M.RF"],
        "title": "Series", "role": "advanced", "order": 2},
}


def analyze(ctx):
    return factors(ctx, "RMOM", ["FF3M.Mkt-RF", "FF3M.SMB", "FF3M.HML"], frequency="monthly", riskless="FF3M.RF")
